"""Trouble with the database: which errors mean that it is locked or away, and how to go on.

Compiled SQL goes straight to the driver, so errors come from SQLAlchemy and from both drivers.
"""

import logging
import sqlite3
import sys
import time
from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from stockpile_web.storage.database import Away, Busy

log = logging.getLogger(__name__)

Result = TypeVar("Result")

SETTLED_SECONDS = 3.0  # Without another failure for so long, an outage is over.
PAUSE_SECONDS = 0.5

# Locked by somebody else; or the disk is full, and nothing was written.
_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL)
# Postgres: serialization, deadlock, full disk, too many connections, lock and statement limits.
_BUSY_STATES = ("40001", "40P01", "53100", "53300", "55P03", "57014")
# The connection fails (08...), or the server stops, ends our session, starts, or has become a copy
# that only reads (a failover).
_AWAY_STATES = ("08", "57P01", "57P02", "57P03", "57P05", "25P03", "25006")


def trouble_in(error: BaseException) -> Busy | None:
    """Return an error as whoever asked is told of it; None if it is trouble of another kind."""
    if isinstance(error, Busy):
        return error
    cause: Any = getattr(error, "orig", None) or error  # SQLAlchemy wraps what a driver raises.
    state = getattr(cause, "sqlstate", None) or ""
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF  # Extended codes end in the plain one.
    if isinstance(error, PoolTimeout) or code in _LOCKED or state in _BUSY_STATES:
        return Busy()
    is_cut = isinstance(error, DBAPIError) and error.connection_invalidated
    is_lost = isinstance(error, DisconnectionError) or (not state and _is_lost_connection(cause))
    return Away() if is_cut or is_lost or state.startswith(_AWAY_STATES) else None


def _is_lost_connection(error: BaseException) -> bool:
    """Tell whether psycopg could not reach the server: then there is nobody who gives a state."""
    psycopg = sys.modules.get("psycopg")  # With SQLite it is never loaded.
    if psycopg is None or not isinstance(error, psycopg.OperationalError):
        return False
    return not isinstance(error, psycopg.errors.PipelineAborted)


def in_words(error: BaseException) -> str:
    """Return what a database said, on one line: never a statement or its values."""
    said = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
    if said:
        return said
    if error.__cause__:  # Busy and Away say nothing themselves.
        return in_words(error.__cause__)
    return "it does not answer" if isinstance(error, Away) else "another program writes"


def insist(act: Callable[[], Result], seconds: float) -> Result:
    """Do what must be written down for as long as the database is locked or away, and then once.

    For threads of the worker, which have leased what they are at for longer than that.
    """
    deadline = time.monotonic() + seconds
    while True:
        try:
            return act()
        except Exception as error:
            if trouble_in(error) is None or time.monotonic() > deadline:
                raise
        time.sleep(PAUSE_SECONDS)


class Outage:
    """Has the log told once that something does not work, and once that it does again."""

    def __init__(self, of: str) -> None:
        self._of = of
        self._began = 0.0
        self._failed = 0.0

    @property
    def is_on(self) -> bool:
        """Whether the log was told that it does not work, and not yet that it does."""
        return bool(self._began)

    def failed(self, error: BaseException) -> None:
        """Note a failure, by whichever thread."""
        self._failed = time.monotonic()
        if not self._began:
            self._began = self._failed
            log.warning("%s: %s; trying until it works again", self._of, in_words(error))

    def worked(self) -> None:
        """Note that it works, if it did not and nothing has failed since."""
        moment = time.monotonic()
        if self._began and moment - self._failed > SETTLED_SECONDS:
            log.warning("%s: works again after %.0f s", self._of, moment - self._began)
            self._began = 0.0
