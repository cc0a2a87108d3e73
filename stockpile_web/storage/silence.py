"""A Postgres that stops answering: whoever waits for it is told, and takes no thread for long.

Its time limits are its own, and it does not keep them when it is stopped, or its disk is; the
kernel still takes what is sent to it. So a thread of ours looks which connections wait for an
answer. If one has for a while, it tries whether anybody can connect; if nobody can for seconds, the
sockets of all that wait are shut down, and they fail as those to a server that has gone (`Away`).
A server that is merely slow lets people connect: what it is asked goes on for as long as it allows.
"""

import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING
from weakref import WeakSet

if TYPE_CHECKING:
    import psycopg

log = logging.getLogger(__name__)

LOOK_SECONDS = 0.75  # Who waits twice in a row is suspect; to connect costs Postgres little.


class Watch:
    """The connections of a process to one database, and a thread that looks after them."""

    def __init__(self, connect: Callable[[], "psycopg.Connection"]) -> None:
        """Take how to connect within a time limit."""
        self._connect = connect
        self._connections: WeakSet[psycopg.Connection] = WeakSet()
        self._lock = threading.Lock()
        self._process = 0
        self.doubted_at = 0.0

    def doubt(self) -> None:
        """Let no connection be used again that is open by now: its server is not what it was."""
        self.doubted_at = time.monotonic()

    def add(self, connection: "psycopg.Connection") -> None:
        """Look after a new connection."""
        with self._lock:
            if self._process != os.getpid():  # Neither thread nor connections survive a fork.
                self._process = os.getpid()
                self._connections.clear()
                threading.Thread(target=self._run, name="silence", daemon=True).start()
            self._connections.add(connection)

    def _run(self) -> None:
        waiting: set[psycopg.Connection] = set()
        while True:
            time.sleep(LOOK_SECONDS)
            try:
                waited, waiting = waiting, self._waiting()
                if waited & waiting and self._is_silent():
                    for connection in self._waiting():
                        _cut(connection)
            except Exception:
                log.exception("Connections to Postgres could not be looked at")

    def _waiting(self) -> set["psycopg.Connection"]:
        """Return the connections that wait for an answer now."""
        with self._lock:  # None is added meanwhile.
            return {each for each in self._connections if _waits(each)}

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


def _cut(connection: "psycopg.Connection") -> None:
    """Shut down a connection, unless it was closed meanwhile."""
    with suppress(Exception), _copy(connection) as ours:
        ours.shutdown(socket.SHUT_RDWR)


def _copy(connection: "psycopg.Connection") -> socket.socket:
    """Return another handle of a socket, which stays its own whatever becomes of the first."""
    return socket.socket(fileno=os.dup(connection.fileno()))


def _waits(connection: "psycopg.Connection") -> bool:
    from psycopg.pq import TransactionStatus

    return connection.info.transaction_status == TransactionStatus.ACTIVE
