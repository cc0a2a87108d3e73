"""The gunicorn worker of this site: what is asked of a table is answered without changing threads.

Handing a request to a thread and taking it back costs more than gunicorn's own work on it, and
threads that share one interpreter hold each other up. Nearly all requests are about a table and are
answered within milliseconds, so the thread that hears them answers them. All others go to the pool
as ever: those that come in pieces, whose answer might not be taken at once, or that think for long
(passwords).
"""

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
HUNG_UP = b""  # What is heard of somebody who has.

# Uncompressed, the log of a whole match might not fit.
_QUICK = re.compile(rb"(?:GET|POST) /table/.*?\r\naccept-encoding:[^\r]*gzip", re.I | re.S)
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.I)
_IN_PIECES = re.compile(rb"\r\n(?:transfer-encoding|expect|upgrade):", re.I)


class Server(ThreadWorker):  # type: ignore[misc]
    """gunicorn's worker with threads, which it uses only for what might keep others waiting."""

    def run(self) -> None:
        """Serve until told to stop."""
        for listener in self.sockets:  # Their connections inherit it.
            listener.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        super().run()

    def accept(self, listener: Any) -> None:
        """Let a process with fewer connections be faster: otherwise one may well take them all."""
        if self.cfg.workers > 1:
            time.sleep(min(self.nr_conns, 20) * 0.00005)
        super().accept(listener)

    def enqueue_req(self, conn: Any) -> None:
        """Answer here what can be answered at once."""
        heard = None if self.cfg.is_ssl else _heard(conn.sock)
        if heard is not None and is_quick(heard) and can_be_sent(conn.sock):
            self._finish(conn, self.handle(conn))
        elif heard is None and not conn.initialized and not self.cfg.is_ssl:
            self._finish(conn, _DEFER)  # No thread need wait for its first word.
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


def _heard(connection: socket.socket) -> bytes | None:
    """Return what has come over a connection, and leave it there; None if nothing has."""
    try:
        return connection.recv(LONGEST, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return None
    except OSError:
        return b"?"  # Whatever it is, a thread will find out.


def can_be_sent(connection: socket.socket) -> bool:
    """Tell whether earlier answers have been taken, so that there is room for one more."""
    poll = select.poll()
    poll.register(connection, select.POLLOUT)
    return poll.poll(0) == [(connection.fileno(), select.POLLOUT)]
