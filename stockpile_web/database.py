"""The database: SQLite or Postgres, how to write to it, and how it is brought up to date."""

import fcntl
import os
import sqlite3
import threading
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from flask import Flask, g
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import (
    Connection,
    DateTime,
    Engine,
    MetaData,
    NullPool,
    TypeDecorator,
    create_engine,
    event,
    inspect,
    text,
)
from sqlalchemy.exc import ArgumentError, OperationalError
from sqlalchemy.orm import DeclarativeBase, Session, registry

from stockpile_web.settings import ROOT, BadSetting

MIGRATIONS = ROOT / "migrations"


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


# Pages are rendered after the commit: nothing they need has to be read again.
db = SQLAlchemy(model_class=Base, session_options={"expire_on_commit": False})

_one_writer = threading.Lock()
_writers: dict[tuple[int, str], int] = {}


def init_app(app: Flask) -> None:
    """Connect `app` to the database of its settings."""
    url = app.config["DATABASE_URL"]
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    if url.startswith("sqlite"):
        if sqlite3.sqlite_version_info < (3, 35):
            raise BadSetting(
                f"SQLite 3.35 or newer is needed; this Python has {sqlite3.sqlite_version}."
            )
        # One connection for each thread of the server, and some for what runs beside it. The one
        # used last goes first: what it has read is still in its memory.
        app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {"pool_size": 16, "pool_use_lifo": True}
    else:
        app.config["SQLALCHEMY_ENGINE_OPTIONS"] = {
            "pool_pre_ping": True,
            "pool_size": 8,
            "max_overflow": 8,
            "pool_recycle": 1800,
        }
    try:
        db.init_app(app)
    except ArgumentError:
        raise BadSetting("DATABASE_URL cannot be read as the address of a database.") from None
    app.teardown_appcontext(_stop_reading)
    with app.app_context():
        _tune(db.engine, app.config["SQLITE_SYNCHRONOUS"])


def _tune(engine: Engine, synchronous: str, foreign_keys: str = "ON") -> None:
    """Make SQLite durable, patient and strict; Postgres needs none of it."""
    if engine.dialect.name != "sqlite":
        return

    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # We send BEGIN ourselves, below.
        connection.execute("PRAGMA busy_timeout=10000")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA synchronous={synchronous}")
        connection.execute(f"PRAGMA foreign_keys={foreign_keys}")

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        kind = connection.get_execution_options().get("sqlite_begin", "DEFERRED")
        # Straight to SQLite: every request comes by here.
        connection.connection.cursor().execute(f"BEGIN {kind}")


def reading() -> Connection:
    """Return the connection on which this request reads: its own, for a session costs more."""
    if "reading" not in g:
        g.reading = db.engine.connect()
    connection: Connection = g.reading
    return connection


def _stop_reading(_error: BaseException | None = None) -> None:
    connection: Connection | None = g.pop("reading", None)
    if connection is not None:
        connection.close()


@contextmanager
def moving() -> Iterator[Connection]:
    """Run the block as one write transaction, as writing() does, without a session.

    For the path of a move, where the session would cost more than the rules.
    """
    connection = reading()
    connection.rollback()
    with _turn_to_write():
        connection.execution_options(sqlite_begin="IMMEDIATE")
        try:
            yield connection
            connection.commit()
        except BaseException:
            connection.rollback()
            raise
        finally:
            connection.execution_options(sqlite_begin="DEFERRED")


@contextmanager
def writing() -> Iterator[Session]:
    """Run the block as one write transaction: committed at its end, rolled back on any error.

    What the session read before is read anew inside. On SQLite the block is the only writer;
    on Postgres it is an ordinary transaction, and rows that must not move are locked by the block.
    Work that does not touch the database (hashing, rendering, mail) belongs outside.
    """
    session = db.session()
    if session.info.get("writing"):
        raise RuntimeError("writing() inside writing()")
    if "reading" in g:
        g.reading.rollback()
    session.rollback()
    session.expire_all()
    with _turn_to_write():
        session.info["writing"] = True
        try:
            # IMMEDIATE: SQLite never waits when a reading transaction turns into a writing one.
            session.connection(execution_options={"sqlite_begin": "IMMEDIATE"})
            yield session
            session.commit()
        except BaseException:
            session.rollback()
            raise
        finally:
            session.info["writing"] = False


def _turn_to_write() -> AbstractContextManager[object]:
    """Return what lets one write after the other: Postgres sees to that itself."""
    file = file_of(db.engine)
    return _alone(f"{file}-writer") if file else nullcontext()


def file_of(engine: Engine) -> str | None:
    """Return the path of the database, if it is a file of SQLite's."""
    path = engine.url.database
    is_file = engine.dialect.name == "sqlite" and path not in (None, "", ":memory:")
    return path if is_file else None


@contextmanager
def _alone(path: str) -> Iterator[None]:
    """Hold the locks on writing to a file of SQLite's, among our threads and all processes.

    They hand over at once, and in turn; SQLite's own waiting sleeps in steps of milliseconds.
    """
    with _one_writer:
        file = _writers.get((os.getpid(), path))  # A file that was open before a fork is shared.
        if file is None:
            file = _writers[os.getpid(), path] = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)


@event.listens_for(Session, "before_flush")
def _refuse_to_write_outside_writing(session: Session, _context: Any, _objects: Any) -> None:
    if not session.info.get("writing") and (session.new or session.dirty or session.deleted):
        raise RuntimeError("Changes belong in a writing() block.")


def take_turns(session: Session, what: str) -> None:
    """Until the end of this transaction, let nobody else pass here for the same `what`."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("select pg_advisory_xact_lock(:key)"), {"key": _lock_number(what)})


def migrate(app: Flask) -> None:
    """Bring the database up to date; safe when several processes start at once."""
    url, folder = app.config["DATABASE_URL"], app.config["STOCKPILE_INSTANCE"]
    engine = create_engine(url, poolclass=NullPool)
    # Without foreign keys: SQLite changes a table by dropping it and making it anew.
    _tune(engine, app.config["SQLITE_SYNCHRONOUS"], foreign_keys="OFF")
    try:
        with engine.connect() as connection:
            if not is_up_to_date(connection):
                with _migrating_alone(connection, Path(folder)):
                    _upgrade(connection)
    except OperationalError as error:
        first_line = str(error.orig).strip().splitlines()[0]
        raise BadSetting(f"The database cannot be opened: {first_line}") from None
    finally:
        engine.dispose()


def is_up_to_date(connection: Connection) -> bool:
    """Tell whether the newest migration has been applied, without loading Alembic."""
    newest = max(path.name[:4] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))
    try:
        if not inspect(connection).has_table("alembic_version"):
            return False
        return str(connection.scalar(text("select version_num from alembic_version"))) == newest
    finally:
        connection.rollback()


@contextmanager
def _migrating_alone(connection: Connection, folder: Path) -> Iterator[None]:
    if connection.dialect.name == "sqlite":
        with (folder / "migrate.lock").open("w") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            yield
        return
    key = {"key": _lock_number("migrate")}
    with connection.engine.connect() as guard:
        guard.execute(text("select pg_advisory_lock(:key)"), key)
        guard.commit()
        yield  # Closing the connection gives the lock back.


def _upgrade(connection: Connection) -> None:
    # Rarely needed and heavy: loaded only when there is something to do.
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection.execution_options(sqlite_begin="IMMEDIATE")
    try:
        command.upgrade(config, "head")
    except CommandError:
        raise BadSetting("The database was made by a newer version of Stockpile Web.") from None


def _lock_number(what: str) -> int:
    return zlib.crc32(f"stockpile {what}".encode())
