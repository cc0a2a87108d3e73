"""What can be done with a card of the hand in a field: each way is a control in that field.

A way that is whole is a part which goes with the card that was picked; one that is a step leads on.
A season is no part of it: where one is to be named it is asked for beside, for the card as a whole.
"""

from stockpile_web.engine import Facts, Piece
from stockpile_web.games.illimat.data import CARDS, Card, Season
from stockpile_web.games.illimat.fields import Value
from stockpile_web.games.illimat.moves import (
    Harvest,
    HarvestAll,
    Move,
    Sow,
    SowMore,
    Stockpile,
    Swap,
)

SOW, SOW_MORE, HARVEST, ALL, STACK = "sow", "sow_more", "harvest", "all", "stockpile"


class Way(Piece, frozen=True):
    """Something that a card can do in a field."""

    kind: str
    part: Facts | None  # Of a whole move.
    step: Harvest | Stockpile | None
    now: HarvestAll | None = None  # A whole move that one press makes.
    others: tuple[Card, ...] = ()  # Cards that are played with it, by the Union.
    order: tuple[Card, ...] = ()  # All of them, where the last one turns the Illimat.
    value: Value = 0
    counts: Value = 0  # What a Fool counts as in a stockpile; 0: there is no choice.


def cards_of(move: Move) -> tuple[Card, ...]:
    """Return the cards of the hand that a move is about."""
    match move:
        case Harvest() | HarvestAll():
            return move.cards
        case Sow() | SowMore() | Stockpile() | Swap():
            return (move.card,)
    return ()


def seasons_to_name(moves: list[Move], card: Card) -> list[Season]:
    """Return the seasons between which whoever plays this card alone has to choose."""
    plays = (move for move in moves if isinstance(move, Sow | SowMore) and move.card == card)
    return list(dict.fromkeys(move.season for move in plays if move.season))


def ways(moves: list[Move], card: Card, field: int) -> list[Way]:
    """List what a card can do in a field, each once whatever season may come with it."""
    names = bool(seasons_to_name(moves, card))
    found: list[Way] = []
    for move in moves:
        way = _way(move, card, names) if _is_of(move, card, field) else None
        if way and way not in found:
            found.append(way)
    return found


def _is_of(move: Move, card: Card, field: int) -> bool:
    if isinstance(move, Sow | SowMore | Harvest | HarvestAll | Stockpile):
        return move.field == field and card in cards_of(move)
    return False


def _way(move: Move, card: Card, names: bool) -> Way | None:
    """Return a move as something done with this card; None: it is told with another one."""
    match move:
        case Sow(_, field):
            return Way(SOW, {"move": "Sow", "field": field}, None)
        case SowMore(_, field):
            return Way(SOW_MORE, {"move": "SowMore", "field": field}, None)
        case Stockpile(_, _, value, counts):
            has_choice = len(CARDS[card].values) > 1
            return Way(STACK, None, move, value=value, counts=counts if has_choice else 0)
        case Harvest(cards, _, value):
            return Way(HARVEST, None, move, None, _others(cards, card), _order(cards), value)
        case HarvestAll(cards, field, value, season) if bool(season) == names:
            part = {"move": "HarvestAll", "cards": [*cards], "field": field, "value": value}
            now = None if names else move
            return Way(ALL, part, None, now, _others(cards, card), _order(cards), value)
    return None


def _others(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    return tuple(other for other in cards if other != card)


def _order(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return cards whose order means something: face cards of more than one season."""
    suits = {CARDS[card].suit for card in cards}
    return cards if len(suits) > 1 and all(CARDS[card].turns for card in cards) else ()
