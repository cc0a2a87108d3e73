"""Sending what one person is to be told: what is still worth telling, through which channels."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, select, update
from sqlalchemy.orm import Session

from stockpile_web.notify import digest, recipients
from stockpile_web.notify.channels import WAYS, Failed
from stockpile_web.notify.composing import Message, compose
from stockpile_web.notify.recipients import Person
from stockpile_web.storage import outbox
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models.matches import PLAYING, Match, Seat
from stockpile_web.storage.models.notices import (
    DAILY,
    FAILED,
    OF_A_TURN,
    ON_SITE,
    PASSED,
    SEEN,
    SENT,
    UNWANTED,
    Channel,
    Delivery,
    Notice,
)
from stockpile_web.storage.models.people import User
from stockpile_web.storage.outbox import Job
from stockpile_web.storage.transactions import writing

MOST_ATTEMPTS = 8

# Written once and sent over the connection: building a statement costs more than running it.
_SEEN_AT = select(Notice.seen_at).where(Notice.id == bindparam("job"))
# The turn that a notice tells of is still to be taken.
_STILL_ASKED = (
    select(Seat.id)
    .join(Match)
    .where(
        Seat.match_id == bindparam("match_id"),
        Seat.user_id == bindparam("user_id"),
        Seat.on_turn,
        Seat.bot.is_(None),
        Seat.last_move < bindparam("version"),
        Match.status == PLAYING,
    )
)


@dataclass
class Letter:
    """A notice on its way: which channels have taken it, and whether trying again may help."""

    job: Job
    told: list[str]
    is_hopeful: bool = False
    wait: float = 0  # Seconds for which a channel wants to be left alone.


def tell(me: str, user_id: int, jobs: Sequence[Job]) -> None:
    """Tell a person what the worker `me` has leased of theirs, and write down what came of it."""
    session, moment = db.session(), now()
    person = recipients.find(session, user_id)
    session.expunge_all()  # Copies from here on: later transactions do not read them anew.
    ready, settled, later = [], [], []
    for job in jobs:
        outcome = what_became_of(session, person, job)
        if outcome is not None or person is None:
            settled.append((job, outcome or UNWANTED))
        elif (when := person.when(job, moment)) > moment:
            later.append((job, when))
        else:
            ready.append(Letter(job, job.told.split()))
    if settled or later:
        with writing() as tx:
            for job, outcome in settled:
                outbox.finish(tx, me, job, SENT if job.told else outcome)
            for job, when in later:
                outbox.put_off(tx, me, job, when, 0)
    if ready and person is not None:
        _send(me, person, ready)


def what_became_of(session: Session, person: Person | None, job: Job) -> str | None:
    """Say why a notice need not be sent any more; None if it must."""
    which = {"job": job.id, "match_id": job.match_id, "user_id": job.user_id}
    # What is told once a day is told as long as a table waits, seen or not.
    if not job.daily and session.connection().scalar(_SEEN_AT, which) is not None:
        return SEEN
    asked = {**which, "version": job.version}
    if job.event in OF_A_TURN and session.connection().scalar(_STILL_ASKED, asked) is None:
        return PASSED
    if person is None or not person.wants(job.event):
        return UNWANTED
    is_for_later = person.choice.daily_hour is not None and job.event in digest.LAID_ASIDE
    return DAILY if is_for_later and not job.daily else None


def give_back(me: str, jobs: Sequence[Job]) -> None:
    """Give back what could not be handled at all, for later or, in the end, for good."""
    with writing() as tx:
        for job in jobs:
            if job.attempts >= MOST_ATTEMPTS:
                outbox.finish(tx, me, job, FAILED)
            else:
                outbox.put_off(tx, me, job, outbox.retry_at(job.attempts), job.attempts)


def attempt(user: User, channel: Channel, message: Message) -> tuple[Delivery, Failed | None]:
    """Send a message through a channel; return a line for the log, and what went wrong."""
    way = WAYS[channel.kind]
    problem = None
    try:
        answer = way.send(user, channel, message)
    except Failed as failed:
        problem, answer = failed, str(failed)
    line = Delivery(
        user_id=user.id,
        kind=channel.kind,
        place=way.place(user, channel)[:100],
        subject=message.subject[:200],
        is_test=False,
        accepted=problem is None,
        answer=answer[:300],
        sent_at=now(),
    )
    return line, problem


def log(session: Session, channel: Channel, line: Delivery, problem: Failed | None) -> None:
    """Log an attempt, and count failures in a row; a refusal for good counts as many.

    The first failure makes the row of a mail channel, which needs none before.
    """
    session.add(line)
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


def _send(me: str, person: Person, letters: list[Letter]) -> None:
    """Go through the channels; a spare one is tried as soon as the others have failed."""
    session, tried = db.session(), set[str]()
    while channel := _next_way(person, letters, tried):
        tried.add(channel.kind)
        through = [letter for letter in letters if channel.kind not in letter.told]
        jobs = [letter.job for letter in through]
        message = compose(session, person.user, channel.kind, jobs)
        session.rollback()  # Nothing is held open while the other side takes its time.
        if message is None:
            break
        line, problem = attempt(person.user, channel, message)
        for letter in through:
            if problem is None:
                letter.told.append(channel.kind)
            else:
                letter.is_hopeful |= not problem.for_good
                letter.wait = max(letter.wait, problem.wait)
        with writing() as tx:
            # At once: a worker that dies later must not have it sent here again.
            log(tx, channel, line, problem)
            for letter in through:
                outbox.note_told(tx, me, letter.job, letter.told)
            if _next_way(person, letters, tried) is None:
                _settle(tx, me, letters, tried)
                return
    with writing() as tx:
        _settle(tx, me, letters, tried)


def _next_way(person: Person, letters: list[Letter], tried: set[str]) -> Channel | None:
    ways = (way for letter in letters for way in person.ways(letter.told))
    return next((way for way in ways if way.kind not in tried), None)


def _settle(session: Session, me: str, letters: list[Letter], tried: set[str]) -> None:
    for letter in letters:
        job = letter.job
        if letter.is_hopeful and job.attempts < MOST_ATTEMPTS:
            when = outbox.retry_at(job.attempts, letter.wait)
            outbox.put_off(session, me, job, when, job.attempts)
        elif letter.told:
            outbox.finish(session, me, job, SENT)
        else:
            outbox.finish(session, me, job, FAILED if tried else ON_SITE)
