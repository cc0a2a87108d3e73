"""Seasons: what they forbid in their fields, and how face cards turn the Illimat."""

from collections.abc import Iterable

from stockpile_web.engine import Dealer, Seat, ask
from stockpile_web.games.illimat.data import CARDS, FORBIDS, RING, STARS, Card, Season
from stockpile_web.games.illimat.luminaries import Luminary, face_up
from stockpile_web.games.illimat.state import State
from stockpile_web.games.illimat.turning import turn_to


def forbidden(state: State, field: int) -> str:
    """Return the action that cannot be taken in a field now; empty if there is none."""
    return ask(face_up(state), Luminary.forbidden, FORBIDS[state.season(field)])


def can_turn(state: State) -> bool:
    """Tell whether anything turns the Illimat now."""
    return ask(face_up(state), Luminary.can_turn, True)


def to_name(state: State, cards: Iterable[Card]) -> tuple[Season, ...]:
    """Return the seasons that the player of these cards can name; an empty one: none is named."""
    card = _turning(cards)
    return RING if card and CARDS[card].suit == STARS and can_turn(state) else ("",)


def turn(
    state: State, seat: Seat, field: int, cards: Iterable[Card], named: Season, dealer: Dealer
) -> None:
    """Turn the Illimat if a face card was among those played into a field."""
    card = _turning(cards)
    if card and can_turn(state):
        turn_to(state, field, named or CARDS[card].suit, seat, dealer)


def _turning(cards: Iterable[Card]) -> Card:
    """Return the face card that was played last: its season stands."""
    return next((card for card in reversed([*cards]) if CARDS[card].turns), "")
