"""Deadlines of seats: set when a match moves on, and anew when their players' hours change."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, and_, bindparam, select

from stockpile_web.match.rows import MatchRow, SeatRow
from stockpile_web.match.time_controls import (
    NO_TIME,
    TIME_CONTROLS,
    TimeControl,
    bank_after,
    run_outs,
)
from stockpile_web.match.waking_hours import ALWAYS, AN_HOUR, Hours
from stockpile_web.storage.models.matches import CLOCK
from stockpile_web.storage.models.people import User, Vacation

# A bot that thinks waits so long: people see one thing happen after the other.
AFTER_PERSON = timedelta(seconds=0.6)
AFTER_BOT = timedelta(seconds=0.1)
# Vacations that ended earlier than this no longer count for any clock.
LONG_AGO = timedelta(days=400)

# Written once: this is part of every move.
_HOURS = (
    select(
        User.id, User.time_zone, User.awake_from, User.awake_to, User.awake_days,
        Vacation.first_day, Vacation.last_day,
    )
    .outerjoin(
        Vacation, and_(Vacation.user_id == User.id, Vacation.last_day >= bindparam("long_ago"))
    )
    .where(User.id.in_(bindparam("people", expanding=True)))
)  # fmt: skip


class SeatTurn(NamedTuple):
    """A seat, and what the moves that are being saved have changed for it."""

    seat: SeatRow
    was_on_turn: bool
    is_on_turn: bool
    asked_anew: bool
    made_by: Collection[str]  # Who has moved for it; a person is "".
    acts: bool  # Its bot moves in the worker.


def after_move(
    connection: Connection, control: TimeControl, moment: datetime, turns: Sequence[SeatTurn]
) -> None:
    """Set who is on turn, since when, and the clock of each seat."""
    people = {
        turn.seat.user_id
        for turn in turns
        if turn.seat.user_id and not turn.seat.bot and (turn.asked_anew or turn.made_by)
    }
    hours = hours_of(connection, control, moment, people)
    by_person = any("" in turn.made_by for turn in turns)
    acts_at = moment + (AFTER_PERSON if by_person else AFTER_BOT)
    for turn in turns:
        _note_time_taken(turn, moment)
        if not turn.is_on_turn or turn.asked_anew:  # Otherwise it runs on.
            _set_clock(turn, control, moment, hours.get(turn.seat.user_id or 0), acts_at)
        turn.seat.on_turn = turn.is_on_turn
        if turn.asked_anew:
            turn.seat.waiting_since = moment


def _note_time_taken(turn: SeatTurn, moment: datetime) -> None:
    """Add up how long people take for turns of their own: for their profiles."""
    seat = turn.seat
    if "" in turn.made_by and turn.was_on_turn and seat.waiting_since and not seat.bot:
        seat.thinking_seconds += int((moment - seat.waiting_since).total_seconds())
        seat.turns_timed += 1


def hours_of(
    connection: Connection, control: TimeControl, moment: datetime, people: Collection[int]
) -> dict[int, Hours]:
    """Return when each of these people is awake, as far as a time control asks for it."""
    if control.turn == NO_TIME or not people:
        return {}
    if not control.sleeps:
        return dict.fromkeys(people, ALWAYS)
    which = {"people": sorted(people), "long_ago": (moment - LONG_AGO).date()}
    found: dict[int, Hours] = {}
    for user_id, zone, begin, end, days, first, last in connection.execute(_HOURS, which):
        hours = found.get(user_id) or Hours(zone, begin, end, days)
        found[user_id] = hours._replace(away=(*hours.away, (first, last))) if first else hours
    return found


def start_clock(connection: Connection, match: MatchRow, seat: SeatRow, moment: datetime) -> None:
    """Let the clock of whoever sits here run from the beginning of their turn, if it is one."""
    seat.stop_clock()
    if not seat.on_turn or seat.waiting_since is None or seat.user_id is None:
        return
    control = TIME_CONTROLS[match.pace]
    hours = hours_of(connection, control, moment, [seat.user_id])
    if hours:
        limits = run_outs(control, seat.bank, hours[seat.user_id], seat.waiting_since)
        seat.deadline_at, seat.remind_at = limits


def reset_clock(connection: Connection, match: MatchRow, seat: SeatRow, moment: datetime) -> None:
    """Set a running clock anew by its player's new hours.

    That takes nobody's last hour away, and gives none to those who do it again and again.
    """
    control = TIME_CONTROLS[match.pace]
    if not control.sleeps or seat.waiting_since is None or seat.deadline_at is None:
        return
    hours = hours_of(connection, control, moment, [seat.user_id or 0]).get(seat.user_id or 0)
    if hours is None:
        return
    deadline, remind = run_outs(control, seat.bank, hours, seat.waiting_since)
    seat.deadline_at = max(deadline, min(seat.deadline_at, moment + AN_HOUR))
    seat.remind_at = remind if remind > moment else None


def resume_clock(connection: Connection, match: MatchRow, seat: SeatRow, moment: datetime) -> None:
    """Let the clock of somebody who is on turn again run on as if it had not been stopped.

    By their hours of today; a reminder that fell into the meantime is due now.
    """
    if seat.bot:
        return
    if seat.deadline_at is None:  # Then a bot played for them, or there is no clock.
        start_clock(connection, match, seat, moment)
        return
    remind_at = seat.remind_at
    reset_clock(connection, match, seat, moment)
    seat.remind_at = seat.remind_at or remind_at


def _set_clock(
    turn: SeatTurn,
    control: TimeControl,
    moment: datetime,
    hours: Hours | None,
    acts_at: datetime,
) -> None:
    seat = turn.seat
    seat.stop_clock()
    if CLOCK in turn.made_by:
        seat.bank, seat.missed = 0, seat.missed + 1
    elif hours and turn.made_by and turn.was_on_turn and seat.waiting_since:
        seat.bank = bank_after(control, seat.bank, hours, seat.waiting_since, moment)
    if "" in turn.made_by:
        seat.missed = 0
    if turn.is_on_turn and turn.acts:
        seat.acts_at = acts_at
    elif turn.is_on_turn and hours:
        seat.deadline_at, seat.remind_at = run_outs(control, seat.bank, hours, moment)
