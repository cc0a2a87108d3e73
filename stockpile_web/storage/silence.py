"""A Postgres that stops answering: whoever waits for it is told, and takes no thread for long.

Its time limits are its own, and it does not keep them when it is stopped, or its disk is; the
kernel still takes what is sent to it. So a thread of ours looks which connections wait for an
answer. If one has waited for a moment, it tries whether anybody can connect; if not, the sockets of
all that wait are shut down, and they fail as those to a server that has gone (`Away`). Statements
that are merely slow go on for as long as the server allows, or a little longer if it forgets.
"""

import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.25
SUSPECT_SECONDS = 0.75  # Hardly any statement takes longer; to connect costs Postgres little.
PAUSE_SECONDS = 1.0  # After somebody could connect.
GRACE_SECONDS = 2.0  # In which the server ends a statement by itself that has taken too long.


class Watch:
    """The connections of a process to one database, and a thread that looks after them."""

    def __init__(self, connect: Callable[[], "psycopg.Connection"], longest: float) -> None:
        """Take how to connect within a time limit, and how long a statement may take."""
        self._connect = connect
        self._longest = longest + GRACE_SECONDS
        # When each was last given something to ask; those that are closed vanish by themselves.
        self.asked_at: WeakKeyDictionary[psycopg.Connection, float] = WeakKeyDictionary()
        self._lock = threading.Lock()
        self._process = 0
        self.doubted_at = 0.0

    def doubt(self) -> None:
        """Let no connection be used again that is open by now: its server is not what it was."""
        self.doubted_at = time.monotonic()

    def add(self, connection: "psycopg.Connection") -> None:
        """Look after a new connection; whoever asks something over it notes that in `asked_at`."""
        with self._lock:
            if self._process != os.getpid():  # Neither thread nor connections survive a fork.
                self._process = os.getpid()
                self.asked_at.clear()
                threading.Thread(target=self._run, name="silence", daemon=True).start()
            self.asked_at[connection] = time.monotonic()

    def _run(self) -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            try:
                self._look()
            except Exception:
                log.exception("Connections to Postgres could not be looked at")

    def _look(self) -> None:
        if not self._waiting(SUSPECT_SECONDS):
            return
        if not self._is_silent():
            for connection in self._waiting(self._longest):
                self._cut(connection)
            time.sleep(PAUSE_SECONDS)
            return
        for connection in self._waiting(SUSPECT_SECONDS):
            self._cut(connection)

    def _waiting(self, seconds: float) -> list["psycopg.Connection"]:
        """Return the connections that have waited for an answer for so long."""
        since = time.monotonic() - seconds
        with self._lock:  # None is added meanwhile.
            asked_at = self.asked_at.copy().items()
        return [each for each, moment in asked_at if moment < since and _waits(each)]

    def _is_silent(self) -> bool:
        """Tell whether nobody can connect; whoever is refused has had an answer."""
        from psycopg import OperationalError
        from psycopg.errors import ConnectionTimeout

        try:
            self._connect().close()
        except ConnectionTimeout:
            return True
        except OperationalError:
            return False
        return False

    def _cut(self, connection: "psycopg.Connection") -> None:
        """Shut down a connection, unless its answer has come meanwhile."""
        asked_at = self.asked_at.get(connection)
        with suppress(Exception), _copy(connection) as ours:  # Or it was closed meanwhile.
            if _waits(connection) and self.asked_at.get(connection) == asked_at:
                ours.shutdown(socket.SHUT_RDWR)


def _copy(connection: "psycopg.Connection") -> socket.socket:
    """Return another handle of a socket, which stays its own whatever becomes of the first."""
    return socket.socket(fileno=os.dup(connection.fileno()))


def _waits(connection: "psycopg.Connection") -> bool:
    from psycopg.pq import TransactionStatus

    return connection.info.transaction_status == TransactionStatus.ACTIVE
