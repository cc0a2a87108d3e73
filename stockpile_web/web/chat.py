"""Saying something to a table, and calling those whom it names."""

from sqlalchemy import func, select

from stockpile_web.match import calls
from stockpile_web.match.glance import Glance
from stockpile_web.match.turn import changing
from stockpile_web.notify import mentions
from stockpile_web.people import blocks
from stockpile_web.storage.models.matches import Message
from stockpile_web.storage.models.notices import MENTION
from stockpile_web.storage.transactions import reading
from stockpile_web.web import rate_limits
from stockpile_web.web.auth import me

LONGEST_MESSAGE = 500
TOO_LONG = f"A message has at most {LONGEST_MESSAGE} characters."
CALLS = rate_limits.Limit("call in a chat", 10, 60)


def say(seen: Glance, text: str) -> None:
    """Say `text` to a table in the name of whoever asks, who sits there."""
    called = mentions.called_in(text, seen) if seen.match.started_at else []
    if called:
        away = blocks.who_block(reading(), me().id, called)
        called = [user for user in called if user not in away]
    if called and not _may_call():
        called = []
    with changing(seen.match.id) as turn:
        turn.say(me().id, text)
        calls.call(turn, MENTION, called)


def mark_as_read(match_id: int) -> None:
    """Note that whoever asks, who sits there, has read all that was said at a table."""
    newest = select(func.max(Message.id)).where(Message.match_id == match_id)
    with changing(match_id) as turn:
        turn.seat_of(me().id).chat_seen = turn.connection.scalar(newest) or 0


def _may_call() -> bool:
    """Count a message that calls; tell whether this person has not called too often."""
    try:
        rate_limits.count((CALLS, str(me().id)))
    except rate_limits.TooMany:
        return False
    return True
