"""Exchanging a card of a hand for a loose one: in the Changeling's field, or by claiming her."""

from stockpile_web.engine import Dealer, ask
from stockpile_web.games.illimat.data import FIELDS
from stockpile_web.games.illimat.fields import Item
from stockpile_web.games.illimat.luminaries import Luminary, face_up
from stockpile_web.games.illimat.moves import Move, Swap
from stockpile_web.games.illimat.pile import in_order
from stockpile_web.games.illimat.state import SWAPPING, State

SWAPS_BY_CLAIM = 2


def legal(state: State) -> list[Move]:
    """Once in a turn in some fields; whoever has claimed her twice in all of them.

    Both exchanges count as one: a card that was given or taken in the first stays where it is.
    """
    touched, is_claimed = state.turn.swapped, state.phase == SWAPPING
    most = SWAPS_BY_CLAIM if is_claimed else 1
    if len(touched) >= 2 * most:
        return []
    here = ask(face_up(state), Luminary.swapping, [])
    return [
        Swap(card, item.name, field)
        for field in (range(FIELDS) if is_claimed else here)
        for item in state.fields[field].items
        if item.is_loose and item.name not in touched
        for card in state.hand()
        if card not in touched
    ]


def play(state: State, move: Swap, dealer: Dealer) -> None:
    """Exchange the two; the Illimat does not turn."""
    hand, lying = state.hand(), state.fields[move.field]
    place = lying.items.index(lying.item(move.item))
    lying.items[place] = Item((move.card,))
    hand.remove(move.card)
    hand[:] = in_order([*hand, move.item])
    state.turn.swapped += [move.card, move.item]
    dealer.announce(
        "swapped", seat=state.turn.seat, card=move.card, taken=move.item, field=move.field,
        season=state.season(move.field),
    )  # fmt: skip
