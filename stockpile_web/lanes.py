"""Two lanes before Flask, on SQLite: one request at a time, and what was just answered at once.

SQLite works in our own process and Python runs one thread at a time, so requests that run side by
side gain nothing and lose half their time handing the interpreter to each other. While nothing at
all has changed in the database, the same question about a table has the same answer.
"""

import io
import os
import re
import sqlite3
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from urllib.parse import quote

from flask import Flask, current_app

from stockpile_web.storage.database import db, file_of

KEPT = 500
# A page is shown in the zone of its reader, and a device is signed out after a while.
LONGEST = 60.0
LARGEST = 64 * 1024  # More is refused unread.

_TABLE = re.compile(r"/table/\d+$")

Headers = list[tuple[str, str]]


class Answer(NamedTuple):
    """What was answered, and for how long that holds."""

    version: int
    until: float
    status: str
    headers: Headers
    body: bytes


def init_app(app: Flask) -> None:
    """Lead requests to `app` through the lanes, if its database is a file."""
    with app.app_context():
        file = file_of(db.engine)
    if file:
        app.extensions["lanes"] = lanes = Lanes(app.wsgi_app, file)
        app.wsgi_app = lanes  # type: ignore[method-assign]


@contextmanager
def stepping_aside() -> Iterator[None]:
    """Let others pass while this request does something long that leaves Python free."""
    lanes = current_app.extensions.get("lanes")
    if lanes is None or not lanes.is_mine():
        yield
        return
    lanes.leave()
    try:
        yield
    finally:
        lanes.enter()


class Lanes:
    """The application behind a turnstile, and the answers that still hold."""

    def __init__(self, app: Any, path: str) -> None:
        self._app = app
        self._next = threading.Lock()
        self._turn = threading.Lock()
        self._inside = 0  # The thread that has passed the turnstile.
        self._kept: OrderedDict[tuple[object, ...], Answer] = OrderedDict()
        self._address = f"file:{quote(path)}?mode=ro"
        self._process = 0
        self._database: sqlite3.Connection

    def is_mine(self) -> bool:
        """Tell whether it is the turn of this thread."""
        return self._inside == threading.get_ident()

    def enter(self) -> None:
        """Wait for a turn; whoever waits first goes first, however often another one asks."""
        with self._next:
            self._turn.acquire()
        self._inside = threading.get_ident()

    def leave(self) -> None:
        """Let the next one pass."""
        self._inside = 0
        self._turn.release()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        length = environ.get("CONTENT_LENGTH") or ""
        if length.isdigit() and 0 < int(length) <= LARGEST:
            # Whoever sends slowly is waited for outside.
            environ["wsgi.input"] = io.BytesIO(environ["wsgi.input"].read(int(length)))
        self.enter()
        try:
            if environ["REQUEST_METHOD"] == "GET" and _TABLE.match(environ["PATH_INFO"]):
                return self._table(environ, start_response)
            answer: Iterable[bytes] = self._app(environ, start_response)
            return answer
        finally:
            self.leave()

    def _table(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer as before, if the same is asked and nothing has changed; else ask Flask."""
        question = _question(environ)
        version = self._version()  # Before Flask reads: its answer may be newer, but never older.
        answer = self._kept.get(question)
        if answer is None or answer.version != version or answer.until < time.monotonic():
            answer = self._ask(environ, version)
            self._kept.pop(question, None)
            if _may_be_kept(answer):
                self._kept[question] = answer
                if len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
        start_response(answer.status, answer.headers.copy())
        return [answer.body]

    def _ask(self, environ: dict[str, Any], version: int) -> Answer:
        heard: list[tuple[str, Headers]] = []
        parts = self._app(environ, lambda status, headers, *_: heard.append((status, headers)))
        body = b"".join(parts)
        if hasattr(parts, "close"):
            parts.close()
        ((status, headers),) = heard
        return Answer(version, time.monotonic() + LONGEST, status, headers, body)

    def _version(self) -> int:
        """Return a number that is another one after every commit, in whichever process."""
        if self._process != os.getpid():  # A connection does not survive a fork.
            self._database = sqlite3.connect(
                self._address, uri=True, isolation_level=None, check_same_thread=False
            )
            self._process = os.getpid()
        (version,) = self._database.execute("PRAGMA data_version").fetchone()
        return int(version)


def _question(environ: dict[str, Any]) -> tuple[object, ...]:
    """Return all that an answer can depend on, but for the database and the time."""
    headers = (pair for pair in environ.items() if pair[0].startswith("HTTP_"))
    parts = ("wsgi.url_scheme", "SCRIPT_NAME", "PATH_INFO", "QUERY_STRING")
    return (*(environ[part] for part in parts), *headers)


def _may_be_kept(answer: Answer) -> bool:
    """Tell whether an answer is the same the next time: such ones have a tag and set no cookie."""
    names = {name for name, _ in answer.headers}
    return "ETag" in names and "Set-Cookie" not in names
