"""Moments worth showing: a trick late enough for portfolios to have grown, and the end."""

from stockpile_web.engine import Scene
from stockpile_web.games.stonks.state import TRICK
from stockpile_web.games.stonks.view import View


def late_trick(view: View) -> bool:
    """A card was led in the last round."""
    return view.phase == TRICK and view.round == view.rounds and len(view.trick) > 0


SCENES: tuple[Scene, ...] = (
    Scene(4, late_trick),
    Scene(3, lambda view: view.over, ("moderate", "rounds_1")),
)
