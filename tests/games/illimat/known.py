"""What shared tests must be told of Illimat: see `tests/support/known.py`."""

from collections.abc import Mapping, Sequence
from typing import Any

DIGEST = "91f2e5c945fd43c27c5e070b2634294e"
TAKEN_BACK = 0.2
WORDS = """
    autumn changeling fool fools frostbit harvest harvests illimat luminaries luminary maiden
    newborn okus okuses season seasons sow sown spring summer sunkissed winter
"""
DECISIONS = ("playing",)
FULLEST = "playing"
RARE = ("swapping", "turning")
ASKING = {"swapping": "changeling", "turning": "forest_queen"}
IN_VIEW = ("#hand .k", ".quarter", "#illimat")
PRESSES: Mapping[str, str] = {}
ORDERS: Mapping[str, str] = {}


def phase_of(state: Any) -> str:
    """Return the phase."""
    return str(state.phase)


def bring_to(phase: str, state: Any) -> None:
    """Let whoever is on turn have cleared a field and claimed the Luminary that asks them this."""
    turn, field = state.turn, state.fields[0]
    player = state.players[turn.seat]
    player.harvest += [card for item in field.items for card in item.cards]
    player.luminaries.append(ASKING[phase])
    field.items, field.luminary, field.is_up = [], "", False
    turn.played, turn.cleared, state.phase = True, 0, phase


def go_together(before: Sequence[Any], move: Any) -> bool:
    """Nothing is sent before a move."""
    return not before
