"""The modules of the box, in its order: each answers some of the questions in `twist.py`."""

from stockpile_web.engine import Option
from stockpile_web.games.stockpile.modules.advanced_board import AdvancedBoard
from stockpile_web.games.stockpile.twist import Twist

MODULES: dict[str, Twist] = {
    "advanced_board": AdvancedBoard(),
}

OPTIONS: tuple[Option, ...] = (
    Option(
        "advanced_board",
        "Advanced board",
        "Each company has a track of its own: some leap, some creep, and Stanford Steel pays "
        "dollars on its way up.",
    ),
)


def in_play(modules: list[str]) -> list[Twist]:
    """Return the modules of a table."""
    return [MODULES[key] for key in modules]
