"""Groups: who is in one, and what its owner, its organisers and its members may do."""

import secrets
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, case, delete, func, insert, or_, select, update
from sqlalchemy.orm import Session

from stockpile_web.people import Database, Refusal
from stockpile_web.storage import names
from stockpile_web.storage.compiled_sql import Statement
from stockpile_web.storage.database import now
from stockpile_web.storage.models.acquaintances import (
    CLOSED_TO_ALL,
    ENTRIES,
    MEMBER,
    ORGANISER,
    OWNER,
    Group,
    Member,
)
from stockpile_web.storage.models.archive import Archived, list_of_group
from stockpile_web.storage.models.matches import Match
from stockpile_web.storage.models.people import FORMER_PLAYER, User
from stockpile_web.storage.names import isolated
from stockpile_web.storage.transactions import advisory_lock

MOST_GROUPS = 20  # Of one person.
MOST_MEMBERS = 200
LINK_LENGTH = 16

# What needs a role, and which; all else any member may do.
MAY = {
    "edit": (OWNER, ORGANISER),
    "renew": (OWNER, ORGANISER),
    "remove": (OWNER, ORGANISER),
    "organiser": (OWNER,),
    "member": (OWNER,),
    "owner": (OWNER,),
}

_ROLE = Statement(
    select(Member.role).where(
        Member.group_id == bindparam("group_id"), Member.user_id == bindparam("user_id")
    )
)
# The owner first, then organisers, then members, each in the order in which they came.
_RANK = (case((Member.role == OWNER, 0), (Member.role == ORGANISER, 1), else_=2), Member.joined_at)


class Listed(NamedTuple):
    """A group in a list."""

    id: int
    name: str
    about: str
    entry: str
    key: str
    members: int

    @property
    def shown_name(self) -> str:
        """The name, as it stands among other words."""
        return isolated(self.name)


class InGroup(NamedTuple):
    """A member as the page of a group shows them."""

    id: int
    name: str | None
    role: str

    @property
    def shown_name(self) -> str:
        """The name, as it stands among other words."""
        return isolated(self.name or FORMER_PLAYER)


def role_of(database: Database, group_id: int, user_id: int) -> str | None:
    """Return what somebody is in a group; None if they are not in it."""
    connection = database.connection() if isinstance(database, Session) else database
    role: str | None = _ROLE.value(connection, group_id=group_id, user_id=user_id)
    return role


def create(session: Session, owner_id: int, name: str, about: str, entry: str) -> int:
    """Found a group, whose name is tidy, and return its number."""
    _must_have_room(session, owner_id)
    group = Group(about=about, entry=entry, invitation=_new_link(), made_at=now())
    _call(session, group, name)
    session.add(group)
    session.flush()
    session.add(Member(group_id=group.id, user_id=owner_id, role=OWNER, joined_at=now()))
    return group.id


def edit(session: Session, group: Group, name: str, about: str, entry: str) -> None:
    """Change what a group is called, what is said of it, and who may join."""
    if entry not in ENTRIES:
        raise Refusal("Choose who may join.")
    _call(session, group, name)
    group.about, group.entry = about, entry


def renew_link(group: Group) -> None:
    """Give a group another link: the old one leads nowhere."""
    group.invitation = _new_link()


def join(session: Session, group: Group, user_id: int) -> None:
    """Let somebody into a group which they may join; whoever is in it already stays."""
    lock(session, group.id)
    if role_of(session, group.id, user_id) is not None:
        return
    if group.entry == CLOSED_TO_ALL:
        raise Refusal("This group takes in nobody just now.")
    _must_have_room(session, user_id)
    count = session.scalar(select(func.count()).where(Member.group_id == group.id)) or 0
    if count >= MOST_MEMBERS:
        raise Refusal(f"This group is full: it has {MOST_MEMBERS} members.")
    row = {"group_id": group.id, "user_id": user_id, "role": MEMBER, "joined_at": now()}
    session.execute(insert(Member).values(row))


def leave(session: Session, group_id: int, user_id: int) -> None:
    """Take somebody out of a group. Whose owner is gone is passed on; without members it goes."""
    lock(session, group_id)
    session.execute(delete(Member).where(_in(group_id, user_id)))
    first = select(Member.user_id).where(Member.group_id == group_id).order_by(*_RANK).limit(1)
    heir = session.scalar(first)
    if heir is None:
        _forget(session, group_id)
    else:  # Who is the owner, or is it now.
        session.execute(update(Member).where(_in(group_id, heir)).values(role=OWNER))


def leave_all(session: Session, user_id: int) -> None:
    """Take a person who deletes their account out of all groups."""
    for group_id in session.scalars(select(Member.group_id).where(Member.user_id == user_id)).all():
        leave(session, group_id, user_id)


def remove(session: Session, group: Group, by: str, user_id: int) -> None:
    """Put somebody out of a group; the link that they know leads nowhere any more."""
    role = role_of(session, group.id, user_id)
    if role is None:
        raise Refusal("They are not in this group any more.")
    if role == OWNER or (role == ORGANISER and by != OWNER):
        raise Refusal("Only the owner may remove an organiser, and nobody the owner.")
    session.execute(delete(Member).where(_in(group.id, user_id)))
    renew_link(group)


def set_role(session: Session, group_id: int, user_id: int, role: str) -> None:
    """Make somebody an organiser or a mere member, or hand the group over to them."""
    lock(session, group_id)
    if role_of(session, group_id, user_id) in (None, OWNER):
        raise Refusal("They are not in this group any more, or own it.")
    if role == OWNER:
        was = and_(Member.group_id == group_id, Member.role == OWNER)
        session.execute(update(Member).where(was).values(role=ORGANISER))
    session.execute(update(Member).where(_in(group_id, user_id)).values(role=role))


def members(database: Database, group_id: int) -> list[InGroup]:
    """Return who is in a group."""
    rows = database.execute(
        select(User.id, User.name, Member.role)
        .join(Member, Member.user_id == User.id)
        .where(Member.group_id == group_id)
        .order_by(*_RANK, User.id)
    )
    return [InGroup(*row) for row in rows]


def groups_of(database: Database, user_id: int) -> list[tuple[int, str]]:
    """Return the numbers and names of a person's groups."""
    theirs = select(Group.id, Group.name).join(Member).where(Member.user_id == user_id)
    return [
        (row.id, isolated(row.name)) for row in database.execute(theirs.order_by(Group.name_key))
    ]


def listing(database: Database, *which: Any, most: int = MOST_GROUPS) -> list[Listed]:
    """Return groups, with how many are in each, in the order of their names."""
    count = select(func.count()).where(Member.group_id == Group.id).scalar_subquery()
    groups = select(Group.id, Group.name, Group.about, Group.entry, Group.name_key, count)
    rows = database.execute(groups.where(*which).order_by(Group.name_key).limit(most))
    return [Listed(*row) for row in rows]


def lock(session: Session, group_id: int) -> None:
    """Let nobody else change who is in a group until the end of this transaction."""
    advisory_lock(session, f"group {group_id}")


def _call(session: Session, group: Group, name: str) -> None:
    """Give a group a name, if none is called so, or looks so."""
    advisory_lock(session, "names of groups")
    new = names.columns(name)
    looks = (new["look"], new["small_look"])
    same = or_(
        Group.name_key == new["name_key"], Group.look.in_(looks), Group.small_look.in_(looks)
    )
    with session.no_autoflush:
        taken = session.scalar(select(Group.id).where(same, Group.id != (group.id or 0)).limit(1))
    if taken is not None:
        raise Refusal("Another group is called so, or looks as if. Choose another name.")
    for column, value in new.items():
        setattr(group, column, value)


def _must_have_room(session: Session, user_id: int) -> None:
    theirs = session.scalar(select(func.count()).where(Member.user_id == user_id)) or 0
    if theirs >= MOST_GROUPS:
        raise Refusal(f"You are in {MOST_GROUPS} groups already: leave one of them first.")


def _forget(session: Session, group_id: int) -> None:
    """Let a group go; its matches stay with those who sat there."""
    session.execute(update(Match).where(Match.group_id == group_id).values(group_id=None))
    session.execute(delete(Archived).where(Archived.whose == list_of_group(group_id)))
    session.execute(delete(Group).where(Group.id == group_id))


def _in(group_id: int, user_id: int) -> Any:
    return and_(Member.group_id == group_id, Member.user_id == user_id)


def _new_link() -> str:
    return secrets.token_urlsafe(LINK_LENGTH)[:LINK_LENGTH]
