"""What an administrator may do to a table; its log says that an administrator did it.

None of it opens anything: whoever does this sees no more of a match than anybody.
"""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from stockpile_web.engine import Event, Seat
from stockpile_web.match import absence, driving, pause, seating
from stockpile_web.match.absence import must_be_played
from stockpile_web.match.rows import SeatRow
from stockpile_web.match.seating import Refused
from stockpile_web.match.site_events import ADMINISTERED
from stockpile_web.match.turn import Turn
from stockpile_web.storage.models.matches import MISSED, OPEN, PLAYING
from stockpile_web.storage.models.people import User

LONGEST_REASON = 200
# What it can be, as the event says it; `templates/table/_events.html` has the words.
PAUSED, WENT_ON, ENDED, TO_BOT, OPENED = DEEDS = "paused", "went on", "ended", "bot", "opened"
STILL_HERE = (
    "They may be back at any time: leave the seat to a bot until they are. It can be opened to "
    "others when turns were played for them several times in a row, or their account is suspended."
)


def halt(turn: Turn, why: str) -> None:
    """Let nothing be played until it goes on: clocks stop, orders and bots wait."""
    must_be_played(turn)
    why = _sentence(why)
    turn.match.halted_for = why
    turn.note(_told(PAUSED, why))


def go_on(turn: Turn) -> None:
    """Let a table that was paused go on; all who are on turn have their whole time again."""
    must_be_played(turn)
    if not turn.match.halted_for:
        raise Refused("This table is not paused.")
    turn.match.halted_for = ""
    turn.note(_told(WENT_ON))
    pause.ask_all_anew(turn)
    driving.play_on(turn)


def end(turn: Turn, why: str) -> None:
    """End a table for good, without a result."""
    if turn.match.status not in (OPEN, PLAYING):
        raise Refused("This table has ended already.")
    why = _sentence(why)
    if turn.match.status == PLAYING:
        turn.note(_told(ENDED, why))
    seating.close(turn, host_knows=False)
    turn.match.halted_for = why


def leave_to_bot(turn: Turn, number: Seat) -> None:
    """Let a bot play for somebody who is gone, until they take their seat back."""
    seat = _person_at(turn, number)
    if seat.bot:
        raise Refused("A bot plays for them already.")
    turn.note(_told(TO_BOT, seat=number))
    absence.let_bot_drive(turn, seat)


def open_seat(turn: Turn, number: Seat) -> None:
    """Let a substitute take the seat of somebody who is gone, unless they are back first."""
    seat = _person_at(turn, number)
    if seat.is_free:
        raise Refused("The seat is open already.")
    if number not in gone(turn.connection, turn.seats):
        raise Refused(STILL_HERE)
    turn.note(_told(OPENED, seat=number))
    seat.is_open, seat.missed = True, max(seat.missed, MISSED)
    if not seat.bot:
        absence.let_bot_drive(turn, seat)


def gone(connection: Connection, seats: Sequence[SeatRow]) -> set[Seat]:
    """Return the seats whose people are gone: by the clock, or since they cannot sign in.

    That a bot plays for somebody says nothing: an administrator may have left the seat to it.
    """
    theirs = [seat for seat in seats if seat.user_id is not None]
    people = [seat.user_id for seat in theirs]
    able = (User.id.in_(people), User.deleted_at.is_(None), User.suspended_at.is_(None))
    here = set(connection.scalars(select(User.id).where(*able)))
    return {seat.number for seat in theirs if seat.missed >= MISSED or seat.user_id not in here}


def is_told_by(events: Sequence[Event], seats: int) -> bool:
    """Tell whether events that others have recorded are what an administrator did to a table."""
    facts = events[0].public or {} if len(events) == 1 else {}
    did, why, seat = facts.get("did", ""), facts.get("why", ""), facts.get("seat")
    has_seat = isinstance(seat, int) and 0 <= seat < seats
    is_whole = has_seat if did in (TO_BOT, OPENED) else seat is None
    is_short = isinstance(why, str) and len(why) <= LONGEST_REASON
    return did in DEEDS and is_whole and is_short and [*events] == [_told(did, why, seat)]


def _person_at(turn: Turn, number: Seat) -> SeatRow:
    must_be_played(turn)
    seat = next((seat for seat in turn.seats if seat.number == number), None)
    if seat is None or seat.user_id is None:
        raise Refused("Nobody but a bot has this seat.")
    return seat


def _sentence(why: str) -> str:
    """Return a reason as those at the table read it."""
    why = " ".join(why.split())
    if not why or len(why) > LONGEST_REASON:
        raise Refused(f"Say why, in at most {LONGEST_REASON} characters: the players read it.")
    return why if why.endswith((".", "!", "?")) else f"{why}."[:LONGEST_REASON]


def _told(did: str, why: str = "", seat: Seat | None = None) -> Event:
    return Event(ADMINISTERED, {"did": did, "why": why, "seat": seat})
