"""Transactions: one connection to read on in each request, and write transactions with a lock.

Every wait for a lock has a time limit (`LOCK_SECONDS`); past it `Busy` is raised, nothing has been
changed, and the same may be sent again. `Away` says that the database cannot be reached.
"""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from flask import Flask, current_app, g
from sqlalchemy import Connection, bindparam, event, func, select, text
from sqlalchemy.orm import Session

from stockpile_web.storage.compiled_sql import Asked, Statement, drop_if_lost, pipelined
from stockpile_web.storage.database import Busy, db, file_of
from stockpile_web.storage.group_commit import WriteLock
from stockpile_web.storage.trouble import trouble_in
from stockpile_web.storage.versions import CHANNEL, Versions, new_version, versions_of

__all__ = ["Busy", "advisory_lock", "init_app", "lock_number", "reading", "transaction", "writing"]

# Whoever has written nothing has no number as a transaction, and nothing to tell.
_ANNOUNCE = Statement(
    select(func.pg_notify(CHANNEL, bindparam("version"))).where(
        func.pg_current_xact_id_if_assigned().is_not(None)
    )
)


def init_app(app: Flask) -> None:
    """Give back the connection of each request at its end, and know when anything is committed."""
    app.teardown_appcontext(_stop_reading)
    with app.app_context():
        app.extensions["versions"] = versions_of(db.engine)
        file = file_of(db.engine)  # Postgres has locks of its own.
        app.extensions["write_lock"] = WriteLock(f"{file}-writer") if file else None


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
def transaction() -> Iterator[Connection]:
    """Run the block as one write transaction: committed at its end, undone on any error.

    On SQLite the block is the only writer, and may share its transaction with others that wait for
    the disk; on Postgres rows that must not change meanwhile are locked by the block. Work that
    does not touch the database (hashing, rendering, mail) belongs outside.
    """
    own = reading()
    with _alone():
        own.rollback()
        lock: WriteLock | None = current_app.extensions["write_lock"]
        with _by_itself(own) if lock is None else lock.together(own) as connection:
            g.reading = connection  # Whoever reads inside sees what was written.
            try:
                yield connection
            finally:
                g.reading = own


@contextmanager
def _by_itself(connection: Connection) -> Iterator[Connection]:
    """Run the block as a transaction that nobody shares."""
    connection.execution_options(writes=True)
    try:
        yield connection
        if connection.in_transaction():  # Otherwise it has done nothing.
            version = new_version()
            with pipelined(connection):
                told = _announce(connection, version)
                connection.commit()
            _committed(told, version)
    except BaseException as error:
        drop_if_lost(connection, error)
        connection.rollback()
        raise
    finally:
        connection.execution_options(writes=False)


@contextmanager
def writing() -> Iterator[Session]:
    """Run the block as one write transaction with a session, for rows of people and notices.

    What the session read before is read anew inside. A match is changed by `match.turn.changing`.
    """
    session = db.session()
    lock: WriteLock | None = current_app.extensions["write_lock"]
    with _alone(), lock.alone() if lock else nullcontext():
        if "reading" in g:
            g.reading.rollback()
        session.rollback()
        session.expire_all()
        session.info["writing"] = True
        connection: Connection | None = None
        try:
            connection = session.connection(execution_options={"writes": True})
            yield session
            session.flush()
            version = new_version()
            told = _announce(connection, version)
            session.commit()
            _committed(told, version)
        except BaseException as error:
            if connection is not None:
                drop_if_lost(connection, error)
            session.rollback()
            raise
        finally:
            session.info["writing"] = False


def _announce(connection: Connection, version: str) -> Asked | None:
    """Have a transaction told to all who listen, once it is committed; on SQLite nobody has to.

    The answer has a row if there is anything to tell.
    """
    if connection.dialect.name != "postgresql":
        return None
    return _ANNOUNCE.ask(connection, version=version)


def _committed(told: Asked | None, version: str) -> None:
    if told and told.cursor.fetchone():
        versions: Versions = current_app.extensions["versions"]
        versions.committed(version)


@contextmanager
def _alone() -> Iterator[None]:
    """Be in no other transaction; say so if the database is locked or away."""
    if "is_writing" in g:
        raise RuntimeError("A write transaction inside a write transaction.")
    g.is_writing = True
    try:
        yield
        g.has_written = True
    except Exception as error:
        trouble = trouble_in(error)
        if trouble is None:
            g.has_been_refused = True  # By the rules, say: the database was there.
        if trouble is None or trouble is error:
            raise
        raise trouble from error
    finally:
        g.pop("is_writing")


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
