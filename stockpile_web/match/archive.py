"""Searching the archive: lists of matches that have ended, in four orders, a page at a time.

A search walks the index of one list in its order, and stops when it has a page; what else is asked
for is compared on the way. A page begins after or before a match that the same search finds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Select, and_, exists, literal, select, tuple_
from sqlalchemy.orm import InstrumentedAttribute, aliased

from stockpile_web.engine.options import applying, read, titles
from stockpile_web.games import GAMES
from stockpile_web.match.rows import SEAT_NAME
from stockpile_web.storage.models.archive import EVERYBODY, Archived
from stockpile_web.storage.models.matches import OVER, Match, Seat, title_of
from stockpile_web.storage.models.people import User
from stockpile_web.storage.names import isolated

# What a list can be sorted by; the largest comes first.
ORDERS: dict[str, InstrumentedAttribute[Any]] = {
    "newest": Archived.ended_at,
    "longest": Archived.moves,
    "closest": Archived.closeness,
    "highest": Archived.top_score,
}


@dataclass(frozen=True)
class Search:
    """What is looked for: a list, and what its matches must be like."""

    whose: str = EVERYBODY
    also_of: tuple[str, ...] = ()  # Further lists in which a match must be.
    unlisted: bool = False  # With those that only people who sat there may see.
    closed: bool = False  # With those that were closed before they were over.
    begun: bool = True  # Without those in which nobody has moved.
    game: str = ""
    size: int | None = None
    played_with: tuple[str, ...] = ()
    played_without: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    order: str = "newest"


class Player(NamedTuple):
    """Somebody who sat at a table to its end; the place is None while it is not known."""

    name: str
    place: int | None
    score: int | None
    is_bot: bool

    @property
    def shown_name(self) -> str:
        """The name, as it stands among other words."""
        return isolated(self.name)

    @property
    def has_won(self) -> bool:
        """Tell whether nobody was ahead of them."""
        return self.place == 1


@dataclass(frozen=True)
class Ended:
    """A match that has ended, as lists show it."""

    id: int
    name: str
    game: str
    rules: list[str]
    size: int
    is_over: bool  # And was not closed.
    is_practice: bool
    ended_at: datetime
    moves: int
    margin: int | None
    players: list[Player]  # The best first.

    @property
    def title(self) -> str:
        """What the table is called."""
        return title_of(self.name, self.id)

    @property
    def winners(self) -> list[Player]:
        """Those who share the first place; none while places are not known."""
        return [player for player in self.players if player.has_won]

    @property
    def lead(self) -> str:
        """How close it was, in words."""
        if self.margin is None:
            return ""
        if self.margin == 0:
            return "a shared win" if len(self.winners) > 1 else "level: the tie-break decided"
        return f"{self.margin} ahead"


class Page(NamedTuple):
    """A part of a list, and the matches after and before which it goes on, if it does."""

    matches: list[Ended]
    after: int | None
    before: int | None


class NotThere(LookupError):
    """The match after which a page is to begin is not in this list."""


def find(
    connection: Connection,
    search: Search,
    most: int,
    after: int | None = None,
    before: int | None = None,
) -> Page:
    """Return the first page of a list, or the one after or before a match of it."""
    backwards = before is not None
    start = before if before is not None else after
    statement = statement_of(search, most + 1, _place(connection, search, start), backwards)
    entries = connection.execute(statement).all()
    has_more = len(entries) > most
    shown = entries[:most][::-1] if backwards else entries[:most]
    matches = _read(connection, shown)
    first, last = (matches[0].id, matches[-1].id) if matches else (None, None)
    is_last, is_first = (False, not has_more) if backwards else (not has_more, start is None)
    return Page(matches, None if is_last else last, None if is_first else first)


def statement_of(
    search: Search, most: int, place: Row[Any] | None = None, backwards: bool = False
) -> Select[Any]:
    """Return what asks for the entries of a page; `place` is where it begins."""
    statement = select(*Archived.__table__.c).where(*_conditions(search)).limit(most)
    columns = (ORDERS[search.order], Archived.match_id)
    if place is not None:
        here = tuple_(*map(literal, place, [column.type for column in columns]))
        statement = statement.where(
            tuple_(*columns) > here if backwards else tuple_(*columns) < here
        )
    falling = [column if backwards else column.desc() for column in columns]
    return statement.order_by(*falling)


def _conditions(search: Search) -> list[Any]:
    found: list[Any] = [Archived.whose == search.whose]
    for whose in search.also_of:
        other = aliased(Archived)
        found.append(
            exists().where(and_(other.whose == whose, other.match_id == Archived.match_id))
        )
    if not search.unlisted:
        found.append(Archived.listed)
    if not search.closed:
        found.append(Archived.status == OVER)
    if search.begun:
        found.append(Archived.moves > 0)
    if search.game:
        found.append(Archived.game == search.game)
    if search.size is not None:
        found.append(Archived.size == search.size)
    found += [_has(word) for word in search.played_with]
    found += [~_has(word) for word in search.played_without]
    if search.since is not None:
        found.append(Archived.ended_at >= search.since)
    if search.until is not None:
        found.append(Archived.ended_at < search.until)
    if search.order in ("closest", "highest"):
        found.append(ORDERS[search.order].is_not(None))
    return found


def _has(word: str) -> Any:
    return Archived.options.contains(f" {word} ", autoescape=True)


def _place(connection: Connection, search: Search, match_id: int | None) -> Row[Any] | None:
    """Return where a match stands in a list. One that is not found there tells nothing."""
    if match_id is None:
        return None
    statement = select(ORDERS[search.order], Archived.match_id).where(
        *_conditions(search), Archived.match_id == match_id
    )
    found = connection.execute(statement).one_or_none()
    if found is None:
        raise NotThere
    return found


def _read(connection: Connection, entries: Sequence[Row[Any]]) -> list[Ended]:
    """Read what else lists show of some matches: names, and who sat there."""
    ids = [entry.match_id for entry in entries]
    seats = connection.execute(
        select(
            Seat.match_id, SEAT_NAME.label("player"), Seat.place, Seat.score, Seat.user_id,
            Match.name, Match.practice,
        )
        .join(Match, Match.id == Seat.match_id)
        .outerjoin(User, User.id == Seat.user_id)
        .where(Seat.match_id.in_(ids))
        .order_by(Seat.match_id, Seat.place, Seat.number)
    )  # fmt: skip
    by_match = {key: list(rows) for key, rows in groupby(seats, lambda row: row.match_id)}
    return [_ended(entry, by_match[entry.match_id]) for entry in entries]


def _ended(entry: Row[Any], seats: Iterable[Row[Any]]) -> Ended:
    seats = list(seats)
    game = GAMES[entry.game]
    return Ended(
        id=entry.match_id,
        name=seats[0].name,
        game=entry.game,
        rules=titles(game, applying(game, read(entry.options.split()), entry.size)),
        size=entry.size,
        is_over=entry.status == OVER,
        is_practice=seats[0].practice,
        ended_at=entry.ended_at,
        moves=entry.moves,
        margin=None if entry.closeness is None else -entry.closeness,
        players=[
            Player(seat.player, seat.place, seat.score, seat.user_id is None) for seat in seats
        ],
    )
