"""What tests must be told of a game to play it: it says so in `tests/games/<game>/known.py`."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from stockpile_web.games import GAMES

FIRST = next(iter(GAMES))  # What is played where any game will do.


class Known(Protocol):
    """The contract of those modules."""

    # What the same seed gave when it was written down. If it changes, running matches change with
    # it: raise the game's VERSION, and then write down the new value.
    DIGEST: str
    # At least this part of all moves may be taken back; what is drawn after a move forbids it.
    TAKEN_BACK: float
    # Words that belong to its pieces alone: no file uses them that is not the game's own.
    WORDS: str
    # The phases in which somebody decides, each to be looked at; in FULLEST most lies on the table.
    DECISIONS: tuple[str, ...]
    FULLEST: str
    # Decisions to which play hardly ever comes, and which are to be looked at nevertheless.
    RARE: tuple[str, ...]
    # What a decision depends on, as selectors: it is in view together with the decision.
    IN_VIEW: tuple[str, ...]
    # By phase, the order that is pressed so as to be asked in it at all.
    PRESSES: Mapping[str, str]
    # Standing orders that can be left while others decide in FULLEST, as fields of the form.
    ORDERS: Mapping[str, str]

    def phase_of(self, state: Any) -> str:
        """Return in which phase somebody decides."""

    def bring_to(self, phase: str, state: Any) -> None:
        """Make of a state in which somebody decides in FULLEST one with a decision of RARE."""

    def go_together(self, before: Sequence[Any], move: Any) -> bool:
        """Tell whether one form may hold a move and these others, as plain JSON, before it."""


def known(slug: str) -> Known:
    """Return what tests know of a game."""
    return cast(Known, import_module(f"tests.games.{slug}.known"))
