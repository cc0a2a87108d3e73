"""Lists stay fast however many matches there are: their statements walk an index, in its order."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Connection, event, text

from stockpile_web.games import GAMES
from stockpile_web.match import archive
from stockpile_web.match.archive import ORDERS, NotThere, Search, find
from stockpile_web.storage.database import db
from stockpile_web.storage.models.archive import list_of
from stockpile_web.storage.transactions import reading, transaction
from stockpile_web.web.people.recent import recent
from stockpile_web.web.people.record import figures
from stockpile_web.web.people.rivals import rival_called, rivals
from tests.support import many_matches
from tests.support.many_matches import COMMON, FIRST, RARE

MATCHES = 3000
DAY = datetime(2020, 1, 2, tzinfo=UTC)
# What grows: nowhere is all of one read, or sorted.
SCANNED = re.compile(r"\bSCAN (?!.*USING (COVERING )?INDEX)|TEMP B-TREE|Seq Scan|\bSort\b")
# What a search asks before: which lists there are, and how many matches lie on some days.
CHOOSING = re.compile(r"FROM facet|^SELECT archived\.match_id\b")
SEARCHES = {
    "all": Search(),
    "game and size": Search(game=next(iter(GAMES)), size=4),
    "rules": Search(
        game=next(iter(GAMES)),
        played_with=(COMMON,),
        played_without=(RARE,),
    ),
    "a size of any game": Search(size=4),
    "days": Search(since=DAY, until=datetime(2021, 1, 1, tzinfo=UTC)),
    "closed too": Search(closed=True),
    "a player": Search(list_of(7)),
    "mine with another": Search(list_of(7), (list_of(20),), unlisted=True, closed=True),
}


@pytest.fixture
def filled(app: Flask) -> Iterator[Flask]:
    with app.app_context(), transaction() as connection:
        many_matches.fill(connection, MATCHES, state="")
        many_matches.add_up(connection)
    yield app
    with app.app_context():
        if db.engine.dialect.name == "sqlite":  # What it knows of these matches ends with them.
            with transaction() as connection:
                connection.execute(text("DELETE FROM sqlite_stat1"))
            db.engine.dispose()


class Plans:
    """How the database goes about each statement that is sent in the block."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.seen: dict[str, str] = {}

    def __enter__(self) -> "Plans":
        event.listen(db.engine, "before_cursor_execute", self._explain)
        return self

    def __exit__(self, *_error: object) -> None:
        event.remove(db.engine, "before_cursor_execute", self._explain)

    def _explain(self, _c: Any, cursor: Any, statement: str, values: Any, *_rest: Any) -> None:
        if not statement.lstrip().startswith("SELECT"):
            return
        is_sqlite = self._connection.dialect.name == "sqlite"
        asking = cursor.connection.cursor()
        asking.execute(f"EXPLAIN {'QUERY PLAN ' if is_sqlite else ''}{statement}", values)
        self.seen[statement] = "\n".join(str(row[-1]) for row in asking.fetchall())


def explained(connection: Connection) -> Plans:
    """Return what notes plans; on Postgres, whether an index can serve, however few rows are."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL jit = off"))  # What is off seems dear to it.
        for way in ("seqscan", "bitmapscan", "sort", "incremental_sort", "hashjoin", "mergejoin"):
            connection.execute(text(f"SET LOCAL enable_{way} = off"))
    return Plans(connection)


def test_every_search_walks_an_index_in_every_order_and_reads_no_state(
    filled: Flask, client: FlaskClient, sign_up: Callable[..., int]
) -> None:
    with filled.app_context():
        connection = reading().execution_options(writes=True)  # What is SET LOCAL lasts for that.
        for name, search in SEARCHES.items():
            for order in ORDERS:
                asked = replace(search, order=order)
                with explained(connection) as plans:
                    page = find(connection, asked, 25)
                    assert len(page.matches) == 25, name
                    asked_for = [sql for sql in plans.seen if not CHOOSING.search(sql)]
                    assert len(asked_for) == 2, "the entries of a page, and who sat at all of them"
                    find(connection, asked, 25, after=page.after)
                    find(connection, asked, 25, before=page.after)
                entries = {sql: plan for sql, plan in plans.seen.items() if "FROM archived" in sql}
                asked_for = [sql for sql in entries if not CHOOSING.search(sql)]
                assert len(asked_for) == 4, "the page, where it ends, what lies after it and before"
                for sql, plan in entries.items():
                    assert _is_walk(sql, plan, order), (name, order, sql, plan)
                assert not re.search(r"\bstate\b|\bseed\b", " ".join(plans.seen))
        connection.rollback()
        if connection.dialect.name == "sqlite":
            sign_up(client, "ann")
            _check_lists_of_tables(client)


def _is_walk(sql: str, plan: str, order: str) -> bool:
    """Tell whether indexes are walked in their order; of several lists, for a page of each."""
    lists = sql.count("UNION ALL") + 1
    if lists == 1:
        return not SCANNED.search(plan)
    walked = plan.count(f"ix_archived_{ORDERS[order].key}")
    return walked == lists == sql.count("LIMIT") - 1


def test_what_was_never_played_is_known_without_a_walk(filled: Flask) -> None:
    never = (
        Search(size=2, order="longest"),
        Search(game=FIRST, played_with=(COMMON, RARE), order="closest"),
        Search(game=list(GAMES)[1], size=3),
    )
    with filled.app_context():
        for search in never:
            with Plans(reading()) as plans:
                assert find(reading(), search, 25) == ([], None, None)
            assert len(plans.seen) == 1 and "FROM facet" in next(iter(plans.seen))
            with pytest.raises(NotThere):
                find(reading(), search, 25, after=9)


def test_lists_of_those_played_alike_hold_what_a_walk_through_all_of_them_finds(
    filled: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = Search(since=DAY, until=DAY + timedelta(hours=12))
    searches = (
        Search(size=4),
        Search(game=FIRST, played_with=(RARE,)),
        Search(game=FIRST, played_without=(RARE,), closed=True),
        day,
        replace(day, game=FIRST, played_without=(COMMON,)),
        replace(day, whose=list_of(many_matches.ONE)),
    )
    with filled.app_context():
        pages: list[list[list[int]]] = []
        for most_lists, few in ((archive.MOST_LISTS, archive.FEW), (0, -1)):
            monkeypatch.setattr(archive, "MOST_LISTS", most_lists)
            monkeypatch.setattr(archive, "FEW", few)
            asked = [replace(search, order=order) for search in searches for order in ORDERS]
            pages.append([_numbers(search) for search in asked])
        assert pages[0] == pages[1]
        assert [len(page) for page in pages[0][4:8]] == [2] * 4


def _numbers(search: Search) -> list[int]:
    """Return the matches of a page, of the next one, and of the first again, from behind."""
    page = find(reading(), search, 25)
    found = [match.id for match in page.matches]
    if page.after:
        second = find(reading(), search, 25, after=page.after)
        found += [match.id for match in second.matches]
        assert second.before
        again = find(reading(), search, 25, before=second.before)
        assert [match.id for match in again.matches] == found[:25]
    return found


def test_a_profile_asks_for_sums_and_walks_indexes(filled: Flask) -> None:
    with filled.app_context():
        connection = reading().execution_options(writes=True)
        for viewer in (many_matches.ONE, many_matches.OTHER, 150, None):
            with explained(connection) as plans:
                assert figures(many_matches.ONE).played > 100
                shown = rivals(many_matches.ONE, viewer)
                assert len(shown) == (10 if viewer else 0), "they are shown to members"
                rival_called(many_matches.ONE, f"person{many_matches.OTHER}", viewer)
                assert len(recent(many_matches.ONE, viewer)) == 20
                assert recent(many_matches.ONE, viewer, many_matches.OTHER)
            for sql, plan in plans.seen.items():
                few = "WHERE match.id IN" in sql.replace('"', "")  # The twenty that are shown.
                assert few or not SCANNED.search(plan), (viewer, sql, plan)
                assert not re.search(r"\bstate\b|\bseed\b", sql)
        connection.rollback()


def _check_lists_of_tables(client: FlaskClient) -> None:
    with Plans(reading()) as plans:
        for address in ("/tables/listed", "/tables", "/archive", "/feed.atom"):
            assert client.get(address).status_code == 200
    for index in ("ix_match_listed", "ix_seat_unplaced", "ix_archived_ended_at"):
        assert any(index in plan for plan in plans.seen.values()), index
    for sql, plan in plans.seen.items():
        assert not re.search(r"\bstate\b|\bseed\b", sql)
        assert not SCANNED.search(plan) or "FROM seat" in sql, (sql, plan)
