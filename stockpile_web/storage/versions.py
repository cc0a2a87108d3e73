"""The version of the whole database: another one after every commit, in whichever process.

SQLite tells it. On Postgres it lies in memory that all processes of a server share, and whoever
commits through `storage/transactions.py` changes it before the answer is sent. For other servers,
and for commands, each commit is announced by a note (NOTIFY) as well, which takes about a
millisecond.
"""

import mmap
import os
import random
import secrets
import sqlite3
import threading
import time
from typing import Protocol
from urllib.parse import quote

from sqlalchemy import URL, Engine

from stockpile_web.storage.database import file_of, open_listener
from stockpile_web.storage.trouble import Outage

CHANNEL = "stockpile_web_commit"
PULSE = "pulse"
PULSE_SECONDS = 5.0  # Between the notes by which a process finds out that notes reach it.
DEAF_SECONDS = 11.0  # Without a note for so long, nothing is known any more.
LONGEST_PAUSE = 2.0
LENGTH = 16  # Of a version, which is drawn by chance: none comes twice.


def new_version() -> str:
    """Return a version that no database has had before."""
    return secrets.token_hex(LENGTH // 2)


class Versions(Protocol):
    """What tells the version of a database."""

    def now(self) -> object:
        """Return a value that is another one after every commit; None if it cannot be told."""

    def committed(self, version: str) -> None:
        """Take note of a commit of this process, which was announced by that version."""

    def close(self) -> None:
        """End what was begun to find out."""


def versions_of(engine: Engine) -> Versions:
    """Return what tells the version of this database."""
    if engine.dialect.name == "postgresql":
        return PostgresVersions(engine.url)
    return SqliteVersions(file_of(engine))


class SqliteVersions:
    """Asks SQLite, over a connection of its own for each process: 10 microseconds."""

    PATIENCE = 0.1  # Seconds to wait for another thread that asks.
    PAUSE = 10.0  # Seconds to tell nothing after a failure.

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._process = 0
        self._again_at = 0.0
        self._connection: sqlite3.Connection

    def now(self) -> object:
        """Return a value that is another one after every commit; None if it cannot be told."""
        if time.monotonic() < self._again_at or not self._lock.acquire(timeout=self.PATIENCE):
            return None
        try:
            if self._process != os.getpid():  # A connection does not survive a fork.
                self._connection = self._connect()
                self._process = os.getpid()
            return self._read()
        except Exception:  # noqa: BLE001 (the page itself says what is wrong, if it is)
            self._process = 0
            self._again_at = time.monotonic() + self.PAUSE
            return None
        finally:
            self._lock.release()

    def committed(self, version: str) -> None:
        """Do nothing: SQLite counts."""

    def close(self) -> None:
        """Close the connection, if there is one."""
        with self._lock:
            if self._process == os.getpid():
                self._process = 0
                self._connection.close()

    def _connect(self) -> sqlite3.Connection:
        if self._path is None:
            raise LookupError("A database in memory is no other connection's.")
        address = f"file:{quote(self._path)}?mode=ro"
        return sqlite3.connect(
            address, self.PATIENCE, uri=True, isolation_level=None, check_same_thread=False
        )

    def _read(self) -> object:
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        return version


class PostgresVersions:
    """Changes the version with each commit of ours, and listens for those of others.

    While a process cannot hear them, it tells no version, and nothing is cached.
    """

    def __init__(self, url: URL) -> None:
        self._url = url
        self._shared = mmap.mmap(-1, LENGTH)  # With all processes that are forked from this one.
        self._lock = threading.Lock()
        self._process = 0
        self._heard_at = 0.0
        self._outage = Outage("Response cache")
        self._closing = threading.Event()

    def now(self) -> object:
        """Return a value that is another one after every commit; None if it cannot be told."""
        if self._process != os.getpid():
            self._start()
        hears = time.monotonic() - self._heard_at < DEAF_SECONDS
        return self._shared[:] if hears and self._heard_at else None

    def committed(self, version: str) -> None:
        """Take note of a commit: what was read before may be out of date."""
        self._shared[:] = version.encode()

    def _heard(self, version: str) -> None:
        """Take note of a commit of which a note has come, if nobody of this server has yet.

        The version is then a new one: the note's own may have been here, and gone again.
        """
        if version != PULSE and self._shared[:] != version.encode():
            self.committed(new_version())
        self._heard_at = time.monotonic()

    def close(self) -> None:
        """Listen no more, after the next pulse."""
        self._closing.set()

    def _start(self) -> None:
        """Begin to listen; a thread does not survive a fork, so each process has its own."""
        with self._lock:
            if self._process != os.getpid():
                self._heard_at = 0.0
                self._process = os.getpid()
                threading.Thread(target=self._run, name="versions", daemon=True).start()

    def _run(self) -> None:
        pause = 0.1
        while not self._closing.is_set():
            try:
                self._listen()
            except Exception as error:  # noqa: BLE001 (whatever it is, pages do without the cache)
                if self._closing.is_set():
                    return
                pause = 0.1 if self._heard_at else min(2 * pause, LONGEST_PAUSE)
                self._heard_at = 0.0
                self._outage.failed(error)
                self._closing.wait(pause * random.uniform(0.7, 1.3))

    def _listen(self) -> None:
        with open_listener(self._url, "stockpile-response-cache") as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self.committed(new_version())  # Whatever it was that nobody has heard.
            while not self._closing.is_set():
                # Sent to ourselves: some proxies take LISTEN, and pass no note.
                connection.execute(f"NOTIFY {CHANNEL}, '{PULSE}'")
                asked_at = time.monotonic()
                for note in connection.notifies(timeout=PULSE_SECONDS):
                    self._heard(note.payload)
                if self._heard_at < asked_at:
                    raise ConnectionError("no note has come")
                self._outage.worked()
