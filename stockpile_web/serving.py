"""The gunicorn worker of this site: what is asked of a table is answered without changing threads.

Handing a request to a thread and taking it back costs more than gunicorn's own work on it, and
threads that share one interpreter hold each other up. Nearly all requests are about a table and are
answered within milliseconds, so the thread that hears them answers them. All others go to the pool
as ever: those that come in pieces, whose answer might not be taken at once, or that think for long
(passwords).
"""

import mmap
import re
import select
import socket
import time
from concurrent.futures import Future
from typing import Any

from gunicorn.workers.gthread import _DEFER, ThreadWorker  # type: ignore[import-untyped]

# Answers of this size are taken by the system at once, whether or not anybody reads them.
SEND_BUFFER = 256 * 1024
LONGEST = 16 * 1024
AT_ONCE = 32
POLITE_FOR = 0.002  # Seconds.
PROCESSES = 64
HUNG_UP = b""  # What is heard of somebody who has.

# Uncompressed, the log of a whole match might not fit.
_QUICK = re.compile(rb"(?:GET|POST) /table/.*?\r\naccept-encoding:[^\r]*gzip", re.I | re.S)
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.I)
_IN_PIECES = re.compile(rb"\r\n(?:transfer-encoding|expect|upgrade):", re.I)

# Connections of each process and one more; 0 is no process. All share it, as it was there before
# they were.
_loads = memoryview(mmap.mmap(-1, 4 * PROCESSES)).cast("i")


def forget(age: int) -> None:
    """Note that the process of this age has ended."""
    _loads[age % PROCESSES] = 0


class Server(ThreadWorker):  # type: ignore[misc]
    """gunicorn's worker with threads, which it uses only for what might keep others waiting."""

    def run(self) -> None:
        """Serve until told to stop."""
        for listener in self.sockets:  # Their connections inherit it.
            listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        super().run()

    def notify(self) -> None:
        """Say that this process is alive, and how many connections it has."""
        _loads[self.age % PROCESSES] = self.nr_conns + 1
        super().notify()

    def accept(self, listener: Any) -> None:
        """Take all who have come, so that nobody waits until all others have been answered."""
        for _ in range(AT_ONCE):
            self._let_others_be_first()
            before = self.nr_conns
            super().accept(listener)
            if self.nr_conns == before:
                return

    def _let_others_be_first(self) -> None:
        """Wait for a process with fewer connections: otherwise one may well take them all."""
        until = time.monotonic() + POLITE_FOR
        while time.monotonic() < until:
            _loads[self.age % PROCESSES] = mine = self.nr_conns + 1
            if mine <= min(load for load in _loads if load):
                return
            time.sleep(POLITE_FOR / 20)

    def enqueue_req(self, conn: Any) -> None:
        """Answer here what can be answered at once."""
        is_new = not conn.initialized and not conn.data_ready
        if is_new and not self.cfg.is_ssl:
            self._finish(conn, _DEFER)  # No thread need wait for its first word.
        elif not self.cfg.is_ssl and is_quick(_heard(conn.sock)) and can_be_sent(conn.sock):
            self._finish(conn, self.handle(conn))
        else:
            super().enqueue_req(conn)

    def _finish(self, conn: Any, result: Any) -> None:
        done: Future[Any] = Future()
        done.set_result(result)
        self.finish_request(conn, done)


def is_quick(heard: bytes) -> bool:
    """Tell whether this is a whole request that is answered within milliseconds, or a goodbye."""
    if heard == HUNG_UP:
        return True
    head, end, body = heard.partition(b"\r\n\r\n")
    if not end or not _QUICK.match(head) or _IN_PIECES.search(head):
        return False
    length = _LENGTH.search(head)
    return length is None or len(body) >= int(length[1])


def _heard(connection: socket.socket) -> bytes:
    """Return what has come over a connection, and leave it there."""
    try:
        return connection.recv(LONGEST, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except OSError:
        return b"?"  # Whatever it is, a thread will find out.


def can_be_sent(connection: socket.socket) -> bool:
    """Tell whether earlier answers have been taken, so that there is room for one more."""
    poll = select.poll()
    poll.register(connection, select.POLLOUT)
    return poll.poll(0) == [(connection.fileno(), select.POLLOUT)]
