"""Trouble with the database: what counts as it, what is done until it ends, what is logged."""

import sqlite3

import psycopg
import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from stockpile_web.storage import trouble
from stockpile_web.storage.database import Away, Busy
from stockpile_web.storage.trouble import Outage, insist, trouble_in


def wrapped(error: Exception) -> DBAPIError:
    return OperationalError("SELECT secret", {"value": "secret"}, error)


def locked() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY_SNAPSHOT
    return error


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (Busy(), Busy),
        (locked(), Busy),
        (PoolTimeout(), Busy),
        (psycopg.errors.LockNotAvailable("lock timeout"), Busy),
        (psycopg.errors.QueryCanceled("statement timeout"), Busy),
        (psycopg.errors.DeadlockDetected("deadlock"), Busy),
        (psycopg.OperationalError("connection refused"), Away),
        (psycopg.errors.AdminShutdown("terminating"), Away),
        (psycopg.errors.CannotConnectNow("starting up"), Away),
        (psycopg.errors.ReadOnlySqlTransaction("a copy"), Away),
    ],
)
def test_a_lock_and_a_lost_database_are_told_apart(error: Exception, kind: type) -> None:
    assert type(trouble_in(error)) is kind
    if isinstance(error, (sqlite3.Error, psycopg.Error)):
        assert type(trouble_in(wrapped(error))) is kind


@pytest.mark.parametrize(
    "error",
    [
        ValueError("ours"),
        sqlite3.OperationalError("no such table"),
        psycopg.errors.UndefinedTable("no such table"),
        psycopg.errors.PipelineAborted("another one failed"),
        IntegrityError("INSERT", {}, sqlite3.IntegrityError("UNIQUE")),
    ],
)
def test_what_is_wrong_with_us_is_no_trouble_of_the_database(error: Exception) -> None:
    assert trouble_in(error) is None


def test_a_real_lock_is_known_as_one(tmp_path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path}/a.db", connect_args={"timeout": 0})
    holder = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with engine.connect() as connection, pytest.raises(OperationalError) as found:
        connection.execute(text("CREATE TABLE a (b)"))
    assert type(trouble_in(found.value)) is Busy
    holder.close()
    engine.dispose()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trouble, "PAUSE_SECONDS", 0.001)


@pytest.mark.usefixtures("quick")
def test_what_must_be_written_down_is_tried_until_it_can_be() -> None:
    errors: list[Exception] = [Away(), Busy(), psycopg.OperationalError("refused")]

    def act() -> str:
        if errors:
            raise errors.pop()
        return "done"

    assert insist(act, 30) == "done"


@pytest.mark.usefixtures("quick")
def test_another_error_is_raised_at_once_and_trouble_when_the_time_is_up() -> None:
    tries = []

    def act(error: Exception) -> None:
        tries.append(error)
        raise error

    with pytest.raises(ZeroDivisionError):
        insist(lambda: act(ZeroDivisionError()), 30)
    assert len(tries) == 1
    with pytest.raises(Away):
        insist(lambda: act(Away()), 0.02)
    assert len(tries) > 2


def test_the_log_is_told_when_an_outage_begins_and_when_it_ends(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    outage = Outage("Live updates")
    outage.worked()
    for _ in range(3):
        outage.failed(wrapped(psycopg.OperationalError("connection refused\nmore")))
        outage.worked()  # Not yet: it has just failed.
    assert outage.is_on
    monkeypatch.setattr(trouble, "SETTLED_SECONDS", 0.0)
    for _ in range(3):
        outage.worked()
    began, ended = caplog.messages
    assert began == "Live updates: connection refused; trying until it works again"
    assert ended.startswith("Live updates: works again after")


@pytest.mark.parametrize(
    ("error", "cause", "said"),
    [
        (Busy(), None, "another program writes"),
        (Busy(), locked(), "database is locked"),
        (
            Away(),
            wrapped(psycopg.OperationalError("connection refused\nmore")),
            "connection refused",
        ),
        (Away(), None, "it does not answer"),
    ],
)
def test_the_log_says_in_words_what_does_not_work(
    caplog: pytest.LogCaptureFixture, error: Busy, cause: Exception | None, said: str
) -> None:
    error.__cause__ = cause
    Outage("The worker").failed(error)
    assert caplog.messages == [f"The worker: {said}; trying until it works again"]
