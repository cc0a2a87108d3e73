"""Group commit on SQLite: what arrives together is on the disk at once, and each by itself."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.exc import IntegrityError

from stockpile_web.storage import group_commit
from stockpile_web.storage.database import Busy, tune
from stockpile_web.storage.group_commit import WriteLock
from tests.support.live_site import wait_until

INSERT = text("INSERT INTO move VALUES (:name)")


class Desk:
    """A database at which several write, the first of whom waits until all others have come."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.engine: Engine = create_engine(f"sqlite:///{path}")
        tune(self.engine, "OFF")
        self.lock = WriteLock(f"{path}-writer")
        self.commits = 0
        with self.engine.connect() as connection:
            connection.execute(text("CREATE TABLE move (name TEXT PRIMARY KEY)"))
            connection.commit()
        event.listen(self.engine, "commit", self._count)

    def _count(self, _connection: Any) -> None:
        self.commits += 1

    def write(self, name: str, before_end: Callable[[], None] = lambda: None) -> list[str]:
        """Write a row, and return what is there when that is said to be done."""
        with self.engine.connect() as own, self.lock.together(own) as connection:
            connection.execute(INSERT, {"name": name})
            before_end()
        return self.stored()

    def stored(self) -> list[str]:
        with sqlite3.connect(self.path) as connection:
            found = connection.execute("SELECT name FROM move ORDER BY rowid").fetchall()
        connection.close()
        return [name for (name,) in found]

    def together(self, first: str, *others: Callable[[], Any]) -> list[Any]:
        """Let all write in one group; return what came of each, or its error."""
        began = threading.Event()

        def wait_for_all() -> None:
            began.set()
            wait_until(lambda: self.lock._waiting == len(others))

        with ThreadPoolExecutor(len(others) + 1) as threads:
            jobs = [threads.submit(self.write, first, wait_for_all)]
            assert began.wait(5)
            for number, other in enumerate(others):
                wait_until(lambda number=number: self.lock._waiting == number)  # type: ignore[misc]
                jobs.append(threads.submit(other))
            return [job.exception(10) or job.result() for job in jobs]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "moves.db")
    yield made
    made.engine.dispose()


def test_what_arrives_together_is_committed_together_before_anybody_goes_on(desk: Desk) -> None:
    answers = desk.together("a", lambda: desk.write("b"), lambda: desk.write("c"))
    assert answers == [["a", "b", "c"]] * 3
    assert desk.commits == 1
    assert desk.write("d") == ["a", "b", "c", "d"]  # By itself, at once.
    assert desk.commits == 2


def test_one_that_fails_is_undone_alone_and_commits_for_the_others(desk: Desk) -> None:
    a, b, c, last = desk.together(
        "a", lambda: desk.write("a"), lambda: desk.write("c"), lambda: desk.write("d", failing)
    )
    assert (a, c) == (["a", "c"], ["a", "c"])
    assert isinstance(b, IntegrityError) and isinstance(last, ZeroDivisionError)
    assert desk.commits == 1
    with pytest.raises(ZeroDivisionError):
        desk.write("e", failing)
    assert desk.write("f") == ["a", "c", "f"]


def test_if_the_commit_fails_nothing_has_happened_and_all_are_told(desk: Desk) -> None:
    def refuse(_connection: Any) -> None:
        raise OSError("the disk is full")

    event.listen(desk.engine, "commit", refuse)
    answers = desk.together("a", lambda: desk.write("b"))
    assert [type(answer) for answer in answers] == [Busy, Busy]
    with pytest.raises(OSError, match="full"):
        desk.write("c")
    event.remove(desk.engine, "commit", refuse)
    assert desk.write("d") == ["d"]


def test_what_sqlite_itself_has_taken_back_is_not_said_to_be_done(desk: Desk) -> None:
    def lose_all() -> None:
        with desk.engine.connect() as own, desk.lock.together(own) as connection:
            driver: Any = connection.connection.driver_connection
            driver.execute("ROLLBACK")  # As it does when the disk is full.
            raise sqlite3.OperationalError("database or disk is full")

    first, _, after = desk.together("a", lose_all, lambda: desk.write("b"))
    assert isinstance(first, Busy)
    assert after == ["b"]  # In a transaction of its own.


def test_a_group_has_an_end_and_whoever_needs_a_transaction_alone_ends_one(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_commit, "MOST", 2)
    desk.together("a", lambda: desk.write("b"), lambda: desk.write("c"))
    assert desk.commits == 2

    def look() -> list[str]:
        with desk.lock.alone():
            return desk.stored()

    assert set(desk.together("d", look)[1]) == {*"abcd"}


def test_a_group_is_committed_though_whoever_waited_behind_it_has_given_up(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = desk.lock
    monkeypatch.setattr(lock, "_waiting", 1)
    with ThreadPoolExecutor(1) as threads:
        job = threads.submit(desk.write, "a")
        wait_until(lambda: lock._group is not None and lock._group.members == 1)
        assert not job.done()
        lock._waiting -= 1
        assert job.result(5) == ["a"]


def failing() -> None:
    raise ZeroDivisionError
