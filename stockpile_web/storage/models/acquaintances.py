"""Who knows whom: friends, people somebody has blocked, groups, and invitations to tables."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from stockpile_web.storage.database import Base

# Who may join a group: anybody, whoever has its link, or nobody.
OPEN_TO_ALL, BY_LINK, CLOSED_TO_ALL = "open", "link", "closed"
ENTRIES = (OPEN_TO_ALL, BY_LINK, CLOSED_TO_ALL)

OWNER, ORGANISER, MEMBER = "owner", "organiser", "member"


class Friend(Base):
    """Somebody whom a person likes to play with: their own list, of which nobody else learns."""

    __tablename__ = "friend"

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), primary_key=True)
    friend_id: Mapped[int] = mapped_column(ForeignKey("user.id"), primary_key=True, index=True)
    made_at: Mapped[datetime]


class Block(Base):
    """Somebody of whom a person wants to hear no more, and who is not told so."""

    __tablename__ = "block"

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), primary_key=True)
    blocked_id: Mapped[int] = mapped_column(ForeignKey("user.id"), primary_key=True, index=True)
    made_at: Mapped[datetime]


class Group(Base):
    """People who play together, and the tables that are theirs."""

    __tablename__ = "group"
    __table_args__ = (Index("ix_group_entry_name", "entry", "name_key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    # As names of people are compared; none may look like another: see `storage/names.py`.
    name_key: Mapped[str] = mapped_column(Text, unique=True)
    look: Mapped[str] = mapped_column(Text, index=True)
    small_look: Mapped[str] = mapped_column(Text, index=True)
    about: Mapped[str] = mapped_column(Text, default="")
    entry: Mapped[str] = mapped_column(String(10), default=BY_LINK)
    invitation: Mapped[str] = mapped_column(String(32), unique=True)  # The secret of its link.
    made_at: Mapped[datetime]


class Member(Base):
    """Somebody in a group; each group has one owner."""

    __tablename__ = "member"

    group_id: Mapped[int] = mapped_column(
        ForeignKey("group.id", ondelete="CASCADE"), primary_key=True
    )
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), primary_key=True, index=True)
    role: Mapped[str] = mapped_column(String(10), default=MEMBER)
    joined_at: Mapped[datetime]


class Invitation(Base):
    """Somebody was asked by name to come to a table, once."""

    __tablename__ = "invitation"
    __table_args__ = (Index("ix_invitation_user_time", "user_id", "made_at"),)

    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), primary_key=True)
    by_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    made_at: Mapped[datetime]
    # Whether it reaches them. Whoever has sent it does not learn that: see `people/invitations.py`.
    is_told: Mapped[bool]
    is_declined: Mapped[bool] = mapped_column(default=False)
