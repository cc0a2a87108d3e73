"""The queue of what is to be sent: a job for each notice and channel, leased to the worker at it.

A lease is a name and an end. Whoever holds it sends; if that worker dies, the end comes and the job
is due again. So every notice is sent at least once, and by one worker at a time.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    ScalarSelect,
    and_,
    bindparam,
    delete,
    func,
    insert,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Session

from stockpile_web import counters
from stockpile_web.storage.compiled_sql import Statement
from stockpile_web.storage.database import now
from stockpile_web.storage.due import earliest
from stockpile_web.storage.due_notices import BUNDLE, COLUMNS, Entry
from stockpile_web.storage.models.notices import Channel, Notice, SendJob
from stockpile_web.storage.transactions import advisory_lock

# Longer than the messages that a thread leases at once may take.
LEASE = timedelta(seconds=240)

_FIELDS = ("user_id", "notice_id", "kind", "lane", "made_at", "due_at", "attempts")
_ADD = Statement(insert(SendJob), _FIELDS)
_TAKE = Statement(update(SendJob).where(SendJob.id == bindparam("job")).values(
    lease=bindparam("me"), due_at=bindparam("until"), attempts=SendJob.attempts + 1
))  # fmt: skip
_MINE = and_(SendJob.id == bindparam("job"), SendJob.lease == bindparam("me"))
_REMOVE = Statement(delete(SendJob).where(_MINE))
_LATER = Statement(update(SendJob).where(_MINE).values(
    lease=null(),
    due_at=bindparam("moment"),
    lane=bindparam("then"),
    attempts=SendJob.attempts - bindparam("not_made"),
))  # fmt: skip
# A person whom a worker of this lane is at.
_AT_WORK = select(SendJob.user_id).where(
    SendJob.lane == bindparam("of_lane"),
    SendJob.lease.is_not(None),
    SendJob.due_at > bindparam("moment"),
)
_IS_DUE = and_(SendJob.lane == bindparam("of_lane"), SendJob.due_at <= bindparam("moment"))
_NEXT = (
    select(SendJob.user_id, SendJob.kind)
    .where(_IS_DUE, SendJob.user_id.not_in(_AT_WORK))
    .group_by(SendJob.user_id, SendJob.kind)
    .limit(bindparam("most"))
)
_OLDEST_FIRST = _NEXT.order_by(func.min(SendJob.due_at))
_FAILING_LAST = _NEXT.outerjoin(
    Channel, and_(Channel.user_id == SendJob.user_id, Channel.kind == SendJob.kind)
).order_by(func.max(func.coalesce(Channel.failures, 0)), func.min(SendJob.due_at))


class Job(NamedTuple):
    """A job as a worker takes it on; without a notice it is a test."""

    id: int
    attempts: int
    notice: Entry | None


class Batch(NamedTuple):
    """Jobs of one person and channel, which go into one message."""

    user_id: int
    kind: str
    jobs: list[Job]

    @property
    def ids(self) -> list[int]:
        """The jobs."""
        return [job.id for job in self.jobs]

    @property
    def notices(self) -> list[Entry]:
        """What is to be told; nothing if it is a test."""
        return [job.notice for job in self.jobs if job.notice is not None]

    @property
    def attempts(self) -> int:
        """How often the one that was tried least was tried, this time included."""
        return min(job.attempts for job in self.jobs)


def next_due(lane: str) -> ScalarSelect[datetime]:
    """Return when there is something to send next in a lane, as a query."""
    return earliest(SendJob.due_at, SendJob.lane == lane)


def add(session: Session, rows: Iterable[tuple[int, int | None, str, str]]) -> None:
    """Queue notices, or tests: person, notice, channel and lane of each."""
    moment = now()
    jobs = [dict(zip(_FIELDS, (*row, moment, moment, 0), strict=True)) for row in rows]
    if jobs:
        _ADD.run(session.connection(), *jobs)
        for job in jobs:
            counters.QUEUED.add(str(job["kind"]))


def claim(
    session: Session, me: str, lane: str, most: int, *, failing_last: bool = False
) -> list[Batch]:
    """Lease to the worker `me` what is due in a lane, of so many people.

    Nobody is at work for one person twice in a lane: it is a worker's turn after the other.
    """
    advisory_lock(session, f"claim {lane}")
    moment = now()
    which = {"of_lane": lane, "moment": moment, "most": most}
    found = session.execute(_FAILING_LAST if failing_last else _OLDEST_FIRST, which)
    kinds = {user_id: kind for user_id, kind in reversed(found.all())}
    if not kinds:
        return []
    theirs = (
        select(SendJob.id, SendJob.user_id, SendJob.kind, SendJob.attempts, *COLUMNS)
        .outerjoin(Notice, Notice.id == SendJob.notice_id)
        .where(SendJob.lane == lane, SendJob.due_at <= moment + BUNDLE)
        # What falls due soon goes into the same message, unless it is leased.
        .where(or_(SendJob.lease.is_(None), SendJob.due_at <= moment))
        .where(SendJob.user_id.in_(kinds))
        .order_by(SendJob.id)
    )
    batches: dict[int, Batch] = {}
    for number, user_id, kind, attempts, *notice in session.execute(theirs):
        if kind != kinds[user_id]:
            continue
        jobs = batches.setdefault(user_id, Batch(user_id, kind, [])).jobs
        entry = Entry(*notice) if notice[0] is not None else None
        # A test is a message of its own.
        if not jobs or (entry is not None and jobs[0].notice is not None):
            jobs.append(Job(number, attempts + 1, entry))
    leased = [number for batch in batches.values() for number in batch.ids]
    until = moment + LEASE
    _TAKE.run(session.connection(), *({"job": each, "me": me, "until": until} for each in leased))
    return list(batches.values())


def remove(session: Session, me: str, jobs: Sequence[int]) -> None:
    """Take jobs off the queue; those of which our lease has run out are another's by now."""
    if jobs:
        _REMOVE.run(session.connection(), *({"job": each, "me": me} for each in jobs))


def put_off(
    session: Session, me: str, jobs: Sequence[int], when: datetime, lane: str, *, tried: bool
) -> None:
    """Give jobs back, to be taken up again at `when` in a lane; say whether they were tried."""
    later = {"me": me, "moment": when, "then": lane, "not_made": int(not tried)}
    _LATER.run(session.connection(), *({"job": each, **later} for each in jobs))


def kinds_queued(session: Session, notices: Sequence[int]) -> set[tuple[int | None, str]]:
    """Return on which queues notices are."""
    theirs = select(SendJob.notice_id, SendJob.kind).where(SendJob.notice_id.in_(notices))
    return {(notice, kind) for notice, kind in session.execute(theirs)}


def hurry(session: Session, job_id: int) -> bool:
    """Have a job tried now, unless a worker is at it; tell whether it was there."""
    this = update(SendJob).where(_waits(job_id)).values(due_at=now())
    return session.scalar(this.returning(SendJob.id)) is not None


def drop(session: Session, job_id: int) -> tuple[bool, int | None]:
    """Let a job not be done, unless a worker is at it; tell whether it was there, and its notice.

    The caller settles that.
    """
    this = delete(SendJob).where(_waits(job_id)).returning(SendJob.id, SendJob.notice_id)
    found = session.execute(this).one_or_none()
    return found is not None, found.notice_id if found else None


def _waits(job_id: int) -> ColumnElement[bool]:
    """Nobody has it, or whoever had it is late."""
    is_free = or_(SendJob.lease.is_(None), SendJob.due_at <= now())
    return and_(SendJob.id == job_id, is_free)
