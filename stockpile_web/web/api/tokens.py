"""Which program asks, and in whose name: by the token that it sends, and by nothing else."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from flask import g, request
from sqlalchemy import bindparam, select, update

from stockpile_web.storage.compiled_sql import Statement
from stockpile_web.storage.database import now
from stockpile_web.storage.models import ApiToken, User
from stockpile_web.storage.models.people import Visitor
from stockpile_web.storage.transactions import reading, writing
from stockpile_web.web import busy
from stockpile_web.web.auth import HAS_BLOCKED, SEEN_EVERY, fingerprint

LONGEST = 100  # Characters; no token of ours has more.

# By its hash, of which there is one: how long it takes says nothing about any other.
_TOKEN = Statement(
    select(
        ApiToken.id, ApiToken.name, ApiToken.token_hash, ApiToken.may_play, ApiToken.ends_at,
        ApiToken.used_at, User.id, User.name, User.time_zone, HAS_BLOCKED,
    )
    .join(User, User.id == ApiToken.user_id)
    .where(
        ApiToken.token_hash == bindparam("token_hash"),
        User.deleted_at.is_(None),
        User.suspended_at.is_(None),
    ),
    alone=True,
)  # fmt: skip


@dataclass(frozen=True)
class Token:
    """A token that is good, and whose it is."""

    name: str
    key: str
    may_play: bool
    ends_at: datetime | None
    owner: Visitor


def token() -> Token:
    """Return the token of the program that asks."""
    known: Token = g.token
    return known


def find() -> Token | None:
    """Return the token that the request brings; None if it brings none, or one that has ended."""
    given = request.authorization
    if given is None or given.type != "bearer" or not given.token or len(given.token) > LONGEST:
        return None
    found = _TOKEN.row(reading(), token_hash=fingerprint(given.token))
    if found is None:
        return None
    number, name, key, may_play, ends_at, used_at, *owner, has_blocked = found
    moment = now()
    if ends_at is not None and ends_at <= moment:
        return None
    if used_at is None or used_at < moment - SEEN_EVERY:
        busy.unless_locked(partial(_note_used, number, moment))
    user_id, user_name, zone = owner
    # A program sees no more for being an administrator's, and no address of anybody's.
    person = Visitor(user_id, user_name, None, zone, False, 0, "", bool(has_blocked))
    return Token(name, key, bool(may_play), ends_at, person)


def _note_used(number: int, moment: datetime) -> None:
    with writing() as tx:
        tx.execute(update(ApiToken).where(ApiToken.id == number).values(used_at=moment))
