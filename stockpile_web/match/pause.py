"""A table rests while nobody plays there themselves, or while an administrator wants it to.

It goes on as soon as somebody is back, or the administrator lets it.
"""

from stockpile_web.match import deadlines
from stockpile_web.match.rows import SeatRow, is_paused
from stockpile_web.match.turn import Turn


def come_back(turn: Turn, seat: SeatRow) -> bool:
    """Give a seat to whoever plays there from now on; tell whether the table had waited for them.

    A turn began when it began, but no time has passed at a table that waited.
    """
    was_paused, was_driven = is_paused(turn.match, turn.seats), seat.bot is not None
    seat.bot, seat.missed, seat.is_open = None, 0, False
    if was_paused:
        ask_all_anew(turn)
    elif was_driven:
        deadlines.start_clock(turn.connection, turn.match, seat, turn.moment)
    return was_paused


def ask_all_anew(turn: Turn) -> None:
    """Let the clocks of all who are on turn begin now: no time has passed meanwhile."""
    for seat in turn.seats:
        _ask_anew(turn, seat)


def _ask_anew(turn: Turn, seat: SeatRow) -> None:
    if not seat.on_turn:
        return
    seat.waiting_since = turn.moment
    if not seat.bot:
        deadlines.start_clock(turn.connection, turn.match, seat, turn.moment)
    elif turn.game.BOTS[seat.bot].thinks:
        seat.acts_at = turn.moment
