"""People: their accounts, the devices they are signed in on, and what keeps accounts safe."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import ClassVar

from sqlalchemy import ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from stockpile_web.storage.database import Base
from stockpile_web.storage.names import isolated

FORMER_PLAYER = "former player"

# Who may see a profile: everybody, those who are signed in, who have played a match with its
# owner, or its owner alone.
ALL, MEMBERS, PLAYED, NOBODY = "all", "members", "played", "nobody"


class User(Base):
    """A person with an account, or a guest. A deleted one leaves an empty row: games survive."""

    __tablename__ = "user"
    # On Postgres, too, the migration leaves the empty ones out; see `Notice`.
    __table_args__ = (
        Index("ix_user_guest_until", "guest_until", sqlite_where=text("guest_until IS NOT NULL")),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str | None] = mapped_column(String(20))
    # The name as it is compared: "Ann" and "ann" cannot both sign up.
    name_key: Mapped[str | None] = mapped_column(String(20), unique=True)
    # What it looks like, as it is written and in small letters: see `storage/names.py`.
    look: Mapped[str | None] = mapped_column(Text, index=True)
    small_look: Mapped[str | None] = mapped_column(Text, index=True)
    # Several accounts may share an address: a refusal would tell who is registered here.
    email: Mapped[str | None] = mapped_column(String(254))
    email_key: Mapped[str | None] = mapped_column(String(254), index=True)
    # When its owner has followed a link that was mailed there.
    email_confirmed_at: Mapped[datetime | None]
    password_hash: Mapped[str | None] = mapped_column(String(255))
    time_zone: Mapped[str] = mapped_column(String(64), default="UTC")
    # Clocks run in these hours of these weekdays alone; Monday is 1.
    awake_from: Mapped[int] = mapped_column(default=8)
    awake_to: Mapped[int] = mapped_column(default=23)
    awake_days: Mapped[str] = mapped_column(String(7), default="1234567")
    is_admin: Mapped[bool] = mapped_column(default=False, index=True)
    profile_for: Mapped[str] = mapped_column(String(10), default=MEMBERS)
    created_at: Mapped[datetime]
    deleted_at: Mapped[datetime | None]
    # Of a guest alone, who has no password: whoever is not seen until then is removed.
    guest_until: Mapped[datetime | None]

    @property
    def is_guest(self) -> bool:
        """Tell whether they have no account yet."""
        return self.guest_until is not None

    @property
    def display_name(self) -> str:
        """The name to show to others."""
        return isolated(self.name or FORMER_PLAYER)


@dataclass(frozen=True)
class Visitor:
    """The user who asks, as far as pages need to know: a copy, which no transaction changes."""

    id: int
    name: str | None
    email: str | None
    time_zone: str
    is_admin: bool
    device_id: int  # The row in `device`,
    device_token: str  # and the secret in the cookie.
    has_blocked: bool = False  # Somebody; for all others, whom need not be asked.
    is_guest: bool = False

    # What Flask-Login asks of a user.
    is_authenticated: ClassVar[bool] = True
    is_active: ClassVar[bool] = True

    @property
    def display_name(self) -> str:
        """The name to show to others."""
        return isolated(self.name or FORMER_PLAYER)

    def get_id(self) -> str:
        """Return what the cookie holds: a secret of the device, so that one can be signed out."""
        return self.device_token

    def itself(self) -> "Visitor":
        """Return the visitor that Flask-Login's proxy stands for."""
        return self


Person = User | Visitor


class Device(Base):
    """One browser in which a user is signed in."""

    __tablename__ = "device"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    words: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime]
    # Kept to the hour: looking at a page should not write.
    seen_at: Mapped[datetime] = mapped_column(index=True)


class ResetLink(Base):
    """A link by which a user may choose a new password, once."""

    __tablename__ = "reset_link"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    expires_at: Mapped[datetime]


class Vacation(Base):
    """Days on which somebody's clocks stand still, the first and the last included."""

    __tablename__ = "vacation"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    first_day: Mapped[date]
    last_day: Mapped[date]


class Attempt(Base):
    """How often something was tried in one window of time, counted across all processes."""

    __tablename__ = "attempt"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    window: Mapped[int] = mapped_column(primary_key=True, index=True, autoincrement=False)
    count: Mapped[int]


# What a mail about an account tells: that a link was asked for (whose account that is, the worker
# finds out), the link itself, that the account was changed, or how to confirm the address.
LINK_ASKED, LINK, CHANGED, CONFIRM = "asked", "link", "changed", "confirm"


class AccountMail(Base):
    """A mail about an account that a worker is to send; it is written just before it is sent.

    So no link to a new password lies in the queue.
    """

    __tablename__ = "account_mail"

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(10))
    user_id: Mapped[int | None] = mapped_column(ForeignKey("user.id"), index=True)
    to: Mapped[str] = mapped_column(String(254))  # An address, or what was typed for a link.
    name: Mapped[str] = mapped_column(String(20))
    detail: Mapped[str] = mapped_column(Text)  # What was changed.
    due_at: Mapped[datetime] = mapped_column(
        index=True
    )  # While a worker is at it, its lease's end.
    lease: Mapped[str | None] = mapped_column(String(32))
    attempts: Mapped[int] = mapped_column(default=0)


class KeptMail(Base):
    """A mail that could not be sent: the administrator reads it and passes it on."""

    __tablename__ = "kept_mail"

    id: Mapped[int] = mapped_column(primary_key=True)
    to: Mapped[str] = mapped_column(String(254))
    subject: Mapped[str] = mapped_column(String(200))
    text: Mapped[str] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(String(200))
    created_at: Mapped[datetime]
