"""Response cache for table pages, keyed by the version of the whole database (WSGI middleware).

While nothing at all has been committed, the same question about a table has the same answer. Safe
because every commit, in whichever process, changes that version.
"""

import os
import re
import sqlite3
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import quote

from flask import Flask
from sqlalchemy import URL

from stockpile_web.storage.database import db, file_of

MOST_ENTRIES = 500
MOST_BYTES = 16 * 1024 * 1024
LONGEST_KEY = 4 * 1024  # Characters; a question with more is not worth keeping.
# A page is shown in the zone of its reader, and a device is signed out after a while.
LONGEST_SECONDS = 60.0

# All that an answer depends on, but for the database and the time. HX-Current-URL decides only
# where strangers are sent to sign in, and such an answer is never kept.
DEPENDS_ON = (
    "wsgi.url_scheme",
    "SERVER_NAME",
    "SERVER_PORT",
    "SCRIPT_NAME",
    "PATH_INFO",
    "QUERY_STRING",
    "HTTP_HOST",
    "HTTP_COOKIE",
    "HTTP_ACCEPT_ENCODING",
    "HTTP_IF_NONE_MATCH",
    "HTTP_HX_REQUEST",
    "HTTP_HX_TARGET",
    "HTTP_HX_HISTORY_RESTORE_REQUEST",
    "HTTP_BOARD_HAS",
)

_TABLE = re.compile(r"/table/\d+$")

Key = tuple[str, ...]
Headers = list[tuple[str, str]]


class Answer(NamedTuple):
    """What was answered, and for how long that holds."""

    version: object
    until: float
    status: str
    headers: Headers
    body: bytes


def init_app(app: Flask) -> None:
    """Put the cache before `app`, if its database can tell its version."""
    with app.app_context():
        file, url = file_of(db.engine), db.engine.url
    versions: Versions
    if file:
        versions = SqliteVersions(file)
    elif url.get_backend_name() == "postgresql":
        versions = PostgresVersions(url)
    else:
        return
    app.extensions["response_cache"] = cache = ResponseCache(app.wsgi_app, versions)
    app.wsgi_app = cache  # type: ignore[method-assign]


class Versions:
    """Reads the version of the database, over a connection of its own for each process."""

    PATIENCE = 0.1  # Seconds to wait for another thread that reads it.
    PAUSE = 10.0  # Seconds to do without the cache after a failure.

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = 0
        self._again_at = 0.0
        self._connection: Any = None

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

    def _connect(self) -> Any:
        raise NotImplementedError

    def _read(self) -> object:
        raise NotImplementedError


class SqliteVersions(Versions):
    """A look at memory that all processes share: 10 microseconds."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._address = f"file:{quote(path)}?mode=ro"

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(
            self._address,
            timeout=self.PATIENCE,
            uri=True,
            isolation_level=None,
            check_same_thread=False,
        )

    def _read(self) -> object:
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        return version


class PostgresVersions(Versions):
    """Asks which transactions are visible: two equal snapshots see equal data."""

    def __init__(self, url: URL) -> None:
        super().__init__()
        self._url = url

    def _connect(self) -> Any:
        import psycopg  # Here, because with SQLite its 10 MB are not needed.

        address = self._url.set(drivername="postgresql").render_as_string(hide_password=False)
        limits = {"connect_timeout": 2, "tcp_user_timeout": 2000}
        name = {"application_name": "stockpile-response-cache"}
        conninfo = psycopg.conninfo.make_conninfo(address, **limits, **name)
        # libpq itself: for one value, a cursor would cost more than Postgres does.
        connection = psycopg.pq.PGconn.connect(conninfo.encode())
        connection.exec_(b"SET statement_timeout = 200")
        return connection

    def _read(self) -> object:
        found = self._connection.exec_(b"SELECT pg_current_snapshot()").get_value(0, 0)
        if found is None:
            raise ConnectionError
        return found


class ResponseCache:
    """The application, and its answers that still hold."""

    def __init__(self, app: Any, versions: Versions) -> None:
        self._app = app
        self._versions = versions
        self._lock = threading.Lock()
        self._answers: OrderedDict[Key, Answer] = OrderedDict()
        self._bytes = 0

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] == "GET" and _TABLE.match(environ["PATH_INFO"]):
            key = tuple([environ.get(name, "") for name in DEPENDS_ON])
            # Before the application reads: its answer may be newer than that, but never older.
            if sum(map(len, key)) <= LONGEST_KEY and (version := self._versions.now()) is not None:
                return self._answer(key, version, environ, start_response)
        answer: Iterable[bytes] = self._app(environ, start_response)
        return answer

    def _answer(
        self, key: Key, version: object, environ: dict[str, Any], start_response: Any
    ) -> Iterable[bytes]:
        answer = self._answers.get(key)
        if answer is None or answer.version != version or answer.until < time.monotonic():
            answer = self._ask(environ, version)
            self._keep(key, answer)
        start_response(answer.status, answer.headers.copy())
        return [answer.body]

    def _ask(self, environ: dict[str, Any], version: object) -> Answer:
        heard: list[tuple[str, Headers]] = []
        parts = self._app(environ, lambda status, headers, *_: heard.append((status, headers)))
        body = b"".join(parts)
        if hasattr(parts, "close"):
            parts.close()
        ((status, headers),) = heard
        return Answer(version, time.monotonic() + LONGEST_SECONDS, status, headers, body)

    def _keep(self, key: Key, answer: Answer) -> None:
        with self._lock:
            self._forget(key, self._answers.pop(key, None))
            if _may_be_kept(answer):
                self._answers[key] = answer
                self._bytes += _size(key, answer)
                while self._bytes > MOST_BYTES or len(self._answers) > MOST_ENTRIES:
                    self._forget(*self._answers.popitem(last=False))

    def _forget(self, key: Key, answer: Answer | None) -> None:
        if answer is not None:
            self._bytes -= _size(key, answer)


def _may_be_kept(answer: Answer) -> bool:
    """Tell whether an answer is the same the next time: such ones have a tag and set no cookie."""
    names = {name for name, _ in answer.headers}
    return "ETag" in names and "Set-Cookie" not in names


def _size(key: Key, answer: Answer) -> int:
    return sum(map(len, key)) + len(answer.body)
