"""Queueing what is due: what is still worth telling, and through which channels.

It waits for nobody: everything here is one transaction.
"""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import bindparam, exists, func, select
from sqlalchemy.orm import Session, aliased

from stockpile_web.notify import digest, lanes, recipients
from stockpile_web.notify.recipients import Person
from stockpile_web.storage import due_notices, send_queue
from stockpile_web.storage.compiled_sql import Statement
from stockpile_web.storage.due_notices import Entry
from stockpile_web.storage.models.acquaintances import Invitation
from stockpile_web.storage.models.matches import ASKS_TO_CLOSE, OPEN, PLAYING, Match, Seat
from stockpile_web.storage.models.notices import (
    CLOSING,
    DAILY,
    INVITED,
    OF_A_TURN,
    ON_SITE,
    PASSED,
    REMATCH,
    SEEN,
    UNWANTED,
)
from stockpile_web.storage.transactions import advisory_lock

# Of whom everything that is due is queued at once.
PEOPLE = 32
AFTER_TROUBLE = timedelta(hours=1)

# The turn that a notice tells of is still to be taken.
_STILL_ASKED = Statement(
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

# The host still asks whether to close the table.
_STILL_CLOSING = Statement(
    select(Seat.id)
    .join(Match)
    .where(
        Match.id == bindparam("match_id"),
        Match.status == PLAYING,
        Seat.user_id == Match.host_id,
        Seat.votes.contains(ASKS_TO_CLOSE),
    )
)
# The next match has not begun and was not closed, and waits for their answer.
_NEXT = aliased(Match)
_STILL_ASKED_AGAIN = Statement(
    select(_NEXT.id)
    .join(Match, Match.rematch_id == _NEXT.id)
    .join(Invitation, Invitation.match_id == _NEXT.id)
    .where(
        Match.id == bindparam("match_id"),
        _NEXT.status == OPEN,
        Invitation.user_id == bindparam("user_id"),
        ~Invitation.is_declined,
        ~exists().where(Seat.match_id == _NEXT.id, Seat.user_id == Invitation.user_id),
    )
)

# The invitation waits for an answer, and a seat is free.
_SITTING = select(func.count()).where(Seat.match_id == Match.id).scalar_subquery()
_STILL_INVITED = Statement(
    select(Match.id)
    .join(Invitation, Invitation.match_id == Match.id)
    .where(
        Match.id == bindparam("match_id"),
        Match.status == OPEN,
        Match.size > _SITTING,
        Invitation.user_id == bindparam("user_id"),
        Invitation.is_told,
        ~Invitation.is_declined,
        ~exists().where(Seat.match_id == Match.id, Seat.user_id == Invitation.user_id),
    )
)

log = logging.getLogger(__name__)


def queue_due(session: Session, moment: datetime) -> int:
    """Queue what is due of some people, or settle it, or put it off; return how many they were."""
    advisory_lock(session, "queue notices")
    found = due_notices.due(session, moment, PEOPLE)
    if not found:
        return 0
    people = recipients.find(session, found)
    with_hooks = [user for user, person in people.items() if person.has_hooks()]
    records = lanes.records(session, with_hooks, moment)
    jobs: list[tuple[int, int | None, str, str]] = []
    queued: list[int] = []
    for user_id, notices in found.items():
        person, record = people.get(user_id), records.get(user_id, lanes.Record())
        try:
            ready = _sort(session, person, notices, moment)
        except Exception:  # All the others must not wait for this one.
            log.exception("What is to be told to somebody could not be queued")
            later = moment + AFTER_TROUBLE
            due_notices.put_off(session, [(notice.id, later) for notice in notices])
            continue
        channels = person.channels_to_use() if person is not None else []
        if channels:
            queued += [notice.id for notice in ready]
            jobs += [
                (user_id, notice.id, channel.kind, record.lane(channel.kind).name)
                for notice in ready
                for channel in channels
            ]
        else:
            due_notices.finish(session, [(notice.id, ON_SITE) for notice in ready])
    send_queue.add(session, jobs)
    due_notices.mark_queued(session, queued)
    return len(found)


def reason_to_skip(
    session: Session, person: Person | None, notice: Entry, seen_at: datetime | None
) -> str | None:
    """Say why a notice need not be sent any more; None if it must."""
    # What is told once a day is told as long as a table waits, seen or not.
    if not notice.daily and seen_at is not None:
        return SEEN
    if not _is_still_so(session, notice):
        return PASSED
    if person is None or not person.wants(notice.event):
        return UNWANTED
    is_for_later = person.choice.daily_hour is not None and notice.event in digest.DEFERRED
    return DAILY if is_for_later and not notice.daily else None


def _is_still_so(session: Session, notice: Entry) -> bool:
    """Tell whether what a notice tells of has not passed meanwhile."""
    connection, match_id = session.connection(), notice.match_id
    if notice.event in OF_A_TURN:
        turn = {"user_id": notice.user_id, "version": notice.version}
        return _STILL_ASKED.value(connection, match_id=match_id, **turn) is not None
    if notice.event == CLOSING:
        return _STILL_CLOSING.value(connection, match_id=match_id) is not None
    if notice.event == REMATCH:
        user = notice.user_id
        return _STILL_ASKED_AGAIN.value(connection, match_id=match_id, user_id=user) is not None
    if notice.event == INVITED:
        user = notice.user_id
        return _STILL_INVITED.value(connection, match_id=match_id, user_id=user) is not None
    return True


def _sort(
    session: Session, person: Person | None, notices: Sequence[Entry], moment: datetime
) -> list[Entry]:
    """Settle what need not be told, put off what is for later, and return the rest."""
    ready, settled, later = [], [], []
    for notice in notices:
        outcome = reason_to_skip(session, person, notice, notice.seen_at)
        if outcome is not None or person is None:
            settled.append((notice.id, outcome or UNWANTED))
        elif (when := person.when(notice, moment)) > moment:
            later.append((notice.id, when))
        else:
            ready.append(notice)
    due_notices.finish(session, settled)
    due_notices.put_off(session, later)
    return ready
