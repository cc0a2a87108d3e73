"""The answer to a page that wants to watch: a stream of server-sent events without a thread.

Our worker (server/worker.py) hands the connection itself to the hub once the head has been sent.
Everywhere else (gthread, flask run, tests) a thread copies what the hub writes, for a few viewers.
"""

import random
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

from flask import Response

from stockpile_web.live.audiences import Viewer
from stockpile_web.live.hub import Hub

UNANSWERED_SECONDS = 60

Viewing = Callable[..., Viewer]
"""Makes the viewer once there is a connection: a stream that never begins leaves nothing."""

HEADERS = {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
}


def open_stream(
    hub: Hub,
    environ: dict[str, Any],
    viewing: Viewing,
    threads: threading.BoundedSemaphore,
) -> Response:
    """Answer with a stream, or with 503 when there is no room; the page then asks now and then."""
    if not hub.has_room():
        return _no_room()
    hand_over = environ.get("stockpile.hand_over")
    if hand_over is not None:
        chunked = environ["SERVER_PROTOCOL"] == "HTTP/1.1"
        hand_over(lambda sock: hub.add(viewing(connection=_set_up(sock), chunked=chunked)))
        return Response(iter([_hello()]), headers=HEADERS)  # As its length is not known yet.
    if not threads.acquire(blocking=False):
        return _no_room()
    response = Response(_copy(hub, viewing), headers=HEADERS)
    once = ExitStack()  # A response may be closed twice.
    once.callback(threads.release)
    response.call_on_close(once.close)
    return response


def _no_room() -> Response:
    return Response("", 503, {"Retry-After": "5", "Cache-Control": "no-store"})


def _hello() -> bytes:
    """Set the pause before reconnecting; spread, or all come back at once after a restart."""
    return b"retry: %d\n\n" % random.randint(300, 1700)


def _set_up(connection: socket.socket) -> socket.socket:
    if connection.family != socket.AF_UNIX:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Notice a phone that has left its network.
            milliseconds = UNANSWERED_SECONDS * 1000
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
    return connection


def _copy(hub: Hub, viewing: Viewing) -> Iterator[bytes]:
    yield _hello()
    ours, hubs = socket.socketpair()
    with ours:
        hub.add(viewing(connection=hubs, chunked=False))
        while message := ours.recv(4096):
            yield message
