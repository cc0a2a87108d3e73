"""Searching the archive: lists of matches that have ended, in four orders, a page at a time.

A search walks the index of one list in its order, and stops when it has a page; what else is asked
for is compared on the way. A page begins after or before a match that the same search finds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Select, exists, func, literal, select, tuple_
from sqlalchemy.orm import InstrumentedAttribute, aliased

from stockpile_web.match.ended import Ended, read_ended
from stockpile_web.storage.models.archive import EVERYBODY, Archived, list_of_game, list_of_rule
from stockpile_web.storage.models.matches import OVER

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

    whose: str = ""  # That of a person; or else of the site.
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


class Page(NamedTuple):
    """A part of a list, and the matches after and before which it goes on, if it does."""

    matches: list[Ended]
    after: int | None
    before: int | None


class NotThere(LookupError):
    """The match at which a page is to begin is not in this list, or nothing lies beyond it."""


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
    if start is not None and not entries:
        raise NotThere
    has_more = len(entries) > most
    shown = entries[:most][::-1] if backwards else entries[:most]
    matches = read_ended(connection, shown)
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
    wishes: tuple[tuple[bool, Any], ...] = (
        (not search.unlisted, Archived.listed),
        (not search.closed, Archived.status == OVER),
        (search.begun, Archived.moves > 0),
        (search.game != "", Archived.game == search.game),
        (search.size is not None, Archived.size == search.size),
        (search.order in ("closest", "highest"), ORDERS[search.order].is_not(None)),
    )
    return [
        Archived.whose == (search.whose or _public_list(search)),
        *map(_is_also_of, search.also_of),
        *(condition for is_wished, condition in wishes if is_wished),
        *map(_has, search.played_with),
        *(~_has(word) for word in search.played_without),
        *_days(search),
    ]


def _public_list(search: Search) -> str:
    """Return the smallest list in which all is that may be found."""
    if search.game and search.played_with:
        return list_of_rule(search.game, search.played_with[0])
    return list_of_game(search.game) if search.game else EVERYBODY


def _days(search: Search) -> Iterator[Any]:
    ended_at: Any = Archived.ended_at
    if search.order != "newest":
        # A bare column would have SQLite read all of these days and sort them.
        ended_at = func.coalesce(ended_at, ended_at)
    if search.since is not None:
        yield ended_at >= search.since
    if search.until is not None:
        yield ended_at < search.until


def _is_also_of(whose: str) -> Any:
    other = aliased(Archived)
    return exists().where(other.whose == whose, other.match_id == Archived.match_id)


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
