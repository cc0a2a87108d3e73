"""The real server while another program holds the database: the site stays usable.

Times are generous, for other work on the machine must not break them. The server that these tests
were made for kept people waiting for as long as the lock was held, one after the other.
"""

import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from itertools import count, repeat
from pathlib import Path

import pytest

from bench._server import serving
from tests.faults.clients import Answer, Client, Place, ask, asking, environ_of
from tests.support import pgtest

pytestmark = pytest.mark.long

# Seconds: many times as long as anybody waits for a lock. FAULT_SECONDS=8 is a short form.
HELD = float(os.environ.get("FAULT_SECONDS", "30"))
LONGEST = 3.0
# What a busy machine may add to any answer, measured by answers that wait for nothing.
SLACK = 3.0

Lock = Callable[[], AbstractContextManager[object]]


@contextmanager
def sqlite_locked(folder: Path) -> Iterator[None]:
    with closing(sqlite3.connect(folder / "stockpile.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


@contextmanager
def postgres_locked(server: pgtest.Server, name: str, statement: str) -> Iterator[None]:
    with server.connect(name) as other, other.transaction():
        other.execute(statement.encode())
        yield


def hold(place: Place, port: int, lock: Lock) -> dict[str, list[Answer]]:
    """Have clients ask for everything while a lock is held; return what each got."""
    first, second, *_ = place.tables
    shown = ask(port, place.get(f"/table/{first}"))
    style = re.search(rb'href="(/static/[^"]+\.css[^"]*)"', shown.body)
    assert style
    # Pages that no cache has: each address is another one.
    fresh = (place.get(f"/table/{second}?look={number}") for number in count())
    said = (place.post(f"/table/{first}/chat", text=f"Hello {number}") for number in count())
    clients = {
        "style": [Client(port, repeat(place.get(style[1].decode())))],
        "page": [Client(port, fresh) for _ in range(3)],
        "cached": [Client(port, repeat(place.get(f"/table/{first}")))],
        "list": [Client(port, repeat(place.get("/tables/listed"))) for _ in range(3)],
        "chat": [Client(port, said) for _ in range(2)],
        # Each sends the same move again and again, as people do: more than there are threads.
        "locked": [Client(port, repeat(place.moves[first][0])) for _ in range(12)],
        "other": [Client(port, repeat(place.moves[second][0])) for _ in range(12)],
    }
    with lock(), asking([each for some in clients.values() for each in some]):
        time.sleep(HELD)
    return {
        name: [answer for client in some for answer in client.answers]
        for name, some in clients.items()
    }


def longest(answers: list[Answer]) -> float:
    return max(answer.seconds for answer in answers)


def statuses(answers: list[Answer]) -> set[int]:
    return {answer.status for answer in answers}


def refuse_waiting(found: dict[str, list[Answer]]) -> None:
    """See that nobody has waited for long, and that files wait for nothing."""
    assert statuses(found["style"]) == {200}
    slack = min(SLACK, longest(found["style"]))
    for name, answers in found.items():
        assert longest(answers) < LONGEST + slack, name
        assert statuses(answers) <= {200, 303, 503}, name


def all_is_well(place: Place, port: int) -> None:
    """See that everything goes on after the lock, and that nothing was done twice or half."""
    deadline = time.monotonic() + 30
    for table in place.tables[:2]:
        for move in place.moves[table][:3]:
            while (answer := ask(port, move)).status == 503:
                assert time.monotonic() < deadline
                time.sleep(0.5)
            assert answer.status == 200
    listed = place.get("/tables/listed")
    while (answer := ask(port, listed)).status == 503:  # This process may not have tried yet.
        assert time.monotonic() < deadline
        time.sleep(0.5)
    assert answer.status == 200


def test_on_sqlite_all_who_look_go_on_and_whoever_moves_is_told_soon(tmp_path: Path) -> None:
    place = Place(environ_of(tmp_path))
    with serving("wsgi:app", place.environ, 2) as server:
        found = hold(place, server.port, lambda: sqlite_locked(tmp_path))
        refuse_waiting(found)
        for name in ("page", "cached", "list"):
            assert statuses(found[name]) == {200}, name
        for name in ("locked", "other", "chat"):
            assert statuses(found[name]) == {503}, name
        assert all("Retry-After" in answer.head for answer in found["locked"])
        all_is_well(place, server.port)


@pytest.fixture
def games(postgres: pgtest.Server, tmp_path: Path) -> Iterator[tuple[Place, str]]:
    name = f"locked_{tmp_path.name[-20:]}".lower()
    yield Place(environ_of(tmp_path, postgres.create(name))), name
    postgres.drop(name)


def test_on_postgres_a_locked_table_stops_neither_files_nor_what_does_not_need_it(
    games: tuple[Place, str], postgres: pgtest.Server
) -> None:
    place, name = games
    with serving("wsgi:app", place.environ, 2) as server:
        whole = "LOCK TABLE match IN ACCESS EXCLUSIVE MODE"
        found = hold(place, server.port, lambda: postgres_locked(postgres, name, whole))
        refuse_waiting(found)
        assert statuses(found["locked"]) == {503}
        assert statuses(found["page"]) == {503}
        all_is_well(place, server.port)


def test_on_postgres_one_locked_match_stops_no_other(
    games: tuple[Place, str], postgres: pgtest.Server
) -> None:
    place, name = games
    row = f"SELECT 1 FROM match WHERE id = {place.tables[0]} FOR UPDATE"
    with serving("wsgi:app", place.environ, 2) as server:
        found = hold(place, server.port, lambda: postgres_locked(postgres, name, row))
        refuse_waiting(found)
        assert statuses(found["locked"]) == {503}
        for kind in ("page", "cached", "list", "other"):
            well = [answer for answer in found[kind] if answer.status == 200]
            assert len(well) > 0.6 * len(found[kind]), kind  # But for the first rush.
        all_is_well(place, server.port)


def test_a_server_begins_while_another_program_holds_the_database(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    place = Place(environ_of(tmp_path))
    capfd.readouterr()
    with sqlite_locked(tmp_path), serving("wsgi:app", place.environ, 2) as server:
        assert ask(server.port, place.get("/tables/listed")).status == 200
        assert "Traceback" not in capfd.readouterr().err
