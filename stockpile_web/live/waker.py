"""Wakes a thread that waits in a selector."""

import contextlib
import socket


class Waker:
    """Called by any thread, noticed by the one whose selector has it registered."""

    def __init__(self) -> None:
        self._inside, self._outside = socket.socketpair()
        self._inside.setblocking(False)
        self._outside.setblocking(False)

    def fileno(self) -> int:
        return self._inside.fileno()

    def wake(self) -> None:
        with contextlib.suppress(OSError):  # Full: it wakes already. Closed: nobody waits.
            self._outside.send(b"!")

    def clear(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while self._inside.recv(4096):
                pass

    def close(self) -> None:
        self._inside.close()
        self._outside.close()
