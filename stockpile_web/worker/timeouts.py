"""Time that runs out: a turn is played for whoever is late, after a reminder.

Whoever is at a match holds it, and looks first whether there is still something to do: so two
workers never do the same.
"""

from typing import TypeVarTuple

from flask import Flask
from sqlalchemy import Row, Select, select, update

from stockpile_web.engine import Event
from stockpile_web.engine import Seat as SeatNumber
from stockpile_web.match import absence, driving
from stockpile_web.match.bots import steadiest
from stockpile_web.match.rows import SeatRow
from stockpile_web.match.site_events import TIME_RAN_OUT
from stockpile_web.match.turn import Turn, changing
from stockpile_web.storage.database import now
from stockpile_web.storage.due import earliest
from stockpile_web.storage.models.matches import CLOCK, MISSED, Match, Seat
from stockpile_web.storage.models.notices import NEAR, Notice
from stockpile_web.storage.transactions import reading, transaction
from stockpile_web.storage.trouble import trouble_in
from stockpile_web.worker import broken_tables

# What a stand-in does in one turn at the most; no rules of ours come near it.
LONGEST_TURN = 200

Columns = TypeVarTuple("Columns")

NEXT_DEADLINE = earliest(Seat.deadline_at)
NEXT_REMINDER = earliest(Seat.remind_at)


def play_for_the_late(app: Flask) -> bool:
    """Play the turn of whose time has run out longest ago; tell whether there was one."""
    with app.app_context():
        late = select(Seat.match_id, Seat.number, Seat.id).where(Seat.deadline_at <= now())
        found = _first_free(late.order_by(Seat.deadline_at))
        if found is None:
            return False
        match_id, number, seat_id = found
        try:
            with changing(match_id) as turn:
                play_for_absent(turn, number)
        except Exception as error:  # All the others must not wait for this one.
            if trouble_in(error):
                raise
            failed = f"Nobody could play for seat {number} of match {match_id}"
            pause = broken_tables.pause_after(match_id, failed)
            with transaction() as connection:
                this = update(Seat).where(Seat.id == seat_id, Seat.deadline_at.is_not(None))
                connection.execute(this.values(deadline_at=now() + pause))
        return True


def _first_free(late: Select[*Columns]) -> Row[*Columns] | None:
    """Return the first seat whose match nobody else is at: all others must not wait for that one.

    The lock is gone when this returns. On SQLite, which has one writer, there is none.
    """
    free = late.join(Match).limit(1).with_for_update(of=Match, key_share=True, skip_locked=True)
    return reading().execute(free).one_or_none()


def play_for_absent(turn: Turn, number: SeatNumber) -> None:
    """Play one turn of a seat whose time has run out, unless somebody was faster."""
    seat = turn.seats[number]
    if seat.deadline_at is None or seat.deadline_at > turn.moment:
        return
    turn.aside.append(Event(TIME_RAN_OUT, {"seat": number}))
    bot = turn.game.BOTS[steadiest(turn.game)]
    asked_in = turn.phase
    for _ in range(LONGEST_TURN):
        # What the bot has begun, standing orders may end: they say what their owner wants.
        if not driving.follow_orders(turn, number):
            driving.let_bot_move(turn, number, bot, made_by=CLOCK)
        if turn.phase != asked_in or not turn.legal(number):
            break
    if seat.missed + 1 == MISSED:
        absence.begin_vote(turn, number)
    driving.play_on(turn)


def remind_the_late(app: Flask) -> bool:
    """Leave a notice for one of whose time a quarter is left; tell whether there was one."""
    with app.app_context():
        late = select(Seat.match_id, Seat.number).where(Seat.remind_at <= now())
        found = _first_free(late.order_by(Seat.remind_at))
        if found is None:
            return False
        match_id, number = found
        with changing(match_id) as turn:
            seat = turn.seats[number]
            if seat.remind_at is not None and seat.remind_at <= turn.moment:
                seat.remind_at = None
                _remind(turn, seat)
        return True


def _remind(turn: Turn, seat: SeatRow) -> None:
    """Leave the notice, once for each turn."""
    if seat.user_id is None or seat.bot or not seat.on_turn:
        return
    this = {"user_id": seat.user_id, "match_id": turn.match.id, "event": NEAR}
    left = select(Notice.id).filter_by(**this, version=turn.match.version)
    if turn.connection.scalar(left) is None:
        turn.news.append((NEAR, seat.user_id))
