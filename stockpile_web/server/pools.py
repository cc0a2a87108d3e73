"""Who answers which request: threads for each kind, so that none waits behind another."""

from collections.abc import Callable
from typing import Any

from stockpile_web.server.connection import Connection
from stockpile_web.server.threads import Threads
from stockpile_web.settings import UPLOAD_PATH

# Requests that hash a password, which takes a core for tens of milliseconds: they have threads of
# their own, so that a flood of them holds up nobody else.
HASHING = (
    "/sign-in",
    "/sign-up",
    "/keep",
    "/reset/",
    "/account/email",
    "/account/passkeys",
    "/account/password",
    "/account/delete",
    "/account/tokens",
)
HASHING_THREADS = 2  # And whatever else takes a core for long: a match that is replayed.
# Static files need no database, nor does a monitor's question: they wait behind nobody who does.
FILES = ("/static/", "/health")
FILE_THREADS = 2

Job = tuple[Connection, Any]  # Whose request it is, and the request.


class Pools:
    """All threads of a process that answer requests."""

    def __init__(self, answer: Callable[[Job], None], readers: int, writers: int) -> None:
        self._reading = Threads("read", readers, answer)
        # However long forms wait for a lock, whoever only looks does not wait with them.
        self._writing = Threads("write", writers, answer)
        self._hashing = Threads("password", HASHING_THREADS, answer)
        self._sending = Threads("file", FILE_THREADS, answer)
        self._all = (self._reading, self._writing, self._hashing, self._sending)

    def put(self, connection: Connection, request: Any) -> None:
        """Have a request answered as soon as a thread of its kind is free."""
        self._threads_for(request).put((connection, request))

    def longest(self) -> float:
        """Return for how many seconds the slowest thread has been at its request."""
        return max(threads.longest() for threads in self._all)

    def stop(self) -> None:
        """End all threads after the requests they were given."""
        for threads in self._all:
            threads.stop()

    def _threads_for(self, request: Any) -> Threads[Job]:
        if request.method != "POST":
            return self._sending if request.path.startswith(FILES) else self._reading
        is_long = request.path.startswith(HASHING) or request.path == UPLOAD_PATH
        return self._hashing if is_long else self._writing
