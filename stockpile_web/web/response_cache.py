"""Response cache for table pages, keyed by the version of the whole database (WSGI middleware).

While nothing at all has been committed, the same question about a table has the same answer. Safe
because every commit, in whichever process, changes that version (`storage/versions.py`).
"""

import re
import time
from collections.abc import Iterable
from typing import Any, NamedTuple

from flask import Flask

from stockpile_web.storage.cache import ENTRY_BYTES, BoundedCache
from stockpile_web.storage.versions import Versions
from stockpile_web.web.request_log import ABOUT

MOST_BYTES = 2 * 1024 * 1024
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
    about: object  # What the request was about, for the log.

    def size(self) -> int:
        """Return about how many bytes it takes."""
        return len(self.body) + sum(ENTRY_BYTES + len(value) for _, value in self.headers)


def init_app(app: Flask) -> None:
    """Put the cache before `app`."""
    versions = app.extensions["versions"]
    app.extensions["response_cache"] = cache = ResponseCache(app.wsgi_app, versions)
    app.wsgi_app = cache  # type: ignore[method-assign]


class ResponseCache:
    """The application, and its answers that still hold."""

    def __init__(self, app: Any, versions: Versions) -> None:
        self._app = app
        self._versions = versions
        self._answers: BoundedCache[Answer] = BoundedCache("answers", MOST_BYTES, Answer.size)

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
            if _may_be_kept(answer):
                self._answers.put(key, answer)
        environ[ABOUT] = answer.about
        start_response(answer.status, answer.headers.copy())
        return [answer.body]

    def _ask(self, environ: dict[str, Any], version: object) -> Answer:
        heard: list[tuple[str, Headers]] = []
        parts = self._app(environ, lambda status, headers, *_: heard.append((status, headers)))
        body = b"".join(parts)
        if hasattr(parts, "close"):
            parts.close()
        ((status, headers),) = heard
        until, about = time.monotonic() + LONGEST_SECONDS, environ.get(ABOUT)
        return Answer(version, until, status, headers, body, about)


def _may_be_kept(answer: Answer) -> bool:
    """Tell whether an answer is the same the next time: such ones have a tag and set no cookie."""
    names = {name for name, _ in answer.headers}
    return "ETag" in names and "Set-Cookie" not in names
