"""The archive: an index of matches that have ended, of which every list is a walk in order."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from stockpile_web.storage.database import Base

EVERYBODY = "all"  # The list of the site: what is listed, and no practice.
ORDERS = ("ended_at", "moves", "closeness", "top_score")


def list_of(user_id: int) -> str:
    """Return the name of a person's own list: whatever they have sat at, listed or not."""
    return f"user {user_id}"


def list_of_game(game: str) -> str:
    """Return the name of the list of a game: a part of that of the site."""
    return f"game {game}"


def list_of_rule(game: str, key: str) -> str:
    """Return the name of the list of matches that were played with an option of a game."""
    return f"rule {game} {key}"


def list_of_group(group_id: int) -> str:
    """Return the name of the list of a group's own tables, listed or not."""
    return f"group {group_id}"


def list_of_facet(facet_id: int) -> str:
    """Return the name of the list of matches that were played alike."""
    return f"facet {facet_id}"


def covering(order: str) -> list[str]:
    """Return the columns of an index by which a list is walked in this order."""
    compared = ("listed", "status", "game", "size", "options", *ORDERS)
    return ["whose", order, "match_id", *(column for column in compared if column != order)]


class Archived(Base):
    """A match that has ended, in one list: of the site, a game, a rule, a group, or a player.

    A table of its own: rows of `match` are wide and change with every move. All orders fall, so
    that a place in a list is one comparison. The indexes hold all columns: a search for what is
    rare walks one of them and opens no row.
    """

    __tablename__ = "archived"
    __table_args__ = tuple(Index(f"ix_archived_{column}", *covering(column)) for column in ORDERS)

    whose: Mapped[str] = mapped_column(String(80), primary_key=True)
    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), primary_key=True, index=True)
    listed: Mapped[bool]  # Anybody may see it.
    status: Mapped[str] = mapped_column(String(10))
    game: Mapped[str] = mapped_column(String(20))
    size: Mapped[int]
    options: Mapped[str] = mapped_column(Text)  # Those that counted, with a space around each word.
    ended_at: Mapped[datetime]
    moves: Mapped[int]  # Without the deal.
    closeness: Mapped[int | None]  # Minus the margin.
    top_score: Mapped[int | None]


class Facet(Base):
    """A game, a number of players and rules, as some match that anybody may see was played."""

    __tablename__ = "facet"
    __table_args__ = (UniqueConstraint("game", "size", "options"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(String(20))
    size: Mapped[int]
    options: Mapped[str] = mapped_column(Text)  # The switches, with a space around each.
