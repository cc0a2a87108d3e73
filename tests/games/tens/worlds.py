"""The secrets of the toy: the hands of the others, and what was not dealt."""

from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

from stockpile_web.engine import Facts, Viewer, codec
from tests.support.toy import data
from tests.support.toy.state import State


def another_world(state: State, viewer: Viewer, random: Random) -> State:
    """Deal the hands of all others anew, from all that is hidden."""
    other = deepcopy(state)
    hidden = [seat for seat in range(len(state.hands)) if seat != viewer]
    cards = [*state.deck, *(card for seat in hidden for card in state.hands[seat])]
    random.shuffle(cards)
    for seat in hidden:
        other.hands[seat] = sorted(cards.pop() for _ in state.hands[seat])
    other.deck = cards
    return other


def outward(move: Any) -> str:
    """What is laid is open, in the order in which it was picked."""
    return codec.dump(move)


def reveals(facts: Facts, viewer: Viewer) -> bool:
    """Whether cards of somebody's hand are laid, of which the others knew nothing."""
    return bool(facts["kind"] == "ten_laid" and facts["seat"] != viewer)


def box(state: State) -> Counter[int]:
    """Count what is printed."""
    return Counter({number: data.COPIES for number in data.NUMBERS})


def cards(state: State) -> Counter[int]:
    """Count what there is."""
    return Counter(card for cards in (*state.hands, *state.laid, state.deck) for card in cards)


def money(state: State) -> list[int]:
    """What counts is how many cards were laid."""
    return [len(laid) for laid in state.laid]


def lose(state: State, what: str) -> None:
    """Lose a card, or lay one that nobody was told of."""
    card = state.deck.pop()
    if what != "a card":
        state.laid[0].append(card)
