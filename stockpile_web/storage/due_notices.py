"""Notices that are due: the outbox as the worker takes them from it.

It queues a notice for each channel of its person (`send_queue`), in one transaction; the notice is
done when it is on no queue any more.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import NamedTuple

from sqlalchemy import and_, bindparam, case, delete, exists, not_, select, update
from sqlalchemy.orm import Session

from stockpile_web.storage.compiled_sql import Statement
from stockpile_web.storage.database import now
from stockpile_web.storage.due import earliest
from stockpile_web.storage.models.notices import SENT, Delivery, Notice, SendJob

# What falls due this soon after goes into the same message.
BUNDLE = timedelta(seconds=3)
KEEP = timedelta(days=30)
LOOKED_AT = 10  # Notices for each person wanted: few have more that wait at once.

_WAITING = and_(Notice.done_at.is_(None), not_(Notice.queued))
# When the next notice falls due.
NEXT = earliest(Notice.due_at, _WAITING)
_THIS = Notice.id == bindparam("which")
_MOMENT = bindparam("moment", type_=Notice.done_at.type)
_LOCK = Statement(select(Notice.told).where(_THIS).with_for_update())
_QUEUED = Statement(update(Notice).where(_THIS).values(queued=True))
_LATER = Statement(update(Notice).where(_THIS).values(due_at=bindparam("moment")))
_DONE = Statement(
    update(Notice).where(_THIS).values(done_at=bindparam("moment"), outcome=bindparam("what"))
)
_IS_ON_NO_QUEUE = ~exists().where(SendJob.notice_id == Notice.id)
# If moving or looking has settled it meanwhile: it was sent all the same.
_TAKEN = Statement(
    update(Notice)
    .where(_THIS)
    .values(
        told=case((Notice.told == "", ""), else_=Notice.told + " ") + bindparam("by"),
        done_at=case((_IS_ON_NO_QUEUE, _MOMENT), else_=Notice.done_at),
        outcome=case((_IS_ON_NO_QUEUE, SENT), else_=Notice.outcome),
    )
)
_SETTLED = Statement(
    update(Notice)
    .where(_THIS, Notice.done_at.is_(None), _IS_ON_NO_QUEUE)
    .values(
        done_at=bindparam("moment"),
        outcome=case((Notice.told != "", SENT), else_=bindparam("otherwise")),
    )
)


class Entry(NamedTuple):
    """A notice as a worker takes it on: a copy, which no later transaction changes."""

    id: int
    user_id: int
    match_id: int
    event: str
    version: int
    made_at: datetime
    seen_at: datetime | None
    told: str
    daily: bool


COLUMNS = [getattr(Notice, name) for name in Entry._fields]


def due(session: Session, moment: datetime, most: int) -> dict[int, list[Entry]]:
    """Return what is due and not queued yet, by person, of whom there are `most`.

    It is read in the order in which it waits, by the index of that alone. What falls due soon is
    for those only of whom something is due.
    """
    waiting = (
        select(Notice.due_at, *COLUMNS)
        .where(_WAITING, Notice.due_at <= moment + BUNDLE)
        .order_by(Notice.due_at)
        .limit(LOOKED_AT * most)
        .with_for_update(skip_locked=True)  # SQLite: we are the only writer.
    )
    rows = session.execute(waiting).all()
    persons = dict.fromkeys(row.user_id for row in rows if row.due_at <= moment)
    found: dict[int, list[Entry]] = {person: [] for person in islice(persons, most)}
    for _, *columns in sorted(rows, key=lambda row: row.id):
        entry = Entry(*columns)
        if entry.user_id in found:
            found[entry.user_id].append(entry)
    return found


def mark_queued(session: Session, notices: Sequence[int]) -> None:
    """Note that notices are on their queues."""
    if notices:
        _QUEUED.run(session.connection(), *({"which": each} for each in notices))


def put_off(session: Session, later: Sequence[tuple[int, datetime]]) -> None:
    """Take notices up again when their moment comes."""
    if later:
        rows = [{"which": notice, "moment": moment} for notice, moment in later]
        _LATER.run(session.connection(), *rows)


def finish(session: Session, settled: Sequence[tuple[int, str]]) -> None:
    """Note what became of notices that are sent to nobody."""
    if settled:
        rows = [{"which": each, "moment": now(), "what": outcome} for each, outcome in settled]
        _DONE.run(session.connection(), *rows)


def lock(session: Session, notices: Sequence[int]) -> dict[int, list[str]]:
    """Let no other worker settle these notices until the end of this transaction.

    Otherwise two that take a notice off its last two queues at once would each see the other.
    Return which channels have taken them so far.
    """
    connection = session.connection()
    return {each: str(_LOCK.value(connection, which=each)).split() for each in sorted(notices)}


def note_taken(session: Session, notices: Sequence[int], kind: str) -> None:
    """Note that a channel has taken notices, and that those on no other queue are done."""
    if notices:
        rows = [{"which": each, "by": kind, "moment": now()} for each in notices]
        _TAKEN.run(session.connection(), *rows)


def settle(session: Session, notices: Sequence[int], otherwise: str) -> None:
    """Note that those on no queue any more are done: sent if anyone took them, or `otherwise`."""
    if notices:
        rows = [{"which": each, "moment": now(), "otherwise": otherwise} for each in notices]
        _SETTLED.run(session.connection(), *rows)


def prune(session: Session, most: int = 100) -> bool:
    """Forget notices and deliveries that nobody will ask for any more; tell if there may be more.

    They are as old as their numbers: only the `most` oldest are looked at, so that it takes no
    longer where there are many, and moves wait for none of it.
    """
    long_ago = now() - KEEP
    is_old = (Notice.made_at < long_ago, Notice.done_at.is_not(None))
    oldest = select(Notice.id).order_by(Notice.id).limit(most)
    gone = delete(Notice).where(Notice.id.in_(oldest), *is_old).returning(Notice.id)
    notices = session.scalars(gone).all()
    first = select(Delivery.id).order_by(Delivery.id).limit(most)
    past = delete(Delivery).where(Delivery.id.in_(first), Delivery.sent_at < long_ago)
    deliveries = session.scalars(past.returning(Delivery.id)).all()
    return bool(notices or deliveries)
