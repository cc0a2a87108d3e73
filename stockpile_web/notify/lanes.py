"""Lanes: which threads of the worker wait for whom, so that nobody's silence delays anybody else.

Others call them bulkheads: each has threads and a time limit of its own.

Mail and Telegram have a lane each: they wait for servers of the host's. Webhooks and pushes go to
addresses that people type, and some never answer. They have three lanes, by what the delivery log
says of their owner:

answering  this channel has taken something lately
new        this channel has not taken anything yet
slow       one of this person's hooks has let us wait within the last hour

In each lane there is one thread at a time at work for a person (`send_queue.claim`), and in the
first two it reads the log before it waits: whoever has let it wait is sent to the slow lane, with
all that is queued for them, for an hour. So an account can keep one thread of each of those lanes
for one time limit an hour, however many hooks and host names it has; after that it waits among its
like. In the slow lane those who fail go last.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import and_, case, func, select
from sqlalchemy.orm import Session

from stockpile_web.storage.database import now
from stockpile_web.storage.models.notices import Delivery

# To be slow is to take longer than this, whatever is said then.
SLOW_SECONDS = 2.0
SLOW_FOR = timedelta(hours=1)
ANSWERED_WITHIN = timedelta(days=7)


class Lane(NamedTuple):
    """So many threads, each with a time limit for whoever they wait for."""

    name: str
    threads: int
    timeout: float  # Seconds, for one message.
    batch: int = 1  # People whose messages a thread leases at once.
    # Whoever has let us wait lately, person or host, is left to the slow lane.
    is_for_the_quick: bool = False
    failing_last: bool = False


MAIL = Lane("mail", threads=4, timeout=20, batch=4)
TELEGRAM = Lane("telegram", threads=2, timeout=10)
ANSWERING = Lane("answering", threads=8, timeout=5, is_for_the_quick=True)
NEW = Lane("new", threads=12, timeout=3, is_for_the_quick=True)
SLOW = Lane("slow", threads=4, timeout=10, failing_last=True)
LANES = (MAIL, TELEGRAM, ANSWERING, NEW, SLOW)

_OF_THE_HOST = {"mail": MAIL, "telegram": TELEGRAM}


@dataclass
class Record:
    """What the delivery log says of a person's hooks."""

    is_slow: bool = False
    answering: set[str] = field(default_factory=set)

    def lane(self, kind: str) -> Lane:
        """Return the lane in which to send through a channel."""
        if lane := _OF_THE_HOST.get(kind):
            return lane
        if self.is_slow:
            return SLOW
        return ANSWERING if kind in self.answering else NEW


def records(session: Session, users: Iterable[int], moment: datetime) -> dict[int, Record]:
    """Read the delivery log of people who have hooks."""
    found = {user: Record() for user in users}
    if not found:
        return found
    is_slow = and_(Delivery.took > SLOW_SECONDS, Delivery.sent_at > moment - SLOW_FOR)
    lately = (
        select(Delivery.user_id, Delivery.kind, _any(Delivery.accepted), _any(is_slow))
        .where(Delivery.user_id.in_(found), Delivery.sent_at > moment - ANSWERED_WITHIN)
        .where(Delivery.kind.not_in(_OF_THE_HOST))
        .group_by(Delivery.user_id, Delivery.kind)
    )
    for user_id, kind, has_answered, was_slow in session.execute(lately):
        found[user_id].is_slow |= bool(was_slow)
        if has_answered:
            found[user_id].answering.add(kind)
    return found


def _any(condition: Any) -> Any:
    return func.max(case((condition, 1), else_=0))


def is_slow(session: Session, user_id: int) -> bool:
    """Tell whether a person has let us wait lately."""
    return records(session, [user_id], now())[user_id].is_slow


def is_hook(kind: str) -> bool:
    """Tell whether a channel leads to an address that a person has chosen."""
    return kind not in _OF_THE_HOST
