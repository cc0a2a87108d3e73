"""Sow: lay a card loose into a field, as the play of a turn or because a Luminary asks for it."""

from stockpile_web.engine import Dealer, ask
from stockpile_web.games.illimat import seasons
from stockpile_web.games.illimat.data import FIELDS, SOW
from stockpile_web.games.illimat.fields import Item
from stockpile_web.games.illimat.luminaries import Luminary, face_up
from stockpile_web.games.illimat.moves import Move, Sow, SowMore
from stockpile_web.games.illimat.state import State


def legal(state: State) -> list[Move]:
    """Any card into any field whose season does not forbid it."""
    fields = [field for field in range(FIELDS) if seasons.forbidden(state, field) != SOW]
    return [
        Sow(card, field, season)
        for card in state.hand()
        for field in fields
        for season in seasons.to_name(state, [card])
    ]


def due(state: State) -> list[int]:
    """Return the fields into one of which a further card must be sown in this turn.

    A field that was cleared is none of them: its Luminary is about to be claimed.
    """
    if state.turn.sown or not state.hand():
        return []
    fields = ask(face_up(state), Luminary.further_sowing, [])
    return [field for field in fields if field != state.turn.cleared]


def legal_more(state: State) -> list[Move]:
    """Any card into the field of the Luminary, whatever its season."""
    return [
        SowMore(card, field, season)
        for field in due(state)
        for card in state.hand()
        for season in seasons.to_name(state, [card])
    ]


def play(state: State, move: Sow | SowMore, dealer: Dealer) -> None:
    """Lay the card; a face card turns the Illimat."""
    seat, is_more = state.turn.seat, isinstance(move, SowMore)
    state.hand().remove(move.card)
    state.fields[move.field].items.append(Item((move.card,)))
    if is_more:
        state.turn.sown = True
    else:
        state.turn.played = True
    dealer.announce(
        "sown", seat=seat, card=move.card, field=move.field, season=state.season(move.field),
        more=is_more,
    )  # fmt: skip
    seasons.turn(state, seat, move.field, [move.card], move.season, dealer)
