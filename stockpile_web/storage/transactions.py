"""Transactions: reading outside of one, and the one way to write, on SQLite and on Postgres."""

import fcntl
import os
import threading
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from flask import Flask, g
from sqlalchemy import Connection, event, text
from sqlalchemy.orm import Session

from stockpile_web.storage.database import db, file_of

_one_writer = threading.Lock()
_writers: dict[tuple[int, str], int] = {}


def init_app(app: Flask) -> None:
    """Give back the connection of each request at its end."""
    app.teardown_appcontext(_stop_reading)


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


def advisory_lock(session: Session, what: str) -> None:
    """Until the end of this transaction, let nobody else pass here for the same `what`."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("select pg_advisory_xact_lock(:key)"), {"key": lock_number(what)})


def lock_number(what: str) -> int:
    """Return the number by which Postgres knows the advisory lock called `what`."""
    return zlib.crc32(f"stockpile {what}".encode())
