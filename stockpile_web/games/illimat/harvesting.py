"""Harvest: a card takes every group of its value that its player chooses, from one field."""

from collections.abc import Iterator
from itertools import combinations

from stockpile_web.engine import Dealer, ask
from stockpile_web.games.illimat import seasons
from stockpile_web.games.illimat.data import CARDS, FIELDS, HARVEST, Card, Season
from stockpile_web.games.illimat.fields import Item, can_take, worths
from stockpile_web.games.illimat.luminaries import Luminary, face_up
from stockpile_web.games.illimat.moves import Harvest, HarvestAll, Move
from stockpile_web.games.illimat.state import Choice, State
from stockpile_web.games.illimat.whole_field import split


def legal(state: State) -> list[Move]:
    """Return every harvest that can be begun, and those that take a whole field at once."""
    moves: list[Move] = []
    for field in range(FIELDS):
        items = state.fields[field].items
        if not items or seasons.forbidden(state, field) == HARVEST:
            continue
        whole: dict[int, bool] = {}  # Whether a value takes the whole field.
        for cards in _played(state, field):
            for value in worths(cards):
                if not can_take(items, value):
                    continue
                moves.append(Harvest(cards, field, value))
                if value not in whole:
                    whole[value] = split(items, value) is not None
                if whole[value]:
                    named = seasons.to_name(state, cards)
                    moves += [HarvestAll(cards, field, value, season) for season in named]
    return moves


def most_cards(state: State, field: int) -> int:
    """Return how many cards of a hand may harvest together in a field."""
    return ask(face_up(state), Luminary.harvest_cards, 1, field)


def _played(state: State, field: int) -> Iterator[tuple[Card, ...]]:
    """Yield the cards that may be played together, in both orders if those turn differently."""
    hand = state.hand()
    for count in range(1, most_cards(state, field) + 1):
        for cards in combinations(hand, count):
            yield cards
            suits = {CARDS[card].suit for card in cards}
            if len(suits) > 1 and all(CARDS[card].turns for card in cards):
                yield cards[::-1]


def begin(state: State, move: Harvest) -> None:
    """Open the choice of what is taken."""
    state.turn.choice = Choice(move.cards, move.field, move.value)


def play(
    state: State,
    cards: tuple[Card, ...],
    field: int,
    value: int,
    taken: list[Item],
    season: Season,
    dealer: Dealer,
) -> None:
    """Take items and the cards played into the harvest pile; then a face card turns the Illimat."""
    turn, lying = state.turn, state.fields[field]
    player = state.players[turn.seat]
    for card in cards:
        player.hand.remove(card)
    lying.items = [item for item in lying.items if item not in taken]
    player.harvest += [*(card for item in taken for card in item.cards), *cards]
    turn.played = True
    dealer.announce(
        "harvested", seat=turn.seat, cards=[*cards], field=field, value=value,
        taken=[[*item.cards] for item in taken], season=state.season(field),
        clears=not lying.items,
    )  # fmt: skip
    if not lying.items:
        turn.cleared = field
    seasons.turn(state, turn.seat, field, cards, season, dealer)
