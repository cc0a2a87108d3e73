"""Calls in a chat: whoever is named after an @ and sits at the table is told."""

import re
from collections.abc import Iterable

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from stockpile_web.match.table_view import Glance
from stockpile_web.storage import outbox
from stockpile_web.storage.database import now
from stockpile_web.storage.models.matches import Match
from stockpile_web.storage.models.notices import MENTION, Notice

_CALLED = re.compile(r"(?<![\w.+-])@([a-z0-9_-]+)", re.ASCII)


def called_in(text: str, seen: Glance) -> list[int]:
    """Return who is called by a message of this viewer; a bot, a stranger and oneself are not."""
    named = set(_CALLED.findall(text.casefold()))
    others = (chair for chair in seen.chairs if chair.seat != seen.viewer)
    return [
        chair.user_id
        for chair in others
        if chair.user_id is not None and chair.name.casefold() in named
    ]


def call(session: Session, match_id: int, users: Iterable[int]) -> None:
    """Leave a notice for those who are called, unless an earlier one of this table is unseen.

    The row of the match must be locked, as it is once its count of messages has gone up.
    """
    version = session.scalars(select(Match.version).where(Match.id == match_id)).one()
    calls = (Notice.match_id == match_id, Notice.event == MENTION)
    waiting = set(session.scalars(select(Notice.user_id).where(*calls, Notice.seen_at.is_(None))))
    called = [user for user in users if user not in waiting]
    # One that was seen at this version of the match makes room.
    old = delete(Notice).where(*calls, Notice.version == version, Notice.user_id.in_(called))
    session.execute(old)
    news = [(MENTION, user) for user in called]
    outbox.write(session.connection(), match_id, version, now(), [], news)
