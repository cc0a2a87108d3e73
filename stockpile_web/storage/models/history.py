"""What is kept about the turns of a match beside the moves themselves."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from stockpile_web.storage.database import Base


class Chapter(Base):
    """Where a round or a phase of a match begins, as all could see: a place to jump to.

    A table of its own, so that a match of many moves need not be read to find them.
    """

    __tablename__ = "chapter"

    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # Of the move.
    round: Mapped[int]
    phase: Mapped[str] = mapped_column(String(30))


class Report(Base):
    """A problem that somebody saw at a turn, for the administrators."""

    __tablename__ = "report"
    __table_args__ = (Index("ix_report_open", "id", sqlite_where=text("done_at IS NULL")),)

    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), index=True)
    number: Mapped[int]  # Of the move after which it was seen.
    seat: Mapped[int | None]  # Of whoever reports it; a spectator has none.
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    note: Mapped[str] = mapped_column(Text)
    rules_version: Mapped[int]  # Under which the turn was recorded.
    build: Mapped[str] = mapped_column(String(32))  # Of the site, as it was then.
    made_at: Mapped[datetime]
    done_at: Mapped[datetime | None]


class Review(Base):
    """What the coach says of the decisions of one seat in a match that is over; made on request.

    While it is due, the worker is at it or will be. One that is neither due nor done was given up.
    """

    __tablename__ = "review"
    __table_args__ = (Index("ix_review_due_at", "due_at", sqlite_where=text("due_at IS NOT NULL")),)

    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    edition: Mapped[str] = mapped_column(String(40))  # Of match, rules and coach: another is stale.
    asked_at: Mapped[datetime]
    due_at: Mapped[datetime | None]  # The end of a lease, while a worker is at it.
    done_at: Mapped[datetime | None]
    tries: Mapped[int] = mapped_column(default=0)  # Since there was any progress.
    total: Mapped[int] = mapped_column(default=0)  # Moves to look at,
    judged: Mapped[int] = mapped_column(default=0)  # and so many are done.
    found: Mapped[str] = mapped_column(Text, default="{}")  # JSON: `Findings` of match/review.py.
