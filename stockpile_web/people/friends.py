"""Friends: a person's own list of those they like to play with. Nobody learns who is on it."""

from sqlalchemy import and_, delete, func, insert, select

from stockpile_web.people import Database, Refusal, Somebody
from stockpile_web.people.blocks import is_blocked
from stockpile_web.storage.database import now
from stockpile_web.storage.models.acquaintances import Block, Friend
from stockpile_web.storage.models.matches import Match, Seat
from stockpile_web.storage.models.people import User
from stockpile_web.storage.names import key_of

MOST_FRIENDS = 100
# Of how many matches, the newest first, and how many people are offered.
LAST_MATCHES, MOST_OFFERED = 100, 30


def named(database: Database, typed: str, *, guests_too: bool = False) -> Somebody:
    """Find a person by their name; guests only for whoever wants to be rid of one."""
    key = key_of(typed.strip().removeprefix("@"))
    known = select(User.id, User.name).where(User.name_key == key)
    if not guests_too:
        known = known.where(User.guest_until.is_(None))
    row = database.execute(known).first()
    if row is None:
        raise Refusal("Nobody here has this name. Look at how they write it.")
    return Somebody(row.id, row.name)


def add(database: Database, user_id: int, friend_id: int) -> None:
    """Put somebody on a person's list."""
    if friend_id == user_id:
        raise Refusal("That is you: your list is for others.")
    if is_blocked(database, user_id, friend_id):
        raise Refusal("You have blocked them: unblock them first.")
    mine = Friend.user_id == user_id
    if database.scalar(select(Friend.user_id).where(mine, Friend.friend_id == friend_id)):
        return
    if (database.scalar(select(func.count()).where(mine)) or 0) >= MOST_FRIENDS:
        raise Refusal(f"Your list has {MOST_FRIENDS} names: take somebody off it first.")
    row = {"user_id": user_id, "friend_id": friend_id, "made_at": now()}
    database.execute(insert(Friend).values(row))


def remove(database: Database, user_id: int, friend_id: int) -> None:
    """Take somebody off a person's list."""
    mine = and_(Friend.user_id == user_id, Friend.friend_id == friend_id)
    database.execute(delete(Friend).where(mine))


def list_of(database: Database, user_id: int) -> list[Somebody]:
    """Return a person's friends in the order of their names."""
    rows = database.execute(
        select(User.id, User.name)
        .join(Friend, Friend.friend_id == User.id)
        .where(Friend.user_id == user_id)
        .order_by(User.name_key)
    )
    return [Somebody(*row) for row in rows]


def played_with(database: Database, user_id: int) -> list[Somebody]:
    """Return with whom a person has played, the newest first, but for friends and the blocked."""
    mine = (
        select(Seat.match_id)
        .where(Seat.user_id == user_id)
        .order_by(Seat.match_id.desc())
        .limit(LAST_MATCHES)
    )
    friends = select(Friend.friend_id).where(Friend.user_id == user_id)
    blocked = select(Block.blocked_id).where(Block.user_id == user_id)
    rows = database.execute(
        select(User.id, User.name)
        .join(Seat, Seat.user_id == User.id)
        .join(Match, Match.id == Seat.match_id)
        .where(Seat.match_id.in_(mine), Match.started_at.is_not(None))
        .where(User.id != user_id, User.deleted_at.is_(None), User.guest_until.is_(None))
        .where(User.id.not_in(friends), User.id.not_in(blocked))
        .group_by(User.id, User.name)
        .order_by(func.max(Seat.match_id).desc(), User.id)
        .limit(MOST_OFFERED)
    )
    return [Somebody(*row) for row in rows]
