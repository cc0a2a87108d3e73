"""Blocks: of whom somebody wants to hear no more. Whoever is blocked is not told.

All that depends on it asks here: sitting down at a table, invitations, calls in a chat, profiles.
"""

from collections.abc import Collection

from sqlalchemy import and_, delete, func, insert, or_, select

from stockpile_web.people import Database, Refusal, Somebody
from stockpile_web.storage.database import now
from stockpile_web.storage.models.acquaintances import Block, Friend, Invitation
from stockpile_web.storage.models.notices import INVITED, Notice
from stockpile_web.storage.models.people import User

MOST_BLOCKED = 500


def is_blocked(database: Database, by: int, whom: int) -> bool:
    """Tell whether `by` has blocked `whom`."""
    found = select(Block.user_id).where(Block.user_id == by, Block.blocked_id == whom)
    return database.scalar(found) is not None


def blocked_by(database: Database, user_id: int) -> frozenset[int]:
    """Return all whom a person has blocked."""
    return frozenset(database.scalars(select(Block.blocked_id).where(Block.user_id == user_id)))


def apart(database: Database, user_id: int, others: Collection[int]) -> set[int]:
    """Return those of `others` who have blocked a person, or whom that person has blocked."""
    mine = and_(Block.user_id == user_id, Block.blocked_id.in_(others))
    theirs = and_(Block.blocked_id == user_id, Block.user_id.in_(others))
    rows = database.execute(select(Block.user_id, Block.blocked_id).where(or_(mine, theirs)))
    return {person for row in rows for person in row} - {user_id}


def who_block(database: Database, user_id: int, others: Collection[int]) -> set[int]:
    """Return those of `others` who have blocked a person."""
    theirs = select(Block.user_id).where(Block.blocked_id == user_id, Block.user_id.in_(others))
    return set(database.scalars(theirs))


def block(database: Database, user_id: int, whom: int) -> None:
    """Block somebody. Invitations between the two are void; matches that have begun go on."""
    if whom == user_id:
        raise Refusal("You cannot block yourself.")
    if is_blocked(database, user_id, whom):
        return
    theirs = select(func.count()).where(Block.user_id == user_id)
    if (database.scalar(theirs) or 0) >= MOST_BLOCKED:
        raise Refusal(f"You have blocked {MOST_BLOCKED} people: unblock somebody first.")
    row = {"user_id": user_id, "blocked_id": whom, "made_at": now()}
    database.execute(insert(Block).values(row))
    mine = and_(Friend.user_id == user_id, Friend.friend_id == whom)
    database.execute(delete(Friend).where(mine))
    for asked, by in ((user_id, whom), (whom, user_id)):
        between = and_(Invitation.user_id == asked, Invitation.by_id == by)
        tables = select(Invitation.match_id).where(between).scalar_subquery()
        told = (Notice.user_id == asked, Notice.event == INVITED, Notice.match_id.in_(tables))
        database.execute(delete(Notice).where(*told))
        database.execute(delete(Invitation).where(between))


def unblock(database: Database, user_id: int, whom: int) -> None:
    """Hear of somebody again."""
    mine = and_(Block.user_id == user_id, Block.blocked_id == whom)
    database.execute(delete(Block).where(mine))


def list_of(database: Database, user_id: int) -> list[Somebody]:
    """Return whom a person has blocked, in the order of their names."""
    blocked = select(User.id, User.name).join(Block, Block.blocked_id == User.id)
    theirs = blocked.where(Block.user_id == user_id).order_by(User.name_key)
    return [Somebody(*row) for row in database.execute(theirs)]
