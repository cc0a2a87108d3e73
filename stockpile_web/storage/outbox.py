"""The outbox: notices written in the transaction of a move, and leased to the worker that sends.

A lease is a name and an end. Whoever holds it sends; if that worker dies, the end comes and the
notice is due again. So every notice is sent at least once, and by one worker at a time.
"""

import random
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, case, delete, func, insert, or_, select, update
from sqlalchemy.orm import Session

from stockpile_web.storage.compiled_sql import Statement
from stockpile_web.storage.database import now
from stockpile_web.storage.models.notices import PASSED, SEEN, Delivery, Notice

# Long enough for an open page to say that it has shown the news.
SETTLE = timedelta(seconds=1)
# Whoever has just moved is most likely still looking.
SETTLE_OF_MOVER = timedelta(minutes=2)
# What falls due this soon after goes into the same message.
BUNDLE = timedelta(seconds=3)
# Longer than all channels together may take to send one message.
LEASE = timedelta(seconds=240)
FIRST_PAUSE, LONGEST_PAUSE = 10.0, 3600.0
KEEP = timedelta(days=30)

_NEWS = ("user_id", "match_id", "event", "version", "made_at", "due_at")
_WRITE = Statement(insert(Notice).values(attempts=0, told="", daily=False), _NEWS)
_OVERTAKEN = Statement(
    update(Notice)
    .where(
        Notice.user_id == bindparam("mover"),
        Notice.match_id == bindparam("of_match"),
        Notice.seen_at.is_(None),
    )
    .values(
        seen_at=bindparam("moment"),
        done_at=func.coalesce(Notice.done_at, bindparam("moment")),
        outcome=case((Notice.done_at.is_(None), PASSED), else_=Notice.outcome),
    )
)
_MINE = update(Notice).where(Notice.id == bindparam("job"), Notice.lease == bindparam("me"))
_TOLD = _MINE.values(told=bindparam("by"))
_DONE = _MINE.values(lease=None, done_at=bindparam("moment"), outcome=bindparam("what"))
_LATER = _MINE.values(lease=None, due_at=bindparam("moment"), attempts=bindparam("made"))
# When the next notice falls due.
NEXT = select(func.min(Notice.due_at)).where(Notice.done_at.is_(None)).scalar_subquery()
_UNSEEN = Statement(
    select(func.count(Notice.id)).where(
        Notice.user_id == bindparam("user_id"), Notice.seen_at.is_(None)
    )
)


class Job(NamedTuple):
    """A notice as a worker takes it on: a copy, which no later transaction changes."""

    id: int
    user_id: int
    match_id: int
    event: str
    version: int
    made_at: datetime
    attempts: int
    told: str
    daily: bool


_JOB = [getattr(Notice, name) for name in Job._fields]


def write(
    connection: Connection,
    match_id: int,
    version: int,
    moment: datetime,
    movers: Sequence[int],
    news: Iterable[tuple[str, int]],
) -> None:
    """In the transaction of a move: leave `news`, pairs of event and person.

    Whoever has moved has seen what they were told of this match before.
    """
    if movers:
        which = [{"mover": user, "of_match": match_id, "moment": moment} for user in movers]
        _OVERTAKEN.run(connection, *which)
    rows = [
        {
            "user_id": user,
            "match_id": match_id,
            "event": event,
            "version": version,
            "made_at": moment,
            "due_at": moment + (SETTLE_OF_MOVER if user in movers else SETTLE),
        }
        for event, user in news
    ]
    if rows:
        _WRITE.run(connection, *rows)


def unseen(connection: Connection, user_id: int) -> int:
    """Return how many notices a person has not seen."""
    return int(_UNSEEN.value(connection, user_id=user_id))


def see(session: Session | Connection, user_id: int, match_id: int, version: int) -> None:
    """Note that a page of this person has shown a match at `version`."""
    shown = (Notice.user_id == user_id, Notice.match_id == match_id, Notice.version <= version)
    _mark_seen(session, *shown)


def see_all(session: Session, user_id: int) -> None:
    """Note that this person has read the list of their notices."""
    _mark_seen(session, Notice.user_id == user_id)


def _mark_seen(session: Session | Connection, *which: Any) -> None:
    moment = now()
    session.execute(
        update(Notice)
        .where(*which, Notice.seen_at.is_(None))
        .values(
            seen_at=moment,
            done_at=func.coalesce(Notice.done_at, moment),
            outcome=case((Notice.done_at.is_(None), SEEN), else_=Notice.outcome),
        )
    )


def claim(session: Session, me: str, most: int) -> dict[int, list[Job]]:
    """Lease what is due to the worker `me`; return it by person, of whom there are `most`."""
    moment = now()
    waiting = Notice.done_at.is_(None)
    due = (
        select(Notice.user_id)
        .where(waiting, Notice.due_at <= moment)
        .group_by(Notice.user_id)
        .order_by(func.min(Notice.due_at))
        .limit(most)
    )
    persons = session.scalars(due).all()
    if not persons:
        return {}
    theirs = (
        select(*_JOB)
        .where(waiting, Notice.due_at <= moment + BUNDLE, Notice.user_id.in_(persons))
        # What another worker leases is not due soon, unless its lease is at its end.
        .where(or_(Notice.lease.is_(None), Notice.due_at <= moment))
        .order_by(Notice.id)
        .with_for_update(skip_locked=True)  # SQLite: we are the only writer.
    )
    jobs = [Job(*row) for row in session.execute(theirs)]
    leased = update(Notice).where(Notice.id.in_([job.id for job in jobs]))
    taken = {"lease": me, "due_at": moment + LEASE, "attempts": Notice.attempts + 1}
    session.execute(leased.values(taken))
    claimed: dict[int, list[Job]] = {}
    for job in jobs:
        claimed.setdefault(job.user_id, []).append(job._replace(attempts=job.attempts + 1))
    return claimed


def note_told(session: Session, me: str, job: Job, channels: Iterable[str]) -> None:
    """Write down which channels have taken a notice that the worker `me` has leased."""
    session.connection().execute(_TOLD, {"job": job.id, "me": me, "by": " ".join(channels)})


def finish(session: Session, me: str, job: Job, outcome: str) -> None:
    """Give a notice back as done.

    If our lease has run out it is another's by now, and left alone. If moving or looking has
    settled it meanwhile: it was sent all the same.
    """
    done = {"job": job.id, "me": me, "moment": now(), "what": outcome}
    session.connection().execute(_DONE, done)


def put_off(session: Session, me: str, job: Job, when: datetime, attempts: int) -> None:
    """Give a notice back, to be taken up again at `when`."""
    later = {"job": job.id, "me": me, "moment": when, "made": attempts}
    session.connection().execute(_LATER, later)


def retry_at(attempts: int, wait: float = 0) -> datetime:
    """Return when to try again after this many attempts, and not before `wait` seconds."""
    pause = min(LONGEST_PAUSE, FIRST_PAUSE * 3 ** (attempts - 1))
    return now() + timedelta(seconds=max(wait, pause * random.uniform(0.8, 1.2)))


def prune(session: Session) -> None:
    """Forget notices and deliveries that nobody will ask for any more."""
    long_ago = now() - KEEP
    session.execute(delete(Notice).where(Notice.made_at < long_ago, Notice.done_at.is_not(None)))
    session.execute(delete(Delivery).where(Delivery.sent_at < long_ago))
