"""What shared tests must be told of $TONKS$: see `tests/support/known.py`."""

from collections.abc import Mapping, Sequence
from typing import Any

DIGEST = "3ea889323f32fc5e288c53831c28b160"
TAKEN_BACK = 0.5
WORDS = """
    acquiring companies company fluctuation market portfolio portfolios speculate speculation stock
    stocks trick trump
"""
DECISIONS = ("portfolio", "trick", "acquiring")
FULLEST = "trick"
RARE: tuple[str, ...] = ()
IN_VIEW = (".tile > .at", "#trick .k", "#hand .k")
PRESSES: Mapping[str, str] = {}
ORDERS = {"round": "1", "follow": "low", "take": "best"}


def phase_of(state: Any) -> str:
    """Return the phase."""
    return str(state.phase)


def bring_to(phase: str, state: Any) -> None:
    """Play comes to all of its decisions."""


def go_together(before: Sequence[Any], move: Any) -> bool:
    """Nothing is sent before a move."""
    return not before
