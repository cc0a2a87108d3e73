"""Invitations by name: whom somebody may ask to a table in one press, and whom that reaches.

Whoever invites must not learn who has them on their list of friends, nor who has blocked them. So
all that they see follows from what both know anyway: that they share a group, or have sat at one
table. Everybody can be invited; those who know nothing of the inviter are not told of it.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import NamedTuple

from sqlalchemy import and_, exists, func, insert, select, union, update
from sqlalchemy.orm import aliased

from stockpile_web.people import Database, Refusal, Somebody
from stockpile_web.people.blocks import is_blocked
from stockpile_web.storage import outbox
from stockpile_web.storage.database import now
from stockpile_web.storage.models.acquaintances import Block, Friend, Invitation, Member
from stockpile_web.storage.models.matches import OPEN, Match, Seat
from stockpile_web.storage.models.people import User

MOST_AT_A_TABLE = 20
MOST_OFFERED = 60
# An older invitation is no longer shown in the list of tables.
SHOWN_FOR, MOST_SHOWN = timedelta(days=30), 20


class Asked(NamedTuple):
    """Somebody who was invited to a table, as those who sit there see it."""

    name: str
    is_declined: bool
    needs_link: bool  # They may know nothing of the inviter, and then hear nothing.


def invite(database: Database, match_id: int, by: int, whom: int) -> bool:
    """Invite somebody to a table, once; tell whether they are to hear of it."""
    here = Invitation.match_id == match_id
    if is_blocked(database, by, whom):
        raise Refusal("You have blocked them: unblock them first.")
    if database.scalar(select(Invitation.user_id).where(here, Invitation.user_id == whom)):
        raise Refusal("They have been invited already.")
    if (database.scalar(select(func.count()).where(here)) or 0) >= MOST_AT_A_TABLE:
        raise Refusal("That were many invitations: send the link to others.")
    is_told = _reaches(database, by, whom)
    database.execute(
        insert(Invitation).values(
            match_id=match_id, user_id=whom, by_id=by, made_at=now(), is_told=is_told
        )
    )
    return is_told


def decline(database: Database, match_id: int, user_id: int) -> None:
    """Let somebody decline an invitation; nothing of it is left to tell them."""
    mine = and_(Invitation.match_id == match_id, Invitation.user_id == user_id)
    database.execute(update(Invitation).where(mine, Invitation.is_told).values(is_declined=True))
    outbox.see(database, user_id, match_id, 0)


def inviter(database: Database, match_id: int, user_id: int) -> str | None:
    """Return who has invited a person to a table, if that waits for an answer."""
    name: str | None = database.scalar(
        select(User.name)
        .join(Invitation, Invitation.by_id == User.id)
        .where(Invitation.match_id == match_id, Invitation.user_id == user_id, *_WAITS)
    )
    return name


def is_told(database: Database, match_id: int, user_id: int) -> bool:
    """Tell whether a person knows that they are invited to a table, whatever they answered."""
    mine = (Invitation.match_id == match_id, Invitation.user_id == user_id)
    found = select(Invitation.user_id).where(*mine, Invitation.is_told)
    return database.scalar(found) is not None


def who_declined(database: Database, match_id: int) -> set[int]:
    """Return who was invited to a table and has declined."""
    here = (Invitation.match_id == match_id, Invitation.is_declined)
    return set(database.scalars(select(Invitation.user_id).where(*here)))


def waiting_for(database: Database, user_id: int) -> list[int]:
    """Return the tables to which a person is invited and has not answered, the newest first."""
    sits_there = exists().where(Seat.match_id == Match.id, Seat.user_id == user_id)
    tables = (
        select(Match.id)
        .join(Invitation, Invitation.match_id == Match.id)
        .where(Invitation.user_id == user_id, *_WAITS)
        .where(Invitation.made_at > now() - SHOWN_FOR, Match.status == OPEN, ~sits_there)
        .order_by(Invitation.made_at.desc())
        .limit(MOST_SHOWN)
    )
    return list(database.scalars(tables))


def asked_to(database: Database, match_id: int, viewer: int) -> list[Asked]:
    """Return who was invited to a table and does not sit there, as `viewer` may see it."""
    sits_there = exists().where(Seat.match_id == match_id, Seat.user_id == Invitation.user_id)
    rows = database.execute(
        select(Invitation.user_id, User.name, Invitation.is_declined, Invitation.by_id)
        .join(User, User.id == Invitation.user_id)
        .where(Invitation.match_id == match_id, ~sits_there, User.deleted_at.is_(None))
        .order_by(Invitation.made_at)
    ).all()
    known = met(database, viewer, [row.user_id for row in rows if row.by_id == viewer])
    return [
        Asked(row.name, row.is_declined, row.by_id == viewer and row.user_id not in known)
        for row in rows
    ]


def candidates(
    database: Database, match_id: int, group_id: int | None, user_id: int
) -> list[Somebody]:
    """Return whom somebody may invite in one press: friends, and members of the table's group."""
    friends = select(Friend.friend_id).where(Friend.user_id == user_id)
    members = select(Member.user_id).where(Member.group_id == group_id)
    rows = database.execute(
        select(User.id, User.name)
        .where(User.id.in_(friends if group_id is None else union(friends, members)))
        .where(User.id != user_id, User.deleted_at.is_(None))
        .where(~exists().where(Block.user_id == user_id, Block.blocked_id == User.id))
        .where(~exists().where(Seat.match_id == match_id, Seat.user_id == User.id))
        .where(~exists().where(Invitation.match_id == match_id, Invitation.user_id == User.id))
        .order_by(User.name_key)
        .limit(MOST_OFFERED)
    )
    return [Somebody(*row) for row in rows]


def met(database: Database, user_id: int, others: Collection[int]) -> set[int]:
    """Return those of `others` who share a group with a person, or a match that has begun."""
    if not others:
        return set()
    my_group, my_seat = aliased(Member), aliased(Seat)
    by_group = (
        select(Member.user_id)
        .join(my_group, my_group.group_id == Member.group_id)
        .where(my_group.user_id == user_id, Member.user_id.in_(others))
    )
    by_table = (
        select(Seat.user_id)
        .join(my_seat, my_seat.match_id == Seat.match_id)
        .join(Match, Match.id == Seat.match_id)
        .where(my_seat.user_id == user_id, Seat.user_id.in_(others))
        .where(Match.started_at.is_not(None))
        .distinct()
    )
    return {*database.scalars(by_group), *filter(None, database.scalars(by_table))}


def _reaches(database: Database, by: int, whom: int) -> bool:
    """Tell whether somebody hears of an invitation: they know and do not block the inviter."""
    theirs = select(Friend.user_id).where(Friend.user_id == whom, Friend.friend_id == by)
    knows = database.scalar(theirs) is not None or bool(met(database, by, [whom]))
    return knows and not is_blocked(database, whom, by)


_WAITS = (Invitation.is_told, ~Invitation.is_declined)
