"""Clearing a field: the okus, the Luminary claimed, the field filled again, a Luminary revealed."""

from stockpile_web.engine import Dealer
from stockpile_web.games.illimat.data import REFILL
from stockpile_web.games.illimat.luminaries import LUMINARIES
from stockpile_web.games.illimat.pile import lay
from stockpile_web.games.illimat.state import State


def reward(state: State, home: int, dealer: Dealer) -> None:
    """Give whoever has cleared the field an okus, and its Luminary if that is face up."""
    seat, field = state.turn.seat, state.fields[home]
    player = state.players[seat]
    if state.okuses:
        state.okuses -= 1
        player.okuses += 1
        state.turn.has_okus = True
        dealer.announce("okus_taken", seat=seat)
    if field.is_up:
        key = field.luminary
        field.luminary, field.is_up = "", False
        player.luminaries.append(key)
        dealer.announce(
            "luminary_claimed", seat=seat, luminary=key, field=home, season=state.season(home)
        )
        LUMINARIES[key](home).when_claimed(state, seat, dealer)


def refill(state: State, home: int, dealer: Dealer) -> None:
    """Fill the field again if an okus was taken or its Luminary waits, and turn that up.

    If the pile is too small for it, no Luminary that is still face down will ever be seen.
    """
    field = state.fields[home]
    if not field.luminary and not state.turn.has_okus:
        return
    if len(state.pile) < REFILL:
        _discard_face_down(state, [*range(len(state.fields))], dealer)
        return
    lay(state, home, REFILL, dealer)
    if field.luminary:
        _reveal(state, home, dealer)


def _reveal(state: State, home: int, dealer: Dealer) -> None:
    """Turn up a Luminary; one that cannot do what it should is discarded."""
    field = state.fields[home]
    luminary = LUMINARIES[field.luminary](home)
    field.is_up = True
    dealer.turn_up(
        "luminary_revealed", luminary=field.luminary, field=home, season=state.season(home)
    )
    if not luminary.when_revealed(state, dealer):
        dealer.announce(
            "luminary_discarded", luminary=field.luminary, field=home, season=state.season(home)
        )
        field.luminary, field.is_up = "", False
    further = luminary.reveals()
    if further is not None:
        _reveal_further(state, further, dealer)


def _reveal_further(state: State, home: int, dealer: Dealer) -> None:
    """Turn up the Luminary of another field, or a new one if there is none, with three cards."""
    field = state.fields[home]
    if field.is_up or not (field.luminary or state.unused):
        return
    missing = max(0, REFILL - len(field.items))
    if missing > len(state.pile):
        _discard_face_down(state, [home], dealer)
        return
    field.luminary = field.luminary or state.unused.pop()
    lay(state, home, missing, dealer)
    _reveal(state, home, dealer)


def _discard_face_down(state: State, homes: list[int], dealer: Dealer) -> None:
    """Put Luminaries that are face down to the unused ones, unseen."""
    found = [home for home in homes if state.fields[home].luminary and not state.fields[home].is_up]
    for home in found:
        state.unused.append(state.fields[home].luminary)
        state.fields[home].luminary = ""
    if found:
        seasons = [state.season(home) for home in found]
        dealer.announce("luminaries_discarded", fields=found, seasons=seasons)
