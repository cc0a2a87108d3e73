"""Calls in a chat: whoever is named after an @ and sits at the table is told."""

import re
from collections.abc import Iterable

from sqlalchemy import delete, select

from stockpile_web.match.table_view import Glance
from stockpile_web.match.turn import Turn
from stockpile_web.storage.models.notices import MENTION, Notice

_CALLED = re.compile(r"(?<![\w.+-])@([a-z0-9_-]+)", re.ASCII)


def called_in(text: str, seen: Glance) -> list[int]:
    """Return who is called by a message of this viewer; a bot, a stranger and oneself are not."""
    named = set(_CALLED.findall(text.casefold()))
    others = (seat for seat in seen.seats if seat.number != seen.viewer)
    return [
        seat.user_id
        for seat in others
        if seat.user_id is not None and seat.name.casefold() in named
    ]


def call(turn: Turn, users: Iterable[int]) -> None:
    """Leave a notice for those who are called, unless an earlier one of this table is unseen."""
    match, connection = turn.match, turn.connection
    calls = (Notice.match_id == match.id, Notice.event == MENTION)
    unseen = select(Notice.user_id).where(*calls, Notice.seen_at.is_(None))
    waiting = set(connection.scalars(unseen))
    called = [user for user in users if user not in waiting]
    # One that was seen at this version of the match makes room.
    old = delete(Notice).where(*calls, Notice.version == match.version, Notice.user_id.in_(called))
    connection.execute(old)
    turn.news += [(MENTION, user) for user in called]
