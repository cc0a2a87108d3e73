"""Starting with a Postgres that is silent, is held by somebody else, or has several hosts."""

import socket
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from stockpile_web import create_app
from stockpile_web.settings import BadSetting
from stockpile_web.storage import database, schema
from stockpile_web.storage.database import open_listener
from stockpile_web.upkeep import Refused
from stockpile_web.upkeep.postgres import connected, dump
from tests.support import pgtest
from tests.support.live_site import free_port, wait_until

# Since then the columns of these tables have changed.
EARLIER = "0010"
HELD = 'LOCK TABLE "user", match, seat IN ACCESS SHARE MODE'
PATIENCE = 60


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of something that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"postgresql+psycopg://me:secret@127.0.0.1:{server.getsockname()[1]}/games"


@pytest.fixture
def address(postgres: pgtest.Server, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database."""
    name = f"start_{tmp_path.name[-20:]}".lower()
    yield postgres.create(name)
    postgres.drop(name)


@pytest.fixture
def aside() -> Iterator[ThreadPoolExecutor]:
    """A thread, so that what waits for ever fails the test and does not stop it."""
    pool = ThreadPoolExecutor(1)
    yield pool
    pool.shutdown(wait=False)


def test_a_database_that_accepts_and_says_nothing_is_told_of_soon(
    silent: str, tmp_path: Path, aside: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "START_SECONDS", 2)
    starting = aside.submit(schema.upgrade, silent, str(tmp_path), "OFF")
    with pytest.raises(BadSetting, match=r"cannot be opened: .*timeout"):
        starting.result(PATIENCE)

    def connect() -> None:
        with connected(silent):
            pass

    with pytest.raises(Refused, match="timeout"):
        aside.submit(connect).result(PATIENCE)


@pytest.fixture
def migrating(
    address: str, tmp_path: Path, aside: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Future[None], psycopg.Connection]]:
    """A migration that meets somebody who reads the tables that it changes."""
    monkeypatch.setattr(schema, "LOCK_SECONDS", 0.2)
    monkeypatch.setattr(schema, "PAUSE_SECONDS", 0.2)
    monkeypatch.setattr(schema, "TRIES", 6)
    schema.upgrade(address, str(tmp_path), "OFF", to=EARLIER)
    with psycopg.connect(**database.psycopg_words(make_url(address))) as other:
        other.execute(HELD)
        yield aside.submit(schema.upgrade, address, str(tmp_path), "OFF"), other


def test_a_migration_lets_others_pass_and_tries_again(
    migrating: tuple[Future[None], psycopg.Connection], caplog: pytest.LogCaptureFixture
) -> None:
    done, reader = migrating
    wait_until(lambda: bool(caplog.messages), PATIENCE)
    reader.rollback()
    done.result(PATIENCE)
    (line,) = caplog.messages
    assert line.startswith("A migration waits: canceling statement due to lock timeout")


def test_a_migration_that_cannot_have_its_table_says_so(
    migrating: tuple[Future[None], psycopg.Connection],
) -> None:
    with pytest.raises(BadSetting, match="lock timeout"):
        migrating[0].result(PATIENCE)


@pytest.fixture
def two_hosts(address: str) -> str:
    """The address of a database whose first host is not there."""
    url = make_url(address)
    hosts = f"host=127.0.0.1:{free_port()}&host={url.query['host']}:5432"
    return f"postgresql+psycopg://test@/{url.database}?{hosts}"


def test_whoever_listens_finds_the_second_of_two_hosts(two_hosts: str) -> None:
    with open_listener(make_url(two_hosts), "test") as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_backup_finds_the_second_of_two_hosts(two_hosts: str, tmp_path: Path) -> None:
    dump(two_hosts, tmp_path / "dump")
    assert (tmp_path / "dump").stat().st_size


def test_an_address_whose_port_is_no_number_is_told_of_in_one_line(tmp_path: Path) -> None:
    both = "postgresql://me:secret@a:5432,b:5433/games"
    with pytest.raises(BadSetting, match="DATABASE_URL") as found:
        create_app({"STOCKPILE_INSTANCE": str(tmp_path), "DATABASE_URL": both})
    assert "secret" not in str(found.value)
