"""Sends written-out requests over many connections at once, as cheaply as Python can.

The load shares the machine with the server that is measured, so one thread waits for all answers.
"""

import re
import selectors
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Self

_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
_TAG = re.compile(rb"\r\netag: ([^\r]+)", re.IGNORECASE)


class WrongAnswer(Exception):
    """The server refused: what is refused is not measured."""


@dataclass
class Answers:
    """What came back: in how many seconds, how long each answer took, and how long it was."""

    seconds: float = 0.0
    times: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    def within(self, share: float) -> float:
        """Return the milliseconds within which this share of all answers came."""
        return round(sorted(self.times)[int((len(self.times) - 1) * share)] * 1000, 2)


class Caller:
    """One keep-alive connection, which sends the next request when the last one is answered."""

    def __init__(self, port: int, script: Iterable[bytes], status: int) -> None:
        self.connection = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._script = iter(script)
        self._status = b"HTTP/1.1 %d " % status
        self._heard = b""
        self.sent_at = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.connection.close()

    def send_next(self) -> bool:
        """Send the next request; False if there is none."""
        request = next(self._script, None)
        if request is None:
            return False
        self.sent_at = time.perf_counter()
        self.connection.sendall(request)
        return True

    def receive(self) -> tuple[bytes, bytes] | None:
        """Take what has come; return the head and the body of the answer once it is whole."""
        came = self.connection.recv(262_144)
        self._heard += came
        head, end, body = self._heard.partition(b"\r\n\r\n")
        if came and not end:
            return None
        if not head.startswith(self._status):
            raise WrongAnswer(head.decode(errors="replace") or "the connection was closed")
        length = _LENGTH.search(head)
        if length and len(body) < int(length[1]):
            return None
        self._heard = b""
        return head, body


def drive(
    port: int, scripts: Iterable[Iterable[bytes]], seconds: float = 60, status: int = 200
) -> Answers:
    """Send every script over a connection of its own, until all are sent or the time is up."""
    answers = Answers()
    with ExitStack() as stack:
        callers = [stack.enter_context(Caller(port, script, status)) for script in scripts]
        selector = stack.enter_context(selectors.DefaultSelector())
        began = time.perf_counter()
        for caller in callers:
            if caller.send_next():
                selector.register(caller.connection, selectors.EVENT_READ, caller)
        while selector.get_map():
            for key, _ in selector.select():
                caller = key.data
                if (answer := caller.receive()) is None:
                    continue
                moment = time.perf_counter()
                answers.times.append(moment - caller.sent_at)
                answers.sizes.append(len(answer[1]))
                if moment - began > seconds or not caller.send_next():
                    selector.unregister(caller.connection)
        answers.seconds = time.perf_counter() - began
    return answers


def now_and_then(script: Iterator[bytes], pause: float, done: threading.Event) -> Iterator[bytes]:
    """Yield a script with pauses, until it is done; what is not sent stays in the script."""
    while not done.wait(pause):
        request = next(script, None)
        if request is None:
            return
        yield request


def ask(port: int, request: bytes, status: int = 200) -> tuple[bytes, bytes]:
    """Send one request over a new connection; return the head and the body of its answer."""
    with Caller(port, [request], status) as caller:
        caller.send_next()
        while (answer := caller.receive()) is None:
            pass
        return answer


def tags(port: int, requests: Iterable[bytes]) -> Iterator[str]:
    """Ask for pages, and return the tag of each."""
    for request in requests:
        head, _ = ask(port, request)
        found = _TAG.search(head)
        if found is None:
            raise WrongAnswer("there is no tag")
        yield found[1].decode()
