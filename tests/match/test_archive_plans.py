"""Lists stay fast however many matches there are: their statements walk an index, in its order."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Connection, event, text

from stockpile_web.games import GAMES
from stockpile_web.match.archive import ORDERS, Search, find
from stockpile_web.storage.database import db
from stockpile_web.storage.models.archive import list_of
from stockpile_web.storage.transactions import reading, transaction
from tests.support import many_matches

MATCHES = 3000
DAY = datetime(2020, 1, 2, tzinfo=UTC)
# What grows: nowhere is all of one read, or sorted.
SCANNED = re.compile(r"\bSCAN (?!.*USING (COVERING )?INDEX)|TEMP B-TREE|Seq Scan|\bSort\b")
SEARCHES = {
    "all": Search(),
    "game and size": Search(game=next(iter(GAMES)), size=4),
    "rules": Search(
        game=next(iter(GAMES)),
        played_with=(many_matches.COMMON,),
        played_without=(many_matches.RARE,),
    ),
    "days": Search(since=DAY, until=datetime(2021, 1, 1, tzinfo=UTC)),
    "closed too": Search(closed=True),
    "a player": Search(list_of(7)),
    "mine with another": Search(list_of(7), (list_of(20),), unlisted=True, closed=True),
}


@pytest.fixture
def filled(app: Flask) -> Iterator[Flask]:
    with app.app_context(), transaction() as connection:
        many_matches.fill(connection, MATCHES, state="")
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
                    assert len(plans.seen) == 2, "the entries of a page, and who sat at all of them"
                    find(connection, asked, 25, after=page.after)
                    find(connection, asked, 25, before=page.after)
                entries = {sql: plan for sql, plan in plans.seen.items() if "FROM archived" in sql}
                assert len(entries) == 4, "the page, where it ends, what lies after it and before"
                for sql, plan in entries.items():
                    assert not SCANNED.search(plan), (name, order, sql, plan)
                assert not re.search(r"\bstate\b|\bseed\b", " ".join(plans.seen))
        connection.rollback()
        if connection.dialect.name == "sqlite":
            sign_up(client, "ann")
            _check_lists_of_tables(client)


def _check_lists_of_tables(client: FlaskClient) -> None:
    with Plans(reading()) as plans:
        for address in ("/tables/listed", "/tables", "/archive", "/feed.atom"):
            assert client.get(address).status_code == 200
    for index in ("ix_match_listed", "ix_seat_unplaced", "ix_archived_ended_at"):
        assert any(index in plan for plan in plans.seen.values()), index
    for sql, plan in plans.seen.items():
        assert not re.search(r"\bstate\b|\bseed\b", sql)
        assert not SCANNED.search(plan) or "FROM seat" in sql, (sql, plan)
