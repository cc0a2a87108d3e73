"""The secrets of $TONKS$: the pile, hands, face-down cards, and the last cards of a round."""

from collections import Counter
from copy import deepcopy
from random import Random

from stockpile_web.engine import Facts, Viewer
from stockpile_web.games.stonks.data import CARDS, Card
from stockpile_web.games.stonks.moves import Announce, Invest, Move
from stockpile_web.games.stonks.state import State

REVEALING = {
    "hand_dealt",
    "portfolios_shown",
    "market_opened",
    "card_revealed",
    "round_scored",  # With what lay face-down in the portfolio.
}


def reveals(facts: Facts, viewer: Viewer) -> bool:
    return facts["kind"] in REVEALING


def outward(move: Move) -> object:
    """Nobody else sees which cards begin a portfolio, or what is laid face-down."""
    match move:
        case Invest():
            return Invest
        case Announce(_, leading):
            return Announce, leading
        case _:
            return move


def money(state: State) -> list[int]:
    """Points are this game's money."""
    return [player.score for player in state.players]


def box(state: State) -> Counter[Card]:
    """Count the thirteen cards of every company in play."""
    companies = {tile.company for tile in state.tiles}
    return Counter(card for card, face in CARDS.items() if face.company in companies)


def lose(state: State, what: str) -> None:
    if what == "a card":
        state.pile.pop(0)
    else:
        state.players[0].score -= 1


def cards(state: State) -> Counter[Card]:
    """Count every Market Card."""
    found = Counter([*state.pile, *state.discard, *state.buried])
    found.update(filter(None, [state.market]))
    found.update(played.card for played in state.trick)
    for player in state.players:
        found.update([*player.hand, *player.chosen, *player.portfolio, *player.hidden])
    return found


def another_world(state: State, viewer: Viewer, random: Random) -> State:
    """Collect every card that the viewer does not see, and deal them out again."""
    world = deepcopy(state)
    places = [world.pile, world.buried]
    for seat, player in enumerate(world.players):
        if seat != viewer:
            places += [player.hand, player.chosen, player.hidden]
    backs = [played for played in world.trick if played.down and played.seat != viewer]
    hidden = [card for place in places for card in place]
    hidden += [played.card for played in backs]
    random.shuffle(hidden)
    for place in places:
        place[:] = [hidden.pop() for _ in place]
    for played in backs:
        played.card = hidden.pop()
    return world
