"""One thread that holds the connections of all who watch a match in this process.

A viewer costs a socket and about a kilobyte, no thread. Viewers with a source are sent the board as
it is brought (`boards.py`); all others, and all every 20 seconds, are sent a hint, the version of
the match, so that a page whose fetch failed heals and a dead connection shows.
"""

import contextlib
import logging
import resource
import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from stockpile_web import counters
from stockpile_web.live.audiences import Audiences, Version, Viewer
from stockpile_web.live.boards import Boards, Brought, Context, Source
from stockpile_web.live.waker import Waker

log = logging.getLogger(__name__)

PING_SECONDS = 20.0
SEND_BUFFER = 32 * 1024
"""Bytes the kernel may hold for a viewer who does not read."""

OTHER_FILES = 200
"""Descriptors left to requests, the database and the log."""

FULL = b"event: full\ndata:\n\n"


class Hub:
    """Keeps the viewers; `on_new(match_id)` is called for the first of a match.

    And for each whose right to watch is guarded, so that it is looked at once they are here.
    """

    def __init__(
        self,
        on_new: Callable[[int], None],
        ping_seconds: float = PING_SECONDS,
        context: Context = contextlib.nullcontext,
    ) -> None:
        self._on_new = on_new
        self._ping_seconds = ping_seconds
        self._audiences = Audiences()
        self._count = 0
        self._room = file_limit() - OTHER_FILES
        self._inbox: deque[Callable[[], None]] = deque()
        self._waker = Waker()
        self._boards = Boards(self._audiences.sources, self.bring, context)
        self._selector = selectors.DefaultSelector()
        self._open = True
        self._thread = threading.Thread(target=self._run, name="live-hub", daemon=True)
        self._thread.start()

    def add(self, viewer: Viewer) -> None:
        """Take over the connection of `viewer`."""
        self._later(partial(self._add, viewer))

    def tell(self, versions: Mapping[int, Version]) -> None:
        """Tell everyone who watches these matches, unless they know already."""
        self._later(partial(self._tell, versions))

    def bring(self, match_id: int, source: Source, brought: Brought | None) -> None:
        """Send all viewers of `source` what they do not have yet, or let them go."""
        self._later(partial(self._pass_on, match_id, source, brought))

    def guarded(self) -> set[Source]:
        """Return all sources whose right to watch may end without news of a match."""
        return self._audiences.guarded()

    def let_go(self, sources: set[Source]) -> None:
        """End all streams of those who have lost the right to them."""
        self._later(partial(self._let_go, sources))

    def watched(self) -> list[int]:
        """Return the matches that somebody watches."""
        return self._audiences.watched()

    def watches(self, match_id: int) -> bool:
        return self._audiences.watches(match_id)

    def count(self) -> int:
        return self._count

    def has_room(self) -> bool:
        """Tell whether one more connection leaves descriptors for ordinary requests."""
        return self._count < self._room

    def close(self) -> None:
        """End all streams properly, so that no browser reports a broken one."""
        self._open = False
        self._waker.wake()
        self._thread.join(2)
        self._boards.close()

    def _later(self, act: Callable[[], None]) -> None:
        self._inbox.append(act)
        self._waker.wake()

    def _run(self) -> None:
        self._selector.register(self._waker, selectors.EVENT_READ, None)
        next_ping = time.monotonic() + self._ping_seconds
        while self._open:
            for ready, _ in self._selector.select(max(0.0, next_ping - time.monotonic())):
                if ready.data is None:
                    self._waker.clear()
                else:
                    self._listen(ready.data)
            while self._inbox:
                try:
                    self._inbox.popleft()()
                except Exception:  # One bad connection must not silence the others.
                    log.exception("The live hub could not do what it was asked")
            if time.monotonic() >= next_ping:
                next_ping = time.monotonic() + self._ping_seconds
                for audience in self._audiences.all():
                    self._send(audience.viewers(), audience.message())
        for audience in self._audiences.all():
            for viewer in audience.viewers():
                self._end(viewer)
        self._selector.close()
        self._waker.close()

    def _add(self, viewer: Viewer) -> None:
        viewer.connection.setblocking(False)
        viewer.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._selector.register(viewer.connection, selectors.EVENT_READ, viewer)
        self._count += 1
        counters.STREAMS.set(self._count)
        audience, is_first = self._audiences.add(viewer)
        # Only of those who are in the audience: it is forgotten with the last of their source.
        if viewer.source and viewer.shown is not None:
            self._boards.note(viewer.match_id, viewer.source, viewer.shown)
        if oldest := self._audiences.oldest_of(viewer.key):
            self._send([oldest], FULL)  # It polls instead.
            self._end(oldest)
        if is_first:
            # Only now: a move made between reading and registering would be lost.
            self._on_new(viewer.match_id)
            return
        if audience.version is not None:
            self._send([viewer], audience.message())
        if viewer.source and viewer.source.is_guarded:
            self._on_new(viewer.match_id)  # They may have been signed out on their way here.

    def _tell(self, versions: Mapping[int, Version]) -> None:
        for match_id, audience, is_first in self._audiences.newer(versions):
            # Most pages show the first already.
            self._send(audience.viewers() if is_first else audience.of(None), audience.message())
            if not is_first and any(audience.by_source):
                self._boards.want(match_id)

    def _pass_on(self, match_id: int, source: Source, brought: Brought | None) -> None:
        if (audience := self._audiences.at(match_id)) is None:
            return
        if brought:
            self._send(audience.of(source), brought.message or audience.message())
        else:
            for viewer in audience.of(source):
                self._end(viewer)

    def _send(self, viewers: Iterable[Viewer], message: bytes) -> None:
        """Write `message` to all; drop whoever cannot take it, having stopped reading long ago."""
        chunk = b"%x\r\n%b\r\n" % (len(message), message)
        for viewer in list(viewers):
            framed = chunk if viewer.chunked else message
            try:
                sent = viewer.connection.send(framed)
            except OSError:
                sent = 0
            if sent < len(framed):
                self._drop(viewer)

    def _listen(self, viewer: Viewer) -> None:
        """A viewer has nothing to say: it can only hang up."""
        try:
            if viewer.connection.recv(4096):
                return
        except BlockingIOError:
            return
        except OSError:
            pass
        self._drop(viewer)

    def _let_go(self, sources: set[Source]) -> None:
        for viewer in self._audiences.of(sources):
            self._end(viewer)

    def _end(self, viewer: Viewer) -> None:
        if viewer.chunked:
            with contextlib.suppress(OSError):
                viewer.connection.send(b"0\r\n\r\n")
        self._drop(viewer)

    def _drop(self, viewer: Viewer) -> None:
        if not self._audiences.remove(viewer):
            return
        if viewer.source and not self._audiences.has(viewer.match_id, viewer.source):
            self._boards.forget(viewer.match_id, viewer.source)
        self._selector.unregister(viewer.connection)
        viewer.connection.close()
        self._count -= 1
        counters.STREAMS.set(self._count)


def file_limit(most: int = 65536) -> int:
    """Let this process open as many files as the system allows, and return how many that is."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
    if soft == resource.RLIM_INFINITY or soft >= allowed:
        return allowed
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return allowed
