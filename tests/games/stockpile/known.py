"""What shared tests must be told of Stockpile: see `tests/support/known.py`."""

from collections.abc import Sequence
from typing import Any

DIGEST = "2045c8a1f1ece44daf2fc1e7d7580a7b"
TAKEN_BACK = 0.5
WORDS = """
    bankrupt bankruptcy bid bids bidding bond bonds boom bust commodities commodity companies
    company dividend dividends forecast forecasts insider investor investors market outbid pile
    piles portfolio stockpiles strategy ticker
"""
DECISIONS = ("supply", "demand", "action", "selling", "dividend")
FULLEST = "demand"
RARE: tuple[str, ...] = ()
IN_VIEW = ("#strip > li", ".pile .fan > li", ".lad > *:not(legend)")
PRESSES = {"dividend": "ask_about_dividends"}  # Otherwise it is collected without asking.
ORDERS = {"round": "1", "rest": "round", "dividends": "never"}


def phase_of(state: Any) -> str:
    """Return the phase; a dividend is decided on in the middle of one."""
    return "dividend" if state.dividend else str(state.phase)


def bring_to(phase: str, state: Any) -> None:
    """Play comes to all of its decisions."""


def go_together(before: Sequence[Any], move: Any) -> bool:
    """Sell each company in one way; what is played or split afterwards may need what was sold."""
    companies = [sale["company"] for sale in before]
    is_free = move["move"] not in ("PlayStrategy", "DoubleUp")
    return is_free and len(companies) == len(set(companies))
