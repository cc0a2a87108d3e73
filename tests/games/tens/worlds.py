"""The secrets of the toy: the hands of the others."""

from copy import deepcopy
from random import Random
from typing import Any

from stockpile_web.engine import Facts, Viewer, codec
from tests.support.toy.state import State


def another_world(state: State, viewer: Viewer, random: Random) -> State:
    """Deal the hands of all others anew."""
    other = deepcopy(state)
    hidden = [seat for seat in range(len(state.hands)) if seat != viewer]
    cards = [card for seat in hidden for card in state.hands[seat]]
    random.shuffle(cards)
    for seat in hidden:
        other.hands[seat] = sorted(cards.pop() for _ in state.hands[seat])
    return other


def outward(move: Any) -> str:
    """What is laid is open, in the order in which it was picked."""
    return codec.dump(move)


def reveals(facts: Facts, viewer: Viewer) -> bool:
    """Whether cards of somebody's hand are laid, of which the others knew nothing."""
    return bool(facts["kind"] == "ten_laid" and facts["seat"] != viewer)
