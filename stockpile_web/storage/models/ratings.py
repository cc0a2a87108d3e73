"""Ratings: how strong people and bots are at a game; and matches that wait to be reckoned."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from stockpile_web.storage.database import Base


class Reckoning(Base):
    """A match that is over and waits for the worker, who notes its result and rates its players."""

    __tablename__ = "reckoning"

    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), primary_key=True)
    # Its end, and a little more, so that a match that ended before it and is not yet committed
    # goes first.
    due_at: Mapped[datetime] = mapped_column(index=True)


class Rating(Base):
    """What one person, or one bot, is worth at one game, as far as is known."""

    __tablename__ = "rating"
    __table_args__ = (
        UniqueConstraint("user_id", "game"),
        UniqueConstraint("bot", "game"),
        Index("ix_rating_game_at_least", "game", "at_least"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(String(20))
    user_id: Mapped[int | None] = mapped_column(ForeignKey("user.id"))
    bot: Mapped[str | None] = mapped_column(String(20))
    # Matches that began later count; None: a person wants no rating (now).
    on_since: Mapped[datetime | None]
    strength: Mapped[float]  # The mean of what is believed of them,
    doubt: Mapped[float]  # and its standard deviation.
    at_least: Mapped[float]  # By which they are compared: see `match/ratings.py`.
    matches: Mapped[int]


class RatingChange(Base):
    """A rating as it was after one more match: enough for a curve, and for anybody to check."""

    __tablename__ = "rating_change"
    __table_args__ = (UniqueConstraint("rating_id", "match_id"),)

    rating_id: Mapped[int] = mapped_column(ForeignKey("rating.id"), primary_key=True)
    # From 1, in the order in which the matches ended.
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), index=True)
    place: Mapped[int]
    strength: Mapped[float]
    doubt: Mapped[float]
