"""The secrets of Illimat: the pile, hands, hidden cards and Luminaries."""

from collections import Counter
from copy import deepcopy
from random import Random

from stockpile_web.engine import Facts, Viewer
from stockpile_web.games.illimat.data import Card
from stockpile_web.games.illimat.moves import Move
from stockpile_web.games.illimat.setup import deck
from stockpile_web.games.illimat.state import State

REVEALING = {
    "fields_laid",
    "field_filled",
    "hand_dealt",
    "luminary_revealed",
    "summer_given",  # Perhaps one of the cards that the Children had hidden.
    "round_scored",
}
DRAWN = {"drew", "hidden_taken"}  # Whoever drew them is told which cards.


def reveals(facts: Facts, viewer: Viewer) -> bool:
    return facts["kind"] in REVEALING or (facts["kind"] in DRAWN and "cards" in facts)


def outward(move: Move | list[Move]) -> object:
    """All is played openly, whatever the steps."""
    return tuple(move) if isinstance(move, list) else move


def money(state: State) -> list[int]:
    """Points are this game's money."""
    return [player.score for player in state.players]


def box(state: State) -> Counter[Card]:
    """Count the cards of four or five suits."""
    return Counter(deck(state))


def lose(state: State, what: str) -> None:
    if what == "a card":
        state.pile.pop(0)
    else:
        state.players[0].score -= 1


def cards(state: State) -> Counter[Card]:
    """Count every card; those that nobody took lie in their fields until the next deal."""
    found = Counter(state.pile)
    for field in state.fields:
        found.update([card for item in field.items for card in item.cards])
        found.update(field.under)
    for player in state.players:
        found.update([*player.hand, *player.pile()])
    return found


def another_world(state: State, viewer: Viewer, random: Random) -> State:
    """Collect all that the viewer does not see, and deal it out again."""
    world = deepcopy(state)
    places = [world.pile, *(field.under for field in world.fields)]
    for seat, player in enumerate(world.players):
        if seat != viewer:
            places += [player.hand, player.children]
    hidden = [card for place in places for card in place]
    random.shuffle(hidden)
    for place in places:
        place[:] = [hidden.pop() for _ in place]
    face_down = [field for field in world.fields if field.luminary and not field.is_up]
    luminaries = [*world.unused, *(field.luminary for field in face_down)]
    random.shuffle(luminaries)
    world.unused = [luminaries.pop() for _ in world.unused]
    for field in face_down:
        field.luminary = luminaries.pop()
    return world
