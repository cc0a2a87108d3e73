"""Notices: what people are to be told, how each wants to be told, and what became of it."""

from datetime import datetime

from sqlalchemy import Float, ForeignKey, Index, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from stockpile_web.storage.database import Base

TURN, NEAR, MENTION, STARTED, ENDED = "turn", "near", "mention", "started", "ended"
CLOSING, REMATCH, INVITED, BROKEN = "closing", "rematch", "invited", "broken"
EVENTS = (TURN, NEAR, MENTION, CLOSING, STARTED, ENDED, REMATCH, INVITED, BROKEN)
# These are worth telling only as long as the turn they tell of is to be taken.
OF_A_TURN = (TURN, NEAR)

# What became of a notice. The last five were not sent, for a good reason; DAILY may be yet.
SENT, FAILED, SEEN, PASSED, UNWANTED, ON_SITE, DAILY = (
    "sent", "failed", "seen", "passed", "unwanted", "on site", "daily",
)  # fmt: skip

# How a channel is used: for every notice, where the others have failed, or not at all.
ALWAYS, SPARE, OFF = "always", "spare", "off"


class Notice(Base):
    """Something a person is to be told, and a line of their list on site.

    When it is due, it is queued for each channel of theirs (`SendJob`).
    """

    __tablename__ = "notice"
    # The migrations make the first two partial on Postgres too; to say so here would load all that
    # SQLAlchemy knows of Postgres, 4 MB, on every server.
    __table_args__ = (
        UniqueConstraint("user_id", "match_id", "event", "version"),
        Index(
            "ix_notice_due",
            "due_at",
            sqlite_where=text("done_at IS NULL AND queued = 0"),  # In the words of the question.
        ),
        Index(
            "ix_notice_unseen",
            "user_id",
            sqlite_where=text("seen_at IS NULL"),
        ),
        Index("ix_notice_user", "user_id", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"))
    event: Mapped[str] = mapped_column(String(10))
    version: Mapped[int]  # Of the match: one who is shown this version has seen the notice.
    made_at: Mapped[datetime]
    seen_at: Mapped[datetime | None]
    due_at: Mapped[datetime]
    queued: Mapped[bool] = mapped_column(default=False)
    told: Mapped[str] = mapped_column(Text, default="")  # Channels that took it, spaces between.
    daily: Mapped[bool] = mapped_column(default=False)  # Told once more, in a daily message.
    done_at: Mapped[datetime | None]
    outcome: Mapped[str | None] = mapped_column(String(10))


class SendJob(Base):
    """A notice, or a test, that a worker is to send through one channel; gone when that is done."""

    __tablename__ = "send_job"
    __table_args__ = (
        UniqueConstraint("notice_id", "kind"),
        Index("ix_send_job_lane_due", "lane", "due_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    # Of a test: none.
    notice_id: Mapped[int | None] = mapped_column(ForeignKey("notice.id", ondelete="CASCADE"))
    kind: Mapped[str] = mapped_column(String(10))  # Of the channel.
    lane: Mapped[str] = mapped_column(String(10))
    made_at: Mapped[datetime]
    due_at: Mapped[datetime]  # While a worker is at it, the end of its lease.
    lease: Mapped[str | None] = mapped_column(String(32))
    attempts: Mapped[int] = mapped_column(default=0)


class Channel(Base):
    """A way to reach a person; mail has a row only once something is known of it."""

    __tablename__ = "channel"
    __table_args__ = (UniqueConstraint("user_id", "kind"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
    kind: Mapped[str] = mapped_column(String(10))
    use: Mapped[str] = mapped_column(String(10), default=ALWAYS)
    # Of a mail the account's is used, of pushes those of the devices.
    address: Mapped[str] = mapped_column(Text, default="")
    secret: Mapped[str] = mapped_column(String(64), default="")
    failures: Mapped[int] = mapped_column(default=0)  # In a row.


class Choice(Base):
    """When a person wants to be told, and of what; without a row: of everything, at once."""

    __tablename__ = "notice_choice"

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), primary_key=True)
    events: Mapped[str] = mapped_column(Text, default=" ".join(EVENTS))
    delay: Mapped[int] = mapped_column(default=0)  # Minutes of not having seen it.
    quiet_from: Mapped[int | None]  # Hours of the person's own day.
    quiet_to: Mapped[int | None]
    daily_hour: Mapped[int | None]  # Tell once a day, then, which tables wait.
    daily_at: Mapped[datetime | None] = mapped_column(index=True)  # When that is next.
    calendar: Mapped[str] = mapped_column(String(32), default="")  # Part of its secret address.
    no_offer: Mapped[bool] = mapped_column(default=False)  # To be told of turns, on the board.


class PushDevice(Base):
    """A browser that takes pushes while its person is signed in there."""

    __tablename__ = "push_device"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    device_id: Mapped[int] = mapped_column(ForeignKey("device.id", ondelete="CASCADE"), unique=True)
    words: Mapped[str] = mapped_column(String(80))
    endpoint: Mapped[str] = mapped_column(Text, unique=True)  # A secret address.
    public_key: Mapped[str] = mapped_column(String(100))  # The browser's, which alone can read.
    auth: Mapped[str] = mapped_column(String(40))
    made_at: Mapped[datetime]


class ChatLink(Base):
    """A code by which somebody may link a chat of theirs at Telegram, once."""

    __tablename__ = "chat_link"

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), primary_key=True)
    code: Mapped[str] = mapped_column(String(32), unique=True)
    # The name of the bot to write to; empty until Telegram has told it to a worker,
    bot: Mapped[str] = mapped_column(String(64), default="")
    problem: Mapped[str] = mapped_column(String(300), default="")  # or why it has not.
    expires_at: Mapped[datetime]
    listen_at: Mapped[datetime]  # While a worker listens, the end of its lease.


class Delivery(Base):
    """One attempt to reach a person, and what the other side answered."""

    __tablename__ = "delivery"
    __table_args__ = (Index("ix_delivery_user_time", "user_id", "sent_at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
    kind: Mapped[str] = mapped_column(String(10))
    place: Mapped[str] = mapped_column(String(100))
    subject: Mapped[str] = mapped_column(String(200))
    is_test: Mapped[bool] = mapped_column(default=False)
    accepted: Mapped[bool]
    answer: Mapped[str] = mapped_column(String(300))
    took: Mapped[float] = mapped_column(Float, default=0.0)  # Seconds until it came.
    sent_at: Mapped[datetime]
