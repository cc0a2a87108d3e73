"""The same people play again: the next match of a table that is over or closed."""

from sqlalchemy import Connection, select

from stockpile_web.engine.options import read
from stockpile_web.match import sealing
from stockpile_web.match.calls import call
from stockpile_web.match.rows import SeatRow, write_seats
from stockpile_web.match.seating import Refused, create, start, still_here
from stockpile_web.match.turn import Turn, changing
from stockpile_web.people import blocks, groups
from stockpile_web.storage.models.matches import CLOSED, OPEN, OVER, Match, Seat
from stockpile_web.storage.models.notices import REMATCH
from stockpile_web.storage.models.people import Person


def rematch(turn: Turn, user: Person, contribution: str = "") -> int:
    """Set up the same table with the same people once more, or find the one that was.

    For those who have not asked for it the server draws numbers; they may send their own.
    """
    match, connection = turn.match, turn.connection
    if match.status not in (OVER, CLOSED):
        raise Refused("This match is not over yet.")
    if match.rematch_id is not None:
        again = select(Match.status).where(Match.id == match.rematch_id)
        if connection.scalar(again) not in (None, CLOSED):
            _must_see(connection, match.rematch_id, user)
            return match.rematch_id
    group_id = match.group_id
    if group_id is not None and groups.role_of(connection, group_id, user.id) is None:
        group_id = None
    match.rematch_id = create(
        connection,
        user,
        match.game,
        match.size,
        read(match.options.split()),
        listed=match.listed,
        pace=match.pace,
        open_chat=match.open_chat,
        name=match.name,
        contribution=contribution,
        group_id=group_id,
        practice=match.practice,
    )
    others = [seat for seat in turn.seats if seat.user_id != user.id]
    here = still_here(connection, [seat.user_id for seat in others if seat.user_id])
    here -= blocks.apart(connection, user.id, here)
    again_seated = [
        SeatRow(
            id=0,
            number=number,
            user_id=seat.user_id,
            bot=seat.bot if seat.user_id is None else None,
            bot_name=seat.bot_name,
        )
        for number, seat in enumerate(
            (seat for seat in others if seat.user_id is None or seat.user_id in here), start=1
        )
    ]
    write_seats(connection, match.rematch_id, [], again_seated)
    for seat in again_seated:
        if seat.user_id is not None:
            sealing.contribute(connection, match.rematch_id, seat.user_id, "")
    turn.movers.add(user.id)
    call(turn, REMATCH, [seat.user_id for seat in again_seated if seat.user_id])
    return match.rematch_id


def begin_practice(match_id: int) -> None:
    """Begin at once if it is practice, where nobody is waited for."""
    with changing(match_id) as turn:
        if turn.match.practice and turn.match.status == OPEN:
            start(turn)


def _must_see(connection: Connection, match_id: int, user: Person) -> None:
    """Refuse to lead somebody to a table that is not there for them."""
    theirs = select(Seat.id).where(Seat.match_id == match_id, Seat.user_id == user.id)
    is_listed = connection.scalar(select(Match.listed).where(Match.id == match_id))
    if not is_listed and connection.scalar(theirs) is None:
        raise Refused("There is no seat for you at the next match. Set up a table of your own.")
