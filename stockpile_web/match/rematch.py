"""A rematch: the next match of a table that is over or closed, to which the others are invited."""

from contextlib import suppress

from sqlalchemy import select

from stockpile_web.engine.options import read
from stockpile_web.match.calls import call
from stockpile_web.match.glance import may_watch
from stockpile_web.match.rows import SeatRow, write_seats
from stockpile_web.match.seating import Refused, create, join, start, still_here
from stockpile_web.match.turn import Turn, changing
from stockpile_web.people import Refusal, groups, invitations
from stockpile_web.storage import outbox
from stockpile_web.storage.models.matches import CLOSED, OPEN, OVER, Match
from stockpile_web.storage.models.notices import REMATCH
from stockpile_web.storage.models.people import Person


def rematch(turn: Turn, user: Person, contribution: str = "") -> int:
    """Set up the same table once more, or find the one that was; return its number.

    Bots sit down there at once. The others are asked: nobody plays because somebody else wants to.
    """
    match, connection = turn.match, turn.connection
    if match.status not in (OVER, CLOSED):
        raise Refused("This match is not over yet.")
    outbox.see(connection, user.id, match.id, match.version)  # If they were asked, they know.
    if match.rematch_id is not None:
        again = select(Match.status).where(Match.id == match.rematch_id)
        if connection.scalar(again) not in (None, CLOSED):
            return match.rematch_id
    group_id, before = match.group_id, match.rematch_id
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
    bots = [seat for seat in turn.seats if seat.user_id is None]
    again_seated = [
        SeatRow(id=0, number=number, bot=seat.bot, bot_name=seat.bot_name)
        for number, seat in enumerate(bots, start=1)
    ]
    write_seats(connection, match.rematch_id, [], again_seated)
    turn.movers.add(user.id)
    call(turn, REMATCH, _invite(turn, match.rematch_id, user, before))
    return match.rematch_id


def come(match_id: int, user: Person, contribution: str = "") -> None:
    """Let somebody who played the match before sit down at this one, unless they do already."""
    with changing(match_id) as turn:
        if any(seat.user_id == user.id for seat in turn.seats):
            return
        may_see = may_watch(turn.connection, turn.match, user.id)
        is_asked = may_see or invitations.is_told(turn.connection, match_id, user.id)
        if is_asked and turn.match.status == OPEN:
            join(turn, user, contribution)
        elif not may_see:
            raise Refused("There is no seat for you at the next match. Set up a table of your own.")


def begin_practice(match_id: int) -> None:
    """Begin at once if it is practice, where nobody is waited for."""
    with changing(match_id) as turn:
        if turn.match.practice and turn.match.status == OPEN:
            start(turn)


def _invite(turn: Turn, match_id: int, user: Person, before: int | None) -> list[int]:
    """Invite all the others to the next match; return who is to hear of it.

    Whoever has declined one after this match is not asked again.
    """
    others = [seat.user_id for seat in turn.seats if seat.user_id not in (None, user.id)]
    asked = still_here(turn.connection, [each for each in others if each is not None])
    if before is not None:
        asked -= invitations.who_declined(turn.connection, before)
    told = []
    for whom in sorted(asked):
        with suppress(Refusal):  # They are blocked by whoever asks.
            if invitations.invite(turn.connection, match_id, user.id, whom):
                told.append(whom)
    return told
