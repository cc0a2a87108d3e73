"""The outbox: notices written in the transaction of a move, and what people have seen of them.

The worker takes them from here when they are due (`due_notices`).
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, bindparam, case, func, insert, select, update
from sqlalchemy.orm import Session

from stockpile_web.storage.compiled_sql import Statement
from stockpile_web.storage.database import now
from stockpile_web.storage.models.notices import OF_A_TURN, PASSED, SEEN, Notice

# Long enough for an open page to say that it has shown the news.
SETTLE = timedelta(seconds=1)
# Whoever has just moved is most likely still looking.
SETTLE_OF_MOVER = timedelta(minutes=2)

_NEWS = ("user_id", "match_id", "event", "version", "made_at", "due_at")
_WRITE = Statement(insert(Notice).values(queued=False, told="", daily=False), _NEWS)
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
_UNSEEN = Statement(
    select(func.count(Notice.match_id.distinct())).where(
        Notice.user_id == bindparam("user_id"),
        Notice.seen_at.is_(None),
        Notice.match_id != bindparam("but"),
    )
)


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


def withdraw(
    connection: Connection, match_id: int, version: int, moment: datetime, people: Sequence[int]
) -> None:
    """Let people not be told of turns that a match has asked for since `version`, if none was yet.

    What a channel has taken was told, and stays.
    """
    connection.execute(
        update(Notice)
        .where(
            Notice.match_id == match_id,
            Notice.user_id.in_(people),
            Notice.event.in_(OF_A_TURN),
            Notice.version > version,
            Notice.told == "",
            Notice.seen_at.is_(None),
        )
        .values(seen_at=moment, done_at=moment, outcome=PASSED)
    )


def unseen(connection: Connection, user_id: int, but: int = 0) -> int:
    """Return of how many tables a person has not seen the news; one of them may be left out."""
    return int(_UNSEEN.value(connection, user_id=user_id, but=but))


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
