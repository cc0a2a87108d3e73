"""How amounts are written."""

from stockpile_web.engine import Filters


def money(amount: int) -> str:
    """Write thousands of dollars as the board does: $10K, -$3K, $0."""
    sign = "-" if amount < 0 else ""
    return f"{sign}${abs(amount)}K" if amount else "$0"


def unbroken_money(amount: int) -> str:
    """Write it for a sentence, with a minus sign that stays on the line of its amount."""
    return money(amount).replace("-", "\N{MINUS SIGN}\N{WORD JOINER}")


FILTERS: Filters = {"money": money, "unbroken_money": unbroken_money}
