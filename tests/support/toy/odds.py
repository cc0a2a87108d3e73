"""The odds: which numbers the others may hold."""

from stockpile_web.engine import Piece
from stockpile_web.engine.odds import chance_of_any
from tests.support.toy.board import View
from tests.support.toy.data import COPIES, NUMBERS


class NumberOdds(Piece, frozen=True):
    """How many cards of a number are out of sight, and how likely another player holds one."""

    number: int
    unseen: int
    chance: float


def odds(view: View) -> list[NumberOdds] | None:
    """Count what the viewer has not seen."""
    if view.hand is None or view.viewer is None or view.phase == "over":
        return None
    seen = [*view.hand, *(card for cards in view.laid for card in cards)]
    unseen = {number: COPIES - seen.count(number) for number in NUMBERS}
    hands = sum(view.held) - view.held[view.viewer]
    cards = sum(unseen.values())
    return [
        NumberOdds(each, left, chance_of_any(cards, left, hands)) for each, left in unseen.items()
    ]
