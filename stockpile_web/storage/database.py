"""The database: SQLite or Postgres, how it is opened, and what every model derives from."""

import select
import sqlite3
import time
from datetime import UTC, datetime
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from flask import Flask
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import (
    URL,
    Connection,
    DateTime,
    Engine,
    MetaData,
    NullPool,
    TypeDecorator,
    create_engine,
    event,
)
from sqlalchemy.exc import ArgumentError, DisconnectionError, InvalidatePoolError
from sqlalchemy.orm import DeclarativeBase, registry

from stockpile_web import counters
from stockpile_web.settings import BadSetting
from stockpile_web.storage.silence import Watch

if TYPE_CHECKING:
    import psycopg


def now() -> datetime:
    """Return the present moment, in UTC."""
    return datetime.now(UTC)


class Moment(TypeDecorator[datetime]):
    """A moment in UTC: SQLite forgets the zone of what it keeps, so we put it back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Any) -> datetime | None:
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        return value and value.replace(tzinfo=value.tzinfo or UTC).astimezone(UTC)


class Base(DeclarativeBase):
    """What every table derives from."""

    # Names for everything, so that a migration can name what it drops, on both databases.
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_N_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    registry = registry(metadata=metadata, type_annotation_map={datetime: Moment})


# One waits for one's turn among our own threads and processes, and then for the database itself,
# for so long at the most: whatever the trouble, an answer comes within 3 seconds.
TURN_SECONDS = 1.75
LOCK_SECONDS = 1.0
CONNECT_SECONDS = 2  # The shortest that libpq knows.
SILENT_SECONDS = 4  # After which a Postgres to which nobody can connect is taken for dead.
START_SECONDS = 5  # At the start, and for commands, nobody waits for an answer yet.
# How long a statement may take on Postgres.
STATEMENT_SECONDS = 15.0
CACHE_KILOBYTES = 400  # Of a connection to SQLite, which would take 2,000.


class Busy(Exception):
    """Somebody else holds what this needs; nothing was changed."""

    def __init__(self) -> None:
        super().__init__()
        counters.BUSY.add()


class Away(Busy):
    """The database cannot be reached. If it went during a commit, that may have been done."""


# Pages are rendered after the commit: nothing they need has to be read again.
db = SQLAlchemy(model_class=Base, session_options={"expire_on_commit": False})


def init_app(app: Flask) -> None:
    """Connect `app` to the database of its settings."""
    url = app.config["DATABASE_URL"]
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    # How many forms a process carries out at once. On SQLite they wait for each other, and for the
    # disk together (`storage/group_commit.py`).
    app.config["WRITERS"] = 8 if url.startswith("sqlite") else 4
    if url.startswith("sqlite"):
        if sqlite3.sqlite_version_info < (3, 35):
            raise BadSetting(
                f"SQLite 3.35 or newer is needed; this Python has {sqlite3.sqlite_version}."
            )
        # One connection for each thread of the server, and some for what runs beside it. The one
        # used last goes first: what it has read is still in its memory.
        app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {
            "pool_size": 16,
            "pool_use_lifo": True,
            "pool_timeout": LOCK_SECONDS,
        }
    else:
        app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {
            # Whoever reads begins nothing: each statement of Postgres's sees its own moment anyway,
            # and psycopg forgets its prepared statements at a rollback. Writers send BEGIN, below.
            "isolation_level": "AUTOCOMMIT",
            "pool_size": 8,
            "max_overflow": 8,
            "pool_recycle": 1800,
            "pool_timeout": LOCK_SECONDS,
            "connect_args": postgres_limits(),
        }
    try:
        db.init_app(app)
    except (ArgumentError, ValueError):  # The latter of a port that is no number.
        raise BadSetting("DATABASE_URL cannot be read as the address of a database.") from None
    with app.app_context():
        tune(db.engine, app.config["SQLITE_SYNCHRONOUS"])
        if db.engine.dialect.name == "postgresql":
            _tune_postgres(db.engine)


def postgres_limits() -> dict[str, Any]:
    """Return the time limits with which every connection to Postgres is opened.

    The server ends what waits or runs for too long; the kernel notices one that has vanished.
    """
    limits = {
        "lock_timeout": LOCK_SECONDS,
        "statement_timeout": STATEMENT_SECONDS,
        "idle_in_transaction_session_timeout": 4 * STATEMENT_SECONDS,
    }
    options = " ".join(f"-c {name}={int(seconds * 1000)}" for name, seconds in limits.items())
    unanswered = int(1000 * CONNECT_SECONDS)
    return {
        "connect_timeout": CONNECT_SECONDS,
        "tcp_user_timeout": unanswered,
        "options": options,
    }


def connect_alone(url: str) -> Engine:
    """Return a way to a database for what is done once, by one connection and without hurry.

    Whether it is there is known soon all the same.
    """
    limits = {} if url.startswith("sqlite") else {"connect_timeout": START_SECONDS}
    return create_engine(url, poolclass=NullPool, connect_args=limits)


def psycopg_words(url: URL) -> dict[str, Any]:
    """Return an address as the pool reads it, several hosts included, for psycopg and libpq."""
    return dict(url.get_dialect()().create_connect_args(url)[1])


def open_alone(url: URL, name: str, **limits: Any) -> "psycopg.Connection":
    """Open a connection to Postgres that belongs to no pool."""
    import psycopg  # Here, because with SQLite its 10 MB are not needed.

    ours = {"application_name": name, "keepalives_idle": 30, **postgres_limits(), **limits}
    return psycopg.connect(autocommit=True, **{**psycopg_words(url), **ours})


def open_listener(url: URL, name: str) -> "psycopg.Connection":
    """Open a connection to Postgres that listens for notes."""
    connection = open_alone(url, name)
    watch_of(url).add(connection)
    return connection


@cache
def watch_of(url: URL) -> Watch:
    """Return what looks after the connections of this process to a database."""
    # A busy machine takes its time: nobody is cut off because it does.
    return Watch(partial(open_alone, url, "stockpile-silence", connect_timeout=SILENT_SECONDS))


def tune(engine: Engine, synchronous: str, foreign_keys: str = "ON") -> None:
    """Make SQLite durable, patient and strict."""
    if engine.dialect.name != "sqlite":
        return

    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # We send BEGIN ourselves, below.
        connection.execute(f"PRAGMA busy_timeout={int(LOCK_SECONDS * 1000)}")
        connection.execute("PRAGMA journal_mode=WAL")
        # Of each of some sixteen connections. Whatever others commit empties it, and the system
        # has what was read at hand.
        connection.execute(f"PRAGMA cache_size=-{CACHE_KILOBYTES}")
        connection.execute(f"PRAGMA synchronous={synchronous}")
        connection.execute(f"PRAGMA foreign_keys={foreign_keys}")

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        # IMMEDIATE: SQLite never waits when a reading transaction turns into a writing one.
        kind = "IMMEDIATE" if _writes(connection) else "DEFERRED"
        # Straight to SQLite: every request comes by here.
        connection.connection.cursor().execute(f"BEGIN {kind}")


def _tune_postgres(engine: Engine) -> None:
    watch = watch_of(engine.url)

    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, record: Any) -> None:
        record.info["opened_at"] = time.monotonic()
        watch.add(connection)

    @event.listens_for(engine, "checkout")
    def on_checkout(connection: Any, record: Any, _proxy: Any) -> None:
        # A server that has gone says so, and an idle connection hears nothing else: it is asked
        # nothing, for every request comes by here.
        if record.info["opened_at"] <= watch.doubted_at:
            raise InvalidatePoolError
        if connection.closed or _has_come(connection.fileno()):
            raise DisconnectionError

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        if _writes(connection):
            connection.connection.cursor().execute("BEGIN")


def _has_come(file: int) -> bool:
    poll = select.poll()
    poll.register(file, select.POLLIN)
    return bool(poll.poll(0))


def _writes(connection: Connection) -> bool:
    """Tell whether a transaction is one of those that may write (`storage/transactions.py`)."""
    return bool(connection.get_execution_options().get("writes"))


def file_of(engine: Engine) -> str | None:
    """Return the path of the database, if it is a file of SQLite's."""
    path = engine.url.database
    is_file = engine.dialect.name == "sqlite" and path not in (None, "", ":memory:")
    return path if is_file else None
