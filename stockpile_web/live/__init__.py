"""Tells open pages that a match has moved on, within milliseconds and at almost no cost.

    move committed --> bus (one thread per process: which versions are new?)
                   --> boards (one thread per process: what do the pages of each source not have?)
                   --> hub (one thread per process: writes it to all who watch)
                   --> static/live.js --> the page takes it in, or fetches what it has missed

A page that cannot be brought its board learns a version number and fetches: nothing can be lost.
"""

import atexit
import os
import threading
from functools import partial
from typing import Any

from flask import Flask, Response, current_app, request
from sqlalchemy import URL, Connection, Engine, bindparam, func, make_url, select

from stockpile_web.live.audiences import Viewer
from stockpile_web.live.boards import Brought, Source
from stockpile_web.live.bus import CHANNEL, Bus, open_bus
from stockpile_web.live.hub import Hub
from stockpile_web.live.stream import HEADERS, open_stream
from stockpile_web.storage.compiled_sql import Statement

__all__ = ["Brought", "Source", "init_app", "moved", "notify_in", "stream"]

_NOTIFY = Statement(select(func.pg_notify(CHANNEL, bindparam("match_id"))))


class Live:
    """The hub and the bus of one process, started when the first page wants to watch."""

    def __init__(self, app: Flask, url: URL, fallback_streams: int) -> None:
        self._app = app
        self.threads = threading.BoundedSemaphore(fallback_streams)
        self._url = url
        self._lock = threading.Lock()
        self._process = 0
        self._hub: Hub
        self._bus: Bus

    def hub(self) -> Hub:
        """Return the hub of this process; threads do not survive a fork, so each has its own."""
        with self._lock:
            if self._process != os.getpid():
                self._hub = Hub(
                    on_new=lambda match_id: self._bus.look(match_id),  # noqa: PLW0108 (made below)
                    context=self._app.app_context,
                )
                self._bus = open_bus(self._url, self._hub)
                self._bus.start()
                self._process = os.getpid()
                atexit.register(self.close)
            return self._hub

    def look(self, match_id: int) -> None:
        """Read the version of this match now, if somebody here watches it."""
        if self._process == os.getpid() and self._hub.watches(match_id):
            self._bus.look(match_id)

    def close(self) -> None:
        """End all streams and all threads; the next viewer starts them again."""
        with self._lock:
            if self._process == os.getpid():
                self._process = 0
                atexit.unregister(self.close)
                self._bus.close()
                self._hub.close()


def init_app(app: Flask, database: Engine | URL | str, fallback_streams: int = 4) -> None:
    """Get ready; `fallback_streams` should be the server's threads less four."""
    url = database.url if isinstance(database, Engine) else make_url(database)
    app.extensions["live"] = Live(app, url, fallback_streams)


def notify_in(connection: Connection, match_id: int) -> None:
    """Within the transaction of a change: have other processes told when it is committed.

    With SQLite the commit itself is what they notice.
    """
    if connection.dialect.name == "postgresql":
        _NOTIFY.run(connection, {"match_id": str(match_id)})


def moved(match_id: int) -> None:
    """After the commit of a change: tell the pages that are open in this process at once."""
    _live().look(match_id)


def stream(
    match_id: int, key: str | None = None, source: Source | None = None, shown: Any = None
) -> Response:
    """Answer a request to watch a match; the caller has checked that the viewer may.

    Of one `key` (a person, or an address) only the newest few streams are kept. A `source` brings
    the board; `shown` is what the page shows of it, if that is known.
    """
    if request.method == "HEAD":
        return Response(headers=HEADERS)
    live = _live()
    viewing = partial(Viewer, match_id=match_id, key=key, source=source, shown=shown)
    return open_stream(live.hub(), request.environ, viewing, live.threads)


def _live() -> Live:
    live = current_app.extensions["live"]
    assert isinstance(live, Live)
    return live
