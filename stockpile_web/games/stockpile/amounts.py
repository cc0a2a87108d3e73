"""How amounts are written."""

from stockpile_web.engine import Filters


def money(amount: int) -> str:
    """Write thousands of dollars as the board does: $10K, -$3K, $0."""
    sign = "-" if amount < 0 else ""
    return f"{sign}${abs(amount)}K" if amount else "$0"


FILTERS: Filters = {"money": money}
