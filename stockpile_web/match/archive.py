"""Searching the archive: lists of matches that have ended, in four orders, a page at a time.

A search walks the index of one list in its order, or of some lists, and stops when it has a page;
what else is asked for is compared on the way. So that it need not walk far, lists are chosen in
which nearly all is that was asked for. A page begins after or before a match that the same search
finds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    Row,
    Select,
    exists,
    func,
    literal,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.orm import InstrumentedAttribute, aliased

from stockpile_web.match import facets
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

MOST_LISTS = 20  # Of which a page each is read, to merge them.
FEW = 1000  # So many are sorted faster than one of them is found among a hundred thousand.


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
    lists = _lists(connection, search)
    place = _place(connection, search, lists, start)
    entries: Sequence[Row[Any]] = []
    if lists:
        few = _has_few_days(connection, search, lists)
        statement = statement_of(search, lists, most + 1, place, backwards, few)
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
    search: Search,
    lists: Sequence[str],
    most: int,
    place: Row[Any] | None = None,
    backwards: bool = False,
    few: bool = False,
) -> Select[Any] | CompoundSelect[Any]:
    """Return what asks for the entries of a page in these lists; `place` is where it begins.

    Where the days that are asked for hold `few` matches, these are read and sorted.
    """
    columns = (ORDERS[search.order], Archived.match_id)
    wanted = select(*Archived.__table__.c).where(*_conditions(search, few))
    if place is not None:
        here = tuple_(*map(literal, place, [column.type for column in columns]))
        wanted = wanted.where(tuple_(*columns) > here if backwards else tuple_(*columns) < here)
    if few or len(lists) == 1:
        one = wanted.where(Archived.whose.in_(lists) if few else Archived.whose == lists[0])
        return one.order_by(*_falling(columns, backwards)).limit(most)
    first = wanted.order_by(*_falling(columns, backwards)).limit(most)
    pages = [first.where(Archived.whose == whose).subquery() for whose in lists]
    merged = union_all(*map(select, pages))
    names = [merged.selected_columns[column.key] for column in columns]
    return merged.order_by(*_falling(names, backwards)).limit(most)


def _falling(columns: Sequence[Any], backwards: bool) -> list[ColumnElement[Any]]:
    return [column if backwards else column.desc() for column in columns]


def _lists(connection: Connection, search: Search) -> list[str]:
    """Return the smallest lists in which all is that may be found; none if nothing can be."""
    if search.whose:
        return [search.whose]
    rules = search.played_with, search.played_without
    if search.size is not None or any(rules):
        found = facets.lists_with(connection, search.game, search.size, *rules)
        if len(found) <= MOST_LISTS:
            return found
    if search.game and search.played_with:
        return [list_of_rule(search.game, search.played_with[0])]
    return [list_of_game(search.game) if search.game else EVERYBODY]


def _has_few_days(connection: Connection, search: Search, lists: Sequence[str]) -> bool:
    """Tell whether the days that are asked for hold so few matches that they can be sorted."""
    days = [*_days(search, Archived.ended_at)]
    if search.order == "newest" or not days:
        return False
    entries = select(Archived.match_id).where(Archived.whose.in_(lists), *days)
    return len(connection.scalars(entries.limit(FEW + 1)).all()) <= FEW


def _conditions(search: Search, few: bool = False) -> list[Any]:
    wishes: tuple[tuple[bool, Any], ...] = (
        (not search.unlisted, Archived.listed),
        (not search.closed, Archived.status == OVER),
        (search.begun, Archived.moves > 0),
        (search.game != "", Archived.game == search.game),
        (search.size is not None, Archived.size == search.size),
        (search.order in ("closest", "highest"), ORDERS[search.order].is_not(None)),
    )
    ended_at: Any = Archived.ended_at
    if search.order != "newest" and not few:
        # A bare column would have SQLite read all of these days and sort them.
        ended_at = func.coalesce(ended_at, ended_at)
    return [
        *map(is_also_of, search.also_of),
        *(condition for is_wished, condition in wishes if is_wished),
        *map(_has, search.played_with),
        *(~_has(word) for word in search.played_without),
        *_days(search, ended_at),
    ]


def _days(search: Search, ended_at: Any) -> Iterator[Any]:
    if search.since is not None:
        yield ended_at >= search.since
    if search.until is not None:
        yield ended_at < search.until


def is_also_of(whose: str) -> Any:
    """Say of an entry that its match is in another list, too."""
    other = aliased(Archived)
    return exists().where(other.whose == whose, other.match_id == Archived.match_id)


def _has(word: str) -> Any:
    return Archived.options.contains(f" {word} ", autoescape=True)


def _place(
    connection: Connection, search: Search, lists: Sequence[str], match_id: int | None
) -> Row[Any] | None:
    """Return where a match stands in its list. One that is not found there tells nothing."""
    if match_id is None:
        return None
    statement = select(ORDERS[search.order], Archived.match_id).where(
        *_conditions(search), Archived.whose.in_(lists), Archived.match_id == match_id
    )
    found = connection.execute(statement).one_or_none()
    if found is None:
        raise NotThere
    return found
