"""Notices that may come more than once between two moves: calls in a chat, and questions."""

from collections.abc import Iterable

from sqlalchemy import delete, select

from stockpile_web.match.turn import Turn
from stockpile_web.storage.models.notices import Notice


def call(turn: Turn, event: str, users: Iterable[int]) -> None:
    """Leave a notice for `users`, but for those who have not seen an earlier one of this table."""
    match, connection = turn.match, turn.connection
    asked = list(users)
    calls = (Notice.match_id == match.id, Notice.event == event, Notice.user_id.in_(asked))
    unseen = select(Notice.user_id).where(*calls, Notice.seen_at.is_(None))
    waiting = set(connection.scalars(unseen))
    called = [user for user in asked if user not in waiting]
    # One that was seen at this version of the match makes room.
    old = delete(Notice).where(*calls, Notice.version == match.version, Notice.user_id.in_(called))
    connection.execute(old)
    turn.news += [(event, user) for user in called]
