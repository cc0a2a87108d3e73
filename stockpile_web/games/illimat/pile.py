"""The draw pile: what is taken from its top, and who sees it."""

from collections.abc import Iterable

from stockpile_web.engine import Dealer
from stockpile_web.games.illimat.data import CARDS, HAND, Card
from stockpile_web.games.illimat.fields import Item
from stockpile_web.games.illimat.state import State


def take(state: State, count: int) -> list[Card]:
    """Take cards from the top, as many as there are."""
    return [state.pile.pop() for _ in range(min(count, len(state.pile)))]


def in_order(cards: Iterable[Card]) -> list[Card]:
    """Return a hand in the order of the deck, so that its order tells nothing."""
    held = {*cards}
    return [card for card in CARDS if card in held]


def draw(state: State, dealer: Dealer) -> None:
    """Let whoever is on turn draw back to four cards while the pile lasts."""
    seat, hand = state.turn.seat, state.hand()
    cards = take(state, HAND - len(hand))
    if cards:
        hand[:] = in_order([*hand, *cards])
        dealer.reveal([seat], "drew", {"cards": cards}, seat=seat, count=len(cards))


def lay(state: State, field: int, count: int, dealer: Dealer) -> None:
    """Lay cards from the pile face up and loose into a field."""
    cards = take(state, count)
    if cards:
        state.fields[field].items += [Item((card,)) for card in cards]
        dealer.turn_up("field_filled", field=field, season=state.season(field), cards=cards)
