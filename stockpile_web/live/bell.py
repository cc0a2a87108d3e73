"""Wakes a thread that waits in a selector."""

import contextlib
import socket


class Bell:
    """Rung by any thread, heard by the one whose selector has it registered."""

    def __init__(self) -> None:
        self._inside, self._outside = socket.socketpair()
        self._inside.setblocking(False)
        self._outside.setblocking(False)

    def fileno(self) -> int:
        return self._inside.fileno()

    def ring(self) -> None:
        with contextlib.suppress(OSError):  # Full: it is ringing already. Closed: nobody listens.
            self._outside.send(b"!")

    def hush(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while self._inside.recv(4096):
                pass

    def close(self) -> None:
        self._inside.close()
        self._outside.close()
