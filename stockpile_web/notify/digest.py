"""Once a day: at an hour of a person's own day, one message with all the tables that wait for them.

Until then notices are laid aside. When the hour comes, those of tables that wait are taken up once
more, seen or not and told or not, and go the way of all notices; if no table waits, nothing does.
"""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from flask import Flask
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from stockpile_web.storage.database import now
from stockpile_web.storage.due import earliest
from stockpile_web.storage.models.matches import PLAYING, Match, Seat
from stockpile_web.storage.models.notices import (
    DAILY,
    ENDED,
    STARTED,
    TURN,
    Choice,
    Notice,
    SendJob,
)
from stockpile_web.storage.models.people import User
from stockpile_web.storage.transactions import writing

# Time that runs out and somebody who calls would be told too late.
DEFERRED = (TURN, STARTED, ENDED)

# When somebody's hour comes next.
NEXT = earliest(Choice.daily_at)

_WAITS = (
    select(Seat.id)
    .join(Match, Match.id == Seat.match_id)
    .where(
        Seat.match_id == Notice.match_id,
        Seat.user_id == Notice.user_id,
        Seat.on_turn,
        Seat.bot.is_(None),
        Seat.last_move < Notice.version,
        Match.status == PLAYING,
    )
    .exists()
)
# Many have the same hour, and nobody else writes meanwhile.
AT_ONCE = 50
_QUEUE_AGAIN = {"queued": False, "told": "", "done_at": None, "outcome": None}


def next_time(hour: int, zone: str, after: datetime) -> datetime:
    """Return when a clock in `zone` next shows this full hour: once on every day of its calendar.

    An hour that is left out comes as the next one does; of one that comes twice it is the first.
    """
    local = after.astimezone(ZoneInfo(zone))
    then = local.replace(hour=hour, minute=0, second=0, microsecond=0, fold=0)
    if then.astimezone(after.tzinfo) <= after:
        then += timedelta(days=1)  # By the calendar: the same hour tomorrow.
    return then.astimezone(after.tzinfo)


def queue_due_digests(app: Flask) -> bool:
    """Take up the notices of some whose hour has come; tell whether there may be more."""
    moment = now()
    due = (
        select(Choice, User.time_zone)
        .join(User, User.id == Choice.user_id)
        .where(Choice.daily_at <= moment)
        .order_by(Choice.daily_at)
        .limit(AT_ONCE)
        .with_for_update(skip_locked=True, of=Choice)  # SQLite: we are the only writer.
    )
    with app.app_context(), writing() as tx:
        found = tx.execute(due).all()
        for choice, zone in found:
            _queue_digest(tx, choice.user_id, moment)
            choice.daily_at = next_time(choice.daily_hour or 0, zone, moment)
    return len(found) == AT_ONCE


def time_zone_changed(session: Session, user_id: int, zone: str) -> None:
    """Let a person's hour come when it comes in their new time zone."""
    choice = session.get(Choice, user_id)
    if choice is not None and choice.daily_hour is not None:
        choice.daily_at = next_time(choice.daily_hour, zone, now())


def release_deferred(session: Session, user_id: int) -> None:
    """Let go what was laid aside for a person who no longer wants it once a day."""
    asleep = (Notice.user_id == user_id, Notice.outcome == DAILY, Notice.seen_at.is_(None))
    session.execute(update(Notice).where(*asleep).values(**_QUEUE_AGAIN, due_at=now()))


def _queue_digest(session: Session, user_id: int, moment: datetime) -> None:
    """Take up what concerns tables that wait, and with it what was laid aside and not seen."""
    theirs = update(Notice).where(Notice.user_id == user_id)
    values = {**_QUEUE_AGAIN, "due_at": moment, "daily": True}
    waiting = theirs.where(Notice.event == TURN, _WAITS).values(values)
    options = {"synchronize_session": False}
    taken_up = session.scalars(waiting.returning(Notice.id), execution_options=options).all()
    if taken_up:
        session.execute(delete(SendJob).where(SendJob.notice_id.in_(taken_up)))
        asleep = theirs.where(Notice.outcome == DAILY, Notice.seen_at.is_(None))
        session.execute(asleep.values(values), execution_options=options)
