"""New waking hours or a vacation: all running clocks of their person are set anew."""

from stockpile_web.match.deadlines import reset_clock
from stockpile_web.match.seating import tables_of
from stockpile_web.match.turn import changing
from stockpile_web.storage.models.matches import PLAYING


def hours_changed(user_id: int) -> None:
    """Set all clocks of a person anew by their new hours, which have been written already.

    Each table is changed by itself, so that no transaction holds two of them.
    """
    for match_id in tables_of(user_id, with_clock=True):
        with changing(match_id) as turn:
            seat = next((seat for seat in turn.seats if seat.user_id == user_id), None)
            if seat is not None and turn.match.status == PLAYING:
                reset_clock(turn.connection, turn.match, seat, turn.moment)
