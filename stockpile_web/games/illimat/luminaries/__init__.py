"""The Luminaries in the order of the box, and those that are face up."""

from collections.abc import Iterator

from stockpile_web.games.illimat.luminaries.base_set import (
    Changeling,
    Children,
    ForestQueen,
    Maiden,
    Newborn,
    Rake,
    River,
    Union,
)
from stockpile_web.games.illimat.luminaries.luminary import Luminary
from stockpile_web.games.illimat.state import State

__all__ = ["LUMINARIES", "Luminary", "face_up"]

LUMINARIES: dict[str, type[Luminary]] = {
    "maiden": Maiden,
    "changeling": Changeling,
    "river": River,
    "children": Children,
    "forest_queen": ForestQueen,
    "rake": Rake,
    "union": Union,
    "newborn": Newborn,
}


def face_up(state: State) -> Iterator[Luminary]:
    """Yield the Luminaries that change the rules now."""
    for home, field in enumerate(state.fields):
        if field.is_up:
            yield LUMINARIES[field.luminary](home)
