"""Stockpile: the active card and items of a field become one stack for a later harvest.

It needs a passive card too: another one in the hand that is worth what the stack will be worth.
"""

from stockpile_web.engine import Dealer
from stockpile_web.games.illimat import choosing, seasons
from stockpile_web.games.illimat.data import CARDS, FIELDS, STOCKPILE, Card, Season
from stockpile_web.games.illimat.fields import Item, can_take, makes
from stockpile_web.games.illimat.moves import Move, Stockpile
from stockpile_web.games.illimat.state import Choice, State


def legal(state: State) -> list[Move]:
    """Return every stockpile that can be begun."""
    moves: list[Move] = []
    for field in range(FIELDS):
        items = state.fields[field].items
        if items and seasons.forbidden(state, field) != STOCKPILE:
            moves += [
                Stockpile(card, field, value, counts)
                for card in state.hand()
                for value in passive_values(state.hand(), card)
                for counts in CARDS[card].values
                if can_stack(items, counts, value)
            ]
    return moves


def passive_values(hand: list[Card], active: Card) -> list[int]:
    """Return what the other cards of a hand are worth: what a stockpile may be worth."""
    return sorted({value for card in hand if card != active for value in CARDS[card].values})


def can_stack(items: list[Item], counts: int, value: int) -> bool:
    """Tell whether a card that counts so much and at least one item make groups of `value`."""
    if counts == value:
        return can_take(items, value)
    return makes(items, value - counts)


def begin(state: State, move: Stockpile) -> None:
    """Open the choice with a group that has the active card in it, and is full if it is alone."""
    choice = Choice((move.card,), move.field, move.value, move.counts)
    if move.counts == move.value:
        choice.times = 1
    else:
        choice.group = [move.counts]
    state.turn.choice = choice


def play(state: State, choice: Choice, season: Season, dealer: Dealer) -> None:
    """Make one stack of all that was chosen; then a face card turns the Illimat."""
    turn, lying, card = state.turn, state.fields[choice.field], choice.cards[0]
    stacked = choosing.chosen(state, choice)
    state.hand().remove(card)
    cards = (card, *(card for item in stacked for card in item.cards))
    lying.items = [item for item in lying.items if item not in stacked]
    lying.items.append(Item(cards, choice.value, choice.times))
    turn.played = True
    dealer.announce(
        "stockpiled", seat=turn.seat, card=card, field=choice.field, value=choice.value,
        times=choice.times, items=[[*item.cards] for item in stacked],
        season=state.season(choice.field),
    )  # fmt: skip
    seasons.turn(state, turn.seat, choice.field, [card], season, dealer)
