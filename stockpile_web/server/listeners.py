"""Accepts connections: fairly among the processes, and never in a busy loop."""

import errno
import select
import socket
import time
from collections.abc import Iterator
from typing import Any

from stockpile_web.server.balance import Balance

AT_ONCE = 64
POLITE_SECONDS = 0.003  # For which a process that is ahead leaves new connections to others.
FULL_SECONDS = 0.1  # For which nothing is accepted when the system has no file left.
NO_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class NoFiles(Exception):
    """The system has no file left for one more connection."""


class Listeners:
    """The sockets on which this process accepts connections, while it does."""

    def __init__(self, epoll: select.epoll, sockets: list[Any], balance: Balance) -> None:
        self._epoll = epoll
        self._sockets = {each.fileno(): (each.sock, each.getsockname()) for each in sockets}
        self._balance = balance
        self._is_open = False
        self._opens_at: float | None = 0.0
        self._was_polite = False

    def __contains__(self, file: int) -> bool:
        return file in self._sockets

    def reopen(self, now: float) -> float | None:
        """Go on accepting if the pause is over; else return for how many seconds it lasts."""
        if self._is_open or self._opens_at is None:
            return None
        if now < self._opens_at:
            return self._opens_at - now
        for file in self._sockets:
            self._epoll.register(file, select.EPOLLIN)
        self._is_open = True
        return None

    def pause(self, seconds: float | None) -> None:
        """Accept nothing for some seconds, or ever again."""
        self._opens_at = None if seconds is None else time.monotonic() + seconds
        if self._is_open:
            self._is_open = False
            for file in self._sockets:
                self._epoll.unregister(file)

    def accept(self, file: int, count: int) -> Iterator[tuple[socket.socket, Any, Any]]:
        """Yield new connections, each with the addresses of both ends; we have `count` so far.

        A process that is clearly ahead of another stands back once, for a moment. If the new ones
        are still there then, the other is busy, and one of them is taken in any case.
        """
        listener, server = self._sockets[file]
        for number in range(AT_ONCE):
            if not self._was_polite and self._balance.is_ahead(count + number):
                self._was_polite = True
                self.pause(POLITE_SECONDS)
                return
            try:
                sock, peer = listener.accept()
            except BlockingIOError:
                return
            except OSError as error:
                if error.errno in NO_FILES:
                    self.pause(FULL_SECONDS)
                    raise NoFiles from None
                return  # A client that has gone already.
            self._was_polite = False
            yield sock, peer, server
