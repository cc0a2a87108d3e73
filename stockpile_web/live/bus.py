"""Learns from the database which matches have moved on, and who is signed out, in any process.

The version in the table is the truth and everything else a hint to read it again, so that nothing
can be lost: not between processes, not while the connection was down. So are the rows on which the
right to watch hangs: after a commit of anything they are looked up, at most once a second.
"""

import json
import random
import selectors
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from typing import Any, Protocol
from urllib.parse import quote

from sqlalchemy import URL

from stockpile_web.live.audiences import Version
from stockpile_web.live.boards import Source
from stockpile_web.live.waker import Waker
from stockpile_web.storage.database import open_listener
from stockpile_web.storage.trouble import SETTLED_SECONDS, Outage
from stockpile_web.storage.versions import CHANNEL as COMMITS
from stockpile_web.storage.versions import PULSE

CHANNEL = "stockpile_live"
POLL_SECONDS = 0.03
CHECK_SECONDS = 10.0
SHORTEST_PAUSE = 0.1
LONGEST_PAUSE = 2.0  # Whoever watches has nothing but old boards until then.
RIGHTS_SECONDS = 1.0  # At least so long between two looks at who may still watch.

VERSIONS = 'SELECT id, version, table_version FROM "match" WHERE id '
DEVICES = "SELECT token_hash FROM device WHERE token_hash "
MEMBERS = "SELECT group_id, user_id FROM member WHERE user_id "

Ask = Callable[[str, list[Any]], Iterable[Any]]
"""Answers a query that ends before its list of values."""


class Pages(Protocol):
    """The open pages of a process, as far as a bus knows of them: the hub."""

    def watched(self) -> list[int]:
        """Return the matches that somebody watches."""

    def tell(self, versions: Mapping[int, Version]) -> None:
        """Tell everyone who watches these matches."""

    def guarded(self) -> set[Source]:
        """Return all sources whose right to watch may end without news of a match."""

    def let_go(self, sources: set[Source]) -> None:
        """End all streams of those who have lost the right to them."""


class Bus:
    """A thread with a database connection of its own; subclasses know how to hear of changes."""

    def __init__(self, url: URL, pages: Pages) -> None:
        self._url = url
        self._pages = pages
        self._rights_stale = True  # Something was committed since they were looked up.
        self._rights_again_at = 0.0
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
        self._rights_stale = True
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
        return seconds if self._pages.watched() else None

    def _take_asked(self) -> set[int]:
        self._waker.clear()
        asked = set()
        while self._asked:
            asked.add(self._asked.pop())
        return asked.intersection(self._pages.watched()) if asked else asked

    def _tell_rows(self, rows: Iterable[Any]) -> None:
        versions = {match_id: (moves, words) for match_id, moves, words in rows}
        if versions:
            self._pages.tell(versions)

    def _see_rights(self, ask: Ask) -> bool:
        """Let go whoever has lost the right to watch; tell whether it was time to look."""
        if not self._rights_stale or self._rights_wait() > 0:
            return False
        self._rights_stale = False  # Before reading: a commit in between is then seen next time.
        self._rights_again_at = time.monotonic() + RIGHTS_SECONDS
        sources = self._pages.guarded()
        devices = [source.device for source in sources if source.device]
        people = [source.member[1] for source in sources if source.member]
        signed_in = {row[0] for row in ask(DEVICES, devices)} if devices else set()
        members = {tuple(row) for row in ask(MEMBERS, people)} if people else set()
        gone = {
            source
            for source in sources
            if (source.device and source.device not in signed_in)
            or (source.member and source.member not in members)
        }
        if gone:
            self._pages.let_go(gone)
        return True

    def _rights_wait(self) -> float:
        return self._rights_again_at - time.monotonic()


class SqliteBus(Bus):
    """Asks SQLite, a few dozen times a second, whether another connection has committed.

    The question is a look at shared memory (10 µs), and is asked only while somebody watches.
    """

    def _listen(self, selector: selectors.BaseSelector) -> None:
        address = f"file:{quote(str(self._url.database))}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:

            def ask(query: str, values: list[Any]) -> Iterable[Any]:
                some = query + "IN (SELECT value FROM json_each(?))"  # noqa: S608 (ours)
                return connection.execute(some, [json.dumps(values)])

            seen = None
            while not self._closing.is_set():
                asked = self._take_asked()
                (now,) = connection.execute("PRAGMA data_version").fetchone()
                if now != seen:
                    seen = now  # Before reading: a commit in between is then seen next time.
                    asked.update(self._pages.watched())
                    self._rights_stale = True
                if asked:
                    self._tell_rows(ask(VERSIONS, list(asked)))
                self._see_rights(ask)
                self._outage.worked()
                selector.select(self._longest(POLL_SECONDS))


class PostgresBus(Bus):
    """Listens for what `notify_in` sends: Postgres delivers it when the move is committed.

    And for the notes by which every commit is announced (`storage/versions.py`).
    """

    def _listen(self, selector: selectors.BaseSelector) -> None:
        with open_listener(self._url, "stockpile-live") as connection:

            def ask(query: str, values: list[Any]) -> Iterable[Any]:
                return connection.execute(f"{query} = ANY(%s)", [values])

            connection.add_notify_handler(lambda note: self._hear(note.channel, note.payload))
            connection.execute(f"LISTEN {CHANNEL}")
            connection.execute(f"LISTEN {COMMITS}")
            selector.register(connection, selectors.EVENT_READ)
            self._asked.update(self._pages.watched())
            self._rights_stale = True
            while not self._closing.is_set():
                if asked := self._take_asked():
                    self._tell_rows(ask(VERSIONS, list(asked)))
                # With an answer may have come a note: then one must not wait for the next.
                has_asked = self._see_rights(ask) or asked
                if not has_asked and not selector.select(self._patience()):
                    connection.execute("SELECT 1")  # Fails if the server is gone without a word.
                self._outage.worked()
                # Notes that came with an answer are handled above; these came by themselves.
                connection.pgconn.consume_input()
                while note := connection.pgconn.notifies():
                    self._hear(note.relname.decode(), note.extra.decode())

    def _hear(self, channel: str, said: str) -> None:
        if channel == CHANNEL:
            self._asked.add(int(said))
        elif said != PULSE:
            self._rights_stale = True

    def _patience(self) -> float | None:
        """Return for how long nothing has to be done if no note comes."""
        longest = self._longest(CHECK_SECONDS)
        if longest is None or not self._rights_stale:
            return longest
        return min(longest, max(0.0, self._rights_wait()))


def open_bus(url: URL, pages: Pages) -> Bus:
    """Return the bus that suits the database, not started yet."""
    kind = SqliteBus if url.get_backend_name() == "sqlite" else PostgresBus
    return kind(url, pages)
