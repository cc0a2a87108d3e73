"""What shared tests must be told of the toy: see `tests/support/known.py`."""

from collections.abc import Mapping, Sequence
from typing import Any

DIGEST = "5813308598f1caedcbe9d1af41e3aa8e"
TAKEN_BACK = 0.1
WORDS = "tens"
DECISIONS = ("laying",)
FULLEST = "laying"
RARE: tuple[str, ...] = ()
IN_VIEW = ("#hand",)
PRESSES: Mapping[str, str] = {}
ORDERS = {"tens": "2"}


def phase_of(state: Any) -> str:
    """Return the only phase in which somebody decides."""
    return "laying"


def bring_to(phase: str, state: Any) -> None:
    """Play comes to its only decision."""


def go_together(before: Sequence[Any], move: Any) -> bool:
    """Nothing is sent before a move."""
    return not before
