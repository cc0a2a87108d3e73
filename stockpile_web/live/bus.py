"""Learns from the database which matches have moved on, in whichever process that happened.

The version in the table is the truth and everything else a hint to read it again, so that nothing
can be lost: not between processes, not while the connection was down.
"""

import json
import random
import selectors
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL

from stockpile_web.live.hub import Version
from stockpile_web.live.waker import Waker
from stockpile_web.storage.database import postgres_limits
from stockpile_web.storage.trouble import SETTLED_SECONDS, Outage

CHANNEL = "stockpile_live"
POLL_SECONDS = 0.03
CHECK_SECONDS = 10.0
SHORTEST_PAUSE = 0.1
LONGEST_PAUSE = 2.0  # Whoever watches has nothing but old boards until then.

VERSIONS = 'SELECT id, version, table_version FROM "match" WHERE id '


class Bus:
    """A thread with a database connection of its own; subclasses know how to hear of changes."""

    def __init__(
        self,
        url: URL,
        watched: Callable[[], list[int]],
        tell: Callable[[dict[int, Version]], None],
    ) -> None:
        self._url = url
        self._watched = watched
        self._tell = tell
        self._asked: set[int] = set()
        self._waker = Waker()
        self._closing = threading.Event()
        self._outage = Outage("Live updates")
        self._thread = threading.Thread(target=self._run, name="live-bus", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def look(self, match_id: int) -> None:
        """Read the version of this match now, without waiting for news of it."""
        self._asked.add(match_id)
        self._waker.wake()

    def close(self) -> None:
        self._closing.set()
        self._waker.wake()
        self._thread.join(2)

    def _listen(self, selector: selectors.BaseSelector) -> None:
        """Connect, read all that is watched, then tell what changes, until closed or cut off."""
        raise NotImplementedError

    def _run(self) -> None:
        pause = SHORTEST_PAUSE
        while not self._closing.is_set():
            began = time.monotonic()
            with selectors.DefaultSelector() as selector:
                selector.register(self._waker, selectors.EVENT_READ)
                try:
                    self._listen(selector)
                except Exception as error:  # noqa: BLE001 (whatever it is, viewers wait on)
                    if time.monotonic() - began > LONGEST_PAUSE:
                        pause = SHORTEST_PAUSE
                    self._outage.failed(error)
                    self._closing.wait(pause * random.uniform(0.7, 1.3))
                    pause = min(pause * 2, LONGEST_PAUSE)
        self._waker.close()

    def _longest(self, seconds: float) -> float | None:
        """Return how long to wait for news: while nobody watches, for ever."""
        if self._outage.is_on:  # Its end is to be told.
            return min(seconds, SETTLED_SECONDS)
        return seconds if self._watched() else None

    def _take_asked(self) -> set[int]:
        self._waker.clear()
        asked = set()
        while self._asked:
            asked.add(self._asked.pop())
        return asked.intersection(self._watched()) if asked else asked

    def _tell_rows(self, rows: Iterable[Any]) -> None:
        versions = {match_id: (moves, words) for match_id, moves, words in rows}
        if versions:
            self._tell(versions)


class SqliteBus(Bus):
    """Asks SQLite, a few dozen times a second, whether another connection has committed.

    The question is a look at shared memory (10 µs), and is asked only while somebody watches.
    """

    def _listen(self, selector: selectors.BaseSelector) -> None:
        address = f"file:{quote(str(self._url.database))}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
            seen = None
            while not self._closing.is_set():
                asked = self._take_asked()
                (now,) = connection.execute("PRAGMA data_version").fetchone()
                if now != seen:
                    seen = now  # Before reading: a commit in between is then seen next time.
                    asked.update(self._watched())
                if asked:
                    some = VERSIONS + "IN (SELECT value FROM json_each(?))"  # noqa: S608 (ours)
                    self._tell_rows(connection.execute(some, [json.dumps(list(asked))]))
                self._outage.worked()
                selector.select(self._longest(POLL_SECONDS))


class PostgresBus(Bus):
    """Listens for what `notify_in` sends: Postgres delivers it when the move is committed."""

    def _listen(self, selector: selectors.BaseSelector) -> None:
        import psycopg  # Here, because with SQLite its 10 MB are not needed.

        address = self._url.set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(
            address,
            autocommit=True,
            application_name="stockpile-live",
            keepalives_idle=30,
            **postgres_limits(),
        ) as connection:
            connection.add_notify_handler(lambda note: self._asked.add(int(note.payload)))
            connection.execute(f"LISTEN {CHANNEL}")
            selector.register(connection, selectors.EVENT_READ)
            self._asked.update(self._watched())
            while not self._closing.is_set():
                if asked := self._take_asked():
                    some = VERSIONS + "= ANY(%s)"
                    self._tell_rows(connection.execute(some, [list(asked)]))
                elif not selector.select(self._longest(CHECK_SECONDS)):
                    connection.execute("SELECT 1")  # Fails if the server is gone without a word.
                self._outage.worked()
                # Notes that came with an answer are handled above; these came by themselves.
                connection.pgconn.consume_input()
                while note := connection.pgconn.notifies():
                    self._asked.add(int(note.extra))


def open_bus(
    url: URL, watched: Callable[[], list[int]], tell: Callable[[dict[int, Version]], None]
) -> Bus:
    """Return the bus that suits the database, not started yet."""
    kind = SqliteBus if url.get_backend_name() == "sqlite" else PostgresBus
    return kind(url, watched, tell)
