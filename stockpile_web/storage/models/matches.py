"""Matches: what is played, who sits where, every move, and what was said."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from stockpile_web.storage.database import Base
from stockpile_web.storage.models.people import User
from stockpile_web.storage.names import isolated

OPEN, PLAYING, OVER, CLOSED = "open", "playing", "over", "closed"

ASKS_TO_CLOSE = "-1:close"  # Among the votes of a host: they ask the others.
MISSED = 3  # So many turns in a row played for somebody, and the others may vote on the seat.


def plain_title(name: str, number: int) -> str:
    """Return what a table is called; those that were set up before there were names have none."""
    return name or f"Table {number}"


def title_of(name: str, number: int) -> str:
    """Return what a table is called, as it stands among other words."""
    return plain_title(isolated(name), number)


class Match(Base):
    """A table: open until it starts, playing until it is over, or closed by its host."""

    __tablename__ = "match"
    # On Postgres, too, the migration leaves the empty ones out; see `Notice`.
    __table_args__ = (
        Index("ix_match_listed", "listed", "status", "id"),
        Index(
            "ix_match_group_end", "group_id", "ended_at", sqlite_where=text("group_id IS NOT NULL")
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(40), default="")
    game: Mapped[str] = mapped_column(String(20))
    options: Mapped[str] = mapped_column(Text)  # Words (`engine/options.py`) with spaces between.
    size: Mapped[int]
    status: Mapped[str] = mapped_column(String(10), default=OPEN, index=True)
    host_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
    listed: Mapped[bool]
    # Its members may see it as if it were listed.
    group_id: Mapped[int | None] = mapped_column(ForeignKey("group.id"))
    pace: Mapped[str] = mapped_column(String(10))
    open_chat: Mapped[bool]  # Spectators may read the chat.
    invitation: Mapped[str] = mapped_column(String(32), unique=True)
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    moved_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    rules_version: Mapped[int] = mapped_column(default=0)
    seed: Mapped[str] = mapped_column(String(64), default="")  # Secret until the match is over.
    state: Mapped[str] = mapped_column(Text, default="")
    version: Mapped[int] = mapped_column(default=0)  # Moves recorded, the deal included.
    # All else that those at the table can see: chat, comings and goings, votes, clocks.
    table_version: Mapped[int] = mapped_column(default=0)
    rematch_id: Mapped[int | None] = mapped_column(ForeignKey("match.id"))
    undo: Mapped[str] = mapped_column(Text, default="")  # What may be taken back, and by whom.
    practice: Mapped[bool] = mapped_column(default=False)  # It counts for no result and no rating.
    # Of a match that is over: the highest score, and by how much the first was ahead of the second.
    top_score: Mapped[int | None]
    margin: Mapped[int | None]
    # Why an administrator has paused it, or has ended it; empty if none has.
    halted_for: Mapped[str] = mapped_column(String(200), default="")

    host: Mapped[User] = relationship()
    seats: Mapped[list["Seat"]] = relationship(back_populates="match", order_by="Seat.number")

    @property
    def title(self) -> str:
        """Return what this table is called."""
        return title_of(self.name, self.id)

    @property
    def is_paused(self) -> bool:
        """Tell whether it waits for anybody at all who plays there themselves."""
        return self.status == PLAYING and not any(seat.is_here for seat in self.seats)

    @property
    def is_halted(self) -> bool:
        """Tell whether an administrator has paused it."""
        return self.status == PLAYING and bool(self.halted_for)

    @property
    def has_room(self) -> bool:
        """Tell whether somebody may sit down: before the match begins, or as a substitute."""
        if self.status == PLAYING:
            return any(seat.is_free for seat in self.seats)
        return self.status == OPEN and len(self.seats) < self.size


def _known(column: str) -> Index:
    """Return an index of the moments in a column that is most often empty.

    On Postgres, too, the migration leaves the empty ones out; see `Notice`.
    """
    return Index(f"ix_seat_{column}", column, sqlite_where=text(f"{column} IS NOT NULL"))


class Seat(Base):
    """A seat at a table: a person's, a bot's, or a person's that a bot drives for them."""

    __tablename__ = "seat"
    __table_args__ = (
        UniqueConstraint("match_id", "number"),
        UniqueConstraint("match_id", "user_id"),
        Index("ix_seat_user_turn", "user_id", "on_turn"),
        Index("ix_seat_user_match", "user_id", "match_id"),
        _known("deadline_at"),
        _known("remind_at"),
        _known("acts_at"),
        # Of those who still play, and the few whose match was closed: the way to one's own tables.
        Index("ix_seat_unplaced", "user_id", sqlite_where=text("place IS NULL")),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"))
    number: Mapped[int]  # As the rules count: from 0, in turn order.
    user_id: Mapped[int | None] = mapped_column(ForeignKey("user.id"))
    bot: Mapped[str | None] = mapped_column(String(20))  # Which of the game's bots drives it.
    bot_name: Mapped[str] = mapped_column(String(20), default="")  # Of a seat that is a bot's own.
    on_turn: Mapped[bool] = mapped_column(default=False)
    waiting_since: Mapped[datetime | None]
    moves_made: Mapped[int] = mapped_column(default=0)
    last_move: Mapped[int] = mapped_column(default=0)  # Number of this seat's latest move.
    chat_seen: Mapped[int] = mapped_column(default=0)
    notes: Mapped[str] = mapped_column(Text, default="")
    deadline_at: Mapped[datetime | None]  # When the time of a person who is on turn runs out.
    remind_at: Mapped[datetime | None]  # When a quarter of it is left.
    acts_at: Mapped[datetime | None]  # When a bot that thinks is to move.
    bank: Mapped[int] = mapped_column(default=0)  # Seconds; 24 hours are one waking day.
    missed: Mapped[int] = mapped_column(default=0)  # Turns in a row that were played for them.
    is_open: Mapped[bool] = mapped_column(default=False)  # The others want a substitute.
    # What this player wants done about absent ones, and about the table: "2:bot 3:open -1:close".
    votes: Mapped[str] = mapped_column(Text, default="")
    orders: Mapped[str] = mapped_column(Text, default="")  # The game's book, for its owner alone.
    order_note: Mapped[str] = mapped_column(Text, default="")  # Why they are asked after all.
    # How long its player has taken for turns of their own, and for how many of them.
    thinking_seconds: Mapped[int] = mapped_column(default=0)
    turns_timed: Mapped[int] = mapped_column(default=0)
    substitute: Mapped[bool] = mapped_column(default=False)  # Its player came later.
    # The last round whose decisions are explained to its player; 0: the guide is off.
    guided: Mapped[int] = mapped_column(default=0)
    # Of a match that is over; place 1 has won, and may be shared.
    place: Mapped[int | None]
    score: Mapped[int | None]

    match: Mapped[Match] = relationship(back_populates="seats")
    user: Mapped[User | None] = relationship()

    @property
    def name(self) -> str:
        """Return who sits here, as the others see it."""
        if self.user is not None:
            return self.user.display_name
        return self.bot_name

    @property
    def account_name(self) -> str | None:
        """Return the name under which its player has a profile, if they have one."""
        is_account = self.user is not None and not self.user.is_guest
        return self.user.name if self.user is not None and is_account else None

    @property
    def is_free(self) -> bool:
        """Tell whether a substitute may take this seat; once its owner is back, none may."""
        return self.is_open and self.missed >= MISSED

    @property
    def is_here(self) -> bool:
        """Tell whether its player plays here themselves, and has not been away for long."""
        return self.user_id is not None and not self.bot and self.missed < MISSED


# Who made a move for a seat, if it was not its player. That it was an order is for its owner alone.
BOT, ORDER, CLOCK = "bot", "order", "clock"


class Move(Base):
    """One recorded move with its events and the state after it; move 0 is the deal."""

    __tablename__ = "move"

    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), primary_key=True)
    # The log is the lock: two moves of one number cannot be.
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int | None]
    made_by: Mapped[str] = mapped_column(String(10), default="")  # The player, unless told.
    turn: Mapped[int | None]  # How many moves the seat had made before.
    digest: Mapped[str | None] = mapped_column(String(32))  # Of what was posted: a double click.
    move: Mapped[str] = mapped_column(Text)  # JSON; with steps before it, a list of all.
    events: Mapped[str] = mapped_column(Text)
    frame: Mapped[bytes] = mapped_column(LargeBinary)
    # Under which the frame was written; until the first upgrade of a game it is 1.
    rules_version: Mapped[int] = mapped_column(default=1)
    made_at: Mapped[datetime]


class Message(Base):
    """A line of a table's chat."""

    __tablename__ = "message"

    id: Mapped[int] = mapped_column(primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), index=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
    text: Mapped[str] = mapped_column(Text)
    said_at: Mapped[datetime]

    user: Mapped[User] = relationship()
