"""One connection of a client: bytes in, whole requests out, and what is left to send.

It does no I/O and knows no event loop. A head is parsed once, by gunicorn's own parser, when all of
it has come; a request is given out only when its body has come, too.
"""

import io
import socket
from collections.abc import Callable
from enum import Enum, auto
from typing import Any

from gunicorn import util  # type: ignore[import-untyped]
from gunicorn.http.message import Request  # type: ignore[import-untyped]
from gunicorn.http.unreader import IterUnreader  # type: ignore[import-untyped]

from stockpile_web.settings import LARGEST_BODY, LARGEST_UPLOAD, UPLOAD_PATH

LARGEST_HEAD = 32 * 1024
END_OF_HEAD = b"\r\n\r\n"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"

Receive = Callable[[socket.socket], None]


class State(Enum):
    """What a connection is waiting for; while RUNNING it belongs to a thread, else to the loop."""

    IDLE = auto()  # The first byte of another request.
    READING = auto()  # The rest of a request.
    RUNNING = auto()  # The application.
    SENDING = auto()  # The client, to take its answer.
    LINGERING = auto()  # The client, to hang up after the last answer.
    GONE = auto()  # Nothing: it is closed, or somebody else's.


class Refused(Exception):
    """A request that is answered here, after which the connection is closed."""

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason

    def answer(self) -> bytes:
        """Return the answer as it is sent."""
        sink = Sink()
        util.write_error(sink, self.status, self.reason, str(self))
        return sink.answer()


class Sink:
    """What gunicorn takes for a socket: collects an answer in memory."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def sendall(self, part: bytes) -> None:
        self._parts.append(part)

    def send(self, part: bytes) -> int:
        """Drop `part`: gunicorn sends only "100 Continue" this way, which was said long ago."""
        return len(part)

    def gettimeout(self) -> float:
        """Say what a socket says that never blocks."""
        return 0.0

    def answer(self) -> bytes:
        """Return all that was sent."""
        return b"".join(self._parts)


class Connection:
    """The state of one connection; the owner changes `state` last."""

    __slots__ = (
        "_length",
        "_request",
        "_searched",
        "active_at",
        "buffer",
        "closes",
        "deadline",
        "outgoing",
        "peer",
        "receive",
        "requests",
        "server",
        "sock",
        "state",
    )

    def __init__(
        self, sock: socket.socket, peer: Any, server: Any, now: float, deadline: float
    ) -> None:
        self.sock = sock
        self.peer = peer
        self.server = server
        self.state = State.READING
        self.active_at = now
        self.deadline = deadline
        self.requests = 0
        self.buffer = bytearray()
        self.outgoing: bytes | memoryview = b""
        self.closes = False  # After what is outgoing.
        self.receive: Receive | None = None
        self._searched = 0
        self._request: Any = None  # The head of the request whose body is on its way.
        self._length = 0

    def take_request(self, cfg: Any) -> Any:
        """Return the next request if it is whole; raise Refused or one of gunicorn's errors."""
        if self._request is None and not self._take_head(cfg):
            return None
        if len(self.buffer) < self._length:
            return None
        request, self._request = self._request, None
        request.body = io.BytesIO(self.buffer[: self._length])
        del self.buffer[: self._length]
        return request

    def has_head(self) -> bool:
        """Tell whether only (a part of) the body is missing."""
        return self._request is not None

    def has_begun(self) -> bool:
        """Tell whether a part of a request has come."""
        return bool(self.buffer) or self.has_head()

    def held(self) -> int:
        """Return how many bytes are kept for this client."""
        return len(self.buffer) + len(self.outgoing)

    def expects_continue(self) -> bool:
        """Tell whether the client waits for a word before it sends the body."""
        request = self._request
        if request is None or request.version < (1, 1) or self.buffer:
            return False
        return any(name == "EXPECT" for name, _ in request.headers)

    def hand_over(self, receive: Receive) -> None:
        """Have the socket given to `receive` when the answer has been sent.

        The answer then has no end: whoever receives the socket goes on with it.
        """
        self.receive = receive

    def _take_head(self, cfg: Any) -> bool:
        # What was searched before is not searched again, however slowly the bytes come.
        end = self.buffer.find(END_OF_HEAD, max(0, self._searched - 3), LARGEST_HEAD)
        self._searched = len(self.buffer)
        if end < 0:
            if self._searched >= LARGEST_HEAD:
                raise Refused(431, "Request Header Fields Too Large", "The head is too long.")
            return False
        end += len(END_OF_HEAD)
        head = bytes(self.buffer[:end])
        del self.buffer[:end]
        self._searched = 0
        self.requests += 1
        self._request = Request(cfg, IterUnreader([head]), self.peer, self.requests)
        self._length = _body_length(self._request)
        return True


def _body_length(request: Any) -> int:
    """Return how long the body will be; refuse one that has no end or is too large."""
    length = 0
    for name, value in request.headers:
        if name == "CONTENT-LENGTH":
            length = int(value)  # gunicorn has refused what is no number.
        elif name == "TRANSFER-ENCODING":
            # Browsers never send forms in chunks, and what has no length cannot be bounded.
            raise Refused(411, "Length Required", "Send a Content-Length.")
    if length > (LARGEST_UPLOAD if request.path == UPLOAD_PATH else LARGEST_BODY):
        raise Refused(413, "Content Too Large", "That is more than this site takes at once.")
    return length
