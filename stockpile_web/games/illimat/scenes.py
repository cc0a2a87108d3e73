"""Moments worth showing: a table with a stockpile and a Luminary face up, and the end."""

from stockpile_web.engine import Scene
from stockpile_web.games.illimat.state import PLAYING
from stockpile_web.games.illimat.view import View


def grown(view: View) -> bool:
    """A Luminary changes the rules, and a stockpile waits for its harvest.

    The plainest bot stacks seldom: after a round without it the Luminary will do.
    """
    is_stacked = any(not item.is_loose for field in view.fields for item in field.items)
    is_changed = any(field.luminary for field in view.fields)
    is_shown = view.phase == PLAYING and is_changed and (is_stacked or view.round > 1)
    return is_shown or view.over


SCENES: tuple[Scene, ...] = (
    Scene(4, grown),
    Scene(2, lambda view: view.over, ("single",)),
)
