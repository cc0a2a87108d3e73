"""Moments worth showing: the middle of an auction, then what each phase asks."""

from collections.abc import Callable

from stockpile_web.engine import Scene
from stockpile_web.games.stockpile.modules import OPTIONS
from stockpile_web.games.stockpile.view import View

EVERYTHING = tuple(option.key for option in OPTIONS)
LATE = 3  # By this round the market has moved and everybody holds something.


def bidding(view: View) -> bool:
    """Some bids stand, and there is more to come."""
    return view.round >= LATE and sum(pile.bid is not None for pile in view.piles) >= 3


def in_phase(phase: str, since: int = LATE) -> Callable[[View], bool]:
    """Return what tells whether somebody decides in a phase, in some later round."""
    return lambda view: view.phase == phase and view.round >= since


SCENES: tuple[Scene, ...] = (
    Scene(4, bidding),
    Scene(3, in_phase("supply")),
    Scene(4, in_phase("demand"), ("advanced_board",)),
    Scene(2, in_phase("action")),
    Scene(3, in_phase("selling")),
    Scene(5, in_phase("demand")),
    Scene(3, lambda view: view.over),
    Scene(4, in_phase("action"), EVERYTHING),
    Scene(3, in_phase("keeping", since=0), EVERYTHING),
)
