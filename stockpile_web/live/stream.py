"""The answer to a page that wants to watch: a stream of server-sent events without a thread.

Under gunicorn the connection itself is handed to the hub and the worker thread goes back to its
pool. That leans on two habits of gunicorn (the socket is in the environ, a broken pipe is passed
over in silence); tests/test_gunicorn.py watches over both. Everywhere else (flask run, tests, TLS
or HTTP/2 in gunicorn) a thread copies what the hub writes, for a few viewers. To do without the
hand-off, let `_can_hand_over` say no.
"""

import errno
import os
import random
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

from flask import Response

from stockpile_web.live.hub import Hub, Viewer

UNANSWERED_SECONDS = 60

HEADERS = {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
}


def open_stream(
    hub: Hub,
    environ: dict[str, Any],
    match_id: int,
    key: str | None,
    threads: threading.BoundedSemaphore,
) -> Response:
    """Answer with a stream, or with 503 when there is no room; the page then asks now and then."""
    if not hub.has_room():
        return _no_room()
    if _can_hand_over(environ):
        chunked = environ["SERVER_PROTOCOL"] == "HTTP/1.1"
        events = _hand_over(hub, environ["gunicorn.socket"], match_id, key, chunked)
        return Response(events, headers=HEADERS)
    if not threads.acquire(blocking=False):
        return _no_room()
    response = Response(_copy(hub, match_id, key), headers=HEADERS)
    once = ExitStack()  # A response may be closed twice.
    once.callback(threads.release)
    response.call_on_close(once.close)
    return response


def _no_room() -> Response:
    return Response("", 503, {"Retry-After": "5", "Cache-Control": "no-store"})


def _hello() -> bytes:
    """Set the pause before reconnecting; spread, or all come back at once after a restart."""
    return b"retry: %d\n\n" % random.randint(500, 2500)


def _can_hand_over(environ: dict[str, Any]) -> bool:
    return (
        type(environ.get("gunicorn.socket")) is socket.socket  # A TLS socket is a subclass.
        and environ.get("HTTP_VERSION") != "2"
        and environ["REQUEST_METHOD"] == "GET"
        and "gevent.monkey" not in sys.modules
    )


def _hand_over(
    hub: Hub, connection: socket.socket, match_id: int, key: str | None, chunked: bool
) -> Iterator[bytes]:
    yield _hello()  # Makes gunicorn send the headers.
    ours = connection.dup()
    if ours.family != socket.AF_UNIX:
        ours.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Notice a phone that has left its network.
            milliseconds = UNANSWERED_SECONDS * 1000
            ours.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
    _replace_by_dead(connection)
    hub.add(Viewer(ours, match_id, key, chunked))
    raise BrokenPipeError(errno.EPIPE, "The connection now belongs to the hub")


def _replace_by_dead(connection: socket.socket) -> None:
    """Leave gunicorn a socket whose other end is closed: whatever it does, the viewer stays."""
    stand_in, other_end = socket.socketpair()
    other_end.close()
    os.dup2(stand_in.fileno(), connection.fileno(), inheritable=False)
    stand_in.close()


def _copy(hub: Hub, match_id: int, key: str | None) -> Iterator[bytes]:
    yield _hello()
    ours, hubs = socket.socketpair()
    with ours:
        hub.add(Viewer(hubs, match_id, key, chunked=False))
        while message := ours.recv(4096):
            yield message
