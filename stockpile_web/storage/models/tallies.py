"""What results add up to, kept with every result: profiles take the same time however many are."""

from sqlalchemy import BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from stockpile_web.storage.database import Base

ANY_GAME, ANY_SIZE, ANY_RULE = "", 0, ""


class Tally(Base):
    """What some matches of a person add up to.

    There is one for all of them, one for each game and number of players, and of those one for each
    rule that was switched on. Matches are added in the order in which they end.
    """

    __tablename__ = "tally"

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(20), primary_key=True)
    size: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    rule: Mapped[str] = mapped_column(String(40), primary_key=True)
    played: Mapped[int]
    won: Mapped[int]
    places: Mapped[int]  # Their sum, as are the scores.
    scores: Mapped[int]
    best: Mapped[int]
    thinking_seconds: Mapped[int] = mapped_column(BigInteger)
    turns_timed: Mapped[int]
    streak: Mapped[int]  # The last so many were won.
    longest_streak: Mapped[int]


class Rival(Base):
    """How often two people have met at a table, and who was ahead: a row for each of the two."""

    __tablename__ = "rival"
    __table_args__ = (
        Index("ix_rival_met", "user_id", "met", "rival_id"),
        Index("ix_rival_listed_met", "user_id", "listed_met", "rival_id"),
    )

    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), primary_key=True)
    rival_id: Mapped[int] = mapped_column(ForeignKey("user.id"), primary_key=True)
    met: Mapped[int]
    ahead: Mapped[int]
    behind: Mapped[int]
    # Of these, at tables that anybody may see.
    listed_met: Mapped[int]
    listed_ahead: Mapped[int]
    listed_behind: Mapped[int]
