"""Sending one message through one channel, and writing down what came of it."""

import time
from collections.abc import Sequence

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.orm import Session

from stockpile_web import counters
from stockpile_web.notify import lanes, recipients
from stockpile_web.notify.channels import CHANNELS, Failed
from stockpile_web.notify.composing import Message, compose, sample
from stockpile_web.notify.failed import Skipped
from stockpile_web.notify.lanes import Lane
from stockpile_web.notify.queueing import reason_to_skip
from stockpile_web.notify.recipients import Person
from stockpile_web.storage import due_notices, send_queue
from stockpile_web.storage.compiled_sql import Statement
from stockpile_web.storage.database import db, now
from stockpile_web.storage.due import retry_at
from stockpile_web.storage.due_notices import Entry
from stockpile_web.storage.models.notices import (
    ALWAYS,
    FAILED,
    OFF,
    ON_SITE,
    SPARE,
    Channel,
    Delivery,
    Notice,
)
from stockpile_web.storage.models.people import User
from stockpile_web.storage.send_queue import Batch, Job
from stockpile_web.storage.transactions import writing
from stockpile_web.storage.trouble import insist

MOST_ATTEMPTS = 8

_SEEN_AT = Statement(select(Notice.seen_at).where(Notice.id == bindparam("notice")))
_LINE = [column.name for column in Delivery.__table__.columns if column.name != "id"]
_LOG = Statement(insert(Delivery), _LINE)


def deliver(me: str, lane: Lane, batch: Batch) -> None:
    """Send what the worker `me` has leased, if it is still worth it."""
    session = db.session()
    person = recipients.find(session, [batch.user_id]).get(batch.user_id)
    session.expunge_all()  # Copies from here on: later transactions do not read them anew.
    channel = person.channel(batch.kind) if person is not None else None
    if person is None or channel is None or (batch.notices and channel.use == OFF):
        _drop(me, batch.jobs, ON_SITE)
        return
    if batch.notices:
        batch = _still_worth_it(me, lane, person, batch)
    if not batch.jobs:
        return
    if lane.is_for_the_quick and lanes.is_slow(session, batch.user_id):
        give_back_untried(me, lanes.SLOW, batch)  # Which has the time for it.
        return
    if batch.notices:
        message = compose(session, person.user, batch.kind, batch.notices)
    else:
        message = sample(person.user, batch.kind, str(batch.ids[0]))
    session.rollback()  # Nothing is held open while the other side takes its time.
    if message is None:
        _drop(me, batch.jobs, ON_SITE)
        return
    line, problem = attempt(person.user, channel, message, lane)
    line.is_test = not batch.notices
    failures = channel.failures

    def write_down() -> None:
        channel.failures = failures  # Counted once, however often this is tried.
        _write_down(me, lane, person, channel, batch, line, problem)

    # What was sent is not to be sent again only because the database is away.
    insist(write_down, send_queue.LEASE.total_seconds() / 4)


def give_back(me: str, lane: Lane, batch: Batch) -> None:
    """Give back what could not be handled at all, for later or, in the end, for good."""
    with writing() as tx:
        due_notices.lock(tx, [notice.id for notice in batch.notices])
        _again_or_never(tx, me, lane, batch, wait=0, for_good=False)


def give_back_untried(me: str, lane: Lane, batch: Batch) -> None:
    """Give back to a lane what was not tried, and is due at once."""
    with writing() as tx:
        send_queue.put_off(tx, me, batch.ids, now(), lane.name, tried=False)


def attempt(
    user: User, channel: Channel, message: Message, lane: Lane
) -> tuple[Delivery, Failed | None]:
    """Send a message through a channel; return a line for the log, and what went wrong."""
    channel_type = CHANNELS[channel.kind]
    problem, began = None, time.monotonic()
    try:
        answer = channel_type.send(user, channel, message, lane)
    except Failed as failed:
        problem, answer = failed, str(failed)
    line = Delivery(
        user_id=user.id,
        kind=channel.kind,
        place=channel_type.destination(user, channel)[:100],
        subject=message.subject[:200],
        is_test=False,
        accepted=problem is None,
        answer=answer[:300],
        took=time.monotonic() - began,
        sent_at=now(),
    )
    return line, problem


def log_attempt(session: Session, channel: Channel, line: Delivery, problem: Failed | None) -> None:
    """Log an attempt, and count failures in a row; a refusal for good counts as many.

    The first failure makes the row of a mail channel, which needs none before.
    """
    _LOG.run(session.connection(), {name: getattr(line, name) for name in _LINE})
    before = channel.failures
    channel.failures = 0 if problem is None else before + 1
    if problem is not None and problem.for_good:
        channel.failures = max(channel.failures, recipients.TOO_MANY_FAILURES)
    if channel.id is not None and channel.failures != before:
        counted = update(Channel).where(Channel.id == channel.id)
        session.execute(counted.values(failures=channel.failures))
    elif channel.id is None and not line.accepted:
        session.add(channel)
        session.flush()
        session.expunge(channel)


def _still_worth_it(me: str, lane: Lane, person: Person, batch: Batch) -> Batch:
    """Settle what need not be told any more, put off what is for later, and return the rest."""
    session, moment = db.session(), now()
    ready, later = [], []
    settled: dict[str, list[Job]] = {}
    for job, notice in zip(batch.jobs, batch.notices, strict=True):
        seen_at = _SEEN_AT.value(session.connection(), notice=notice.id)
        outcome = reason_to_skip(session, person, notice, seen_at)
        if outcome is not None:
            settled.setdefault(outcome, []).append(job)
        elif (when := person.when(notice, moment)) > moment:
            later.append((job.id, when))
        else:
            ready.append(job)
    for outcome, jobs in settled.items():
        _drop(me, jobs, outcome)
    if later:
        with writing() as tx:
            for number, when in later:
                send_queue.put_off(tx, me, [number], when, lane.name, tried=False)
    return batch._replace(jobs=ready)


def _drop(me: str, jobs: Sequence[Job], otherwise: str) -> None:
    """Take jobs off the queue unsent; a notice that nobody has taken ends as `otherwise`."""
    notices = [job.notice.id for job in jobs if job.notice is not None]
    with writing() as tx:
        due_notices.lock(tx, notices)
        send_queue.remove(tx, me, [job.id for job in jobs])
        due_notices.settle(tx, notices, otherwise)


def _write_down(
    me: str,
    lane: Lane,
    person: Person,
    channel: Channel,
    batch: Batch,
    line: Delivery,
    problem: Failed | None,
) -> None:
    """Log an attempt and settle what it was for, at once: a worker that dies must not repeat it."""
    if isinstance(problem, Skipped):
        give_back_untried(me, lanes.SLOW, batch)  # Which has the time for it.
        return
    counters.SENT.add(batch.kind, "failed" if problem else "taken")
    is_slow = lanes.is_hook(batch.kind) and line.took > lanes.SLOW_SECONDS
    with writing() as tx:
        numbers = [notice.id for notice in batch.notices]
        told = due_notices.lock(tx, numbers)
        log_attempt(tx, channel, line, problem)
        if problem is None:
            send_queue.remove(tx, me, batch.ids)
            due_notices.note_taken(tx, numbers, batch.kind)
            for notice in batch.notices:
                counters.DELAY.note((line.sent_at - notice.made_at).total_seconds(), batch.kind)
            return
        if channel.use == ALWAYS:
            _use_spare(tx, person, batch.notices, told)
        then = lanes.SLOW if is_slow else lane
        _again_or_never(tx, me, then, batch, problem.wait, problem.for_good)


def _use_spare(
    session: Session, person: Person, notices: Sequence[Entry], told: dict[int, list[str]]
) -> None:
    """Queue notices for the spare channels, if no other works."""
    spare = [channel.kind for channel in person.channels_to_use() if channel.use == SPARE]
    if not spare:
        return
    numbers = [notice.id for notice in notices]
    queued = send_queue.kinds_queued(session, numbers)
    record = lanes.records(session, [person.user.id], now())[person.user.id]
    jobs = [
        (person.user.id, number, kind, record.lane(kind).name)
        for number in numbers
        for kind in spare
        if kind not in told.get(number, []) and (number, kind) not in queued
    ]
    send_queue.add(session, jobs)


def _again_or_never(
    session: Session, me: str, lane: Lane, batch: Batch, wait: float, for_good: bool
) -> None:
    """Put off what may be taken later; a test is tried once."""
    may_help = bool(batch.notices) and not for_good
    again = [job for job in batch.jobs if may_help and job.attempts < MOST_ATTEMPTS]
    never = [job.id for job in batch.jobs if job not in again]
    if again:
        when = retry_at(min(job.attempts for job in again), wait)
        send_queue.put_off(session, me, [job.id for job in again], when, lane.name, tried=True)
    send_queue.remove(session, me, never)
    due_notices.settle(session, [notice.id for notice in batch.notices], FAILED)
