"""One whole request through the application, by gunicorn's own WSGI code, into memory."""

import time
from datetime import timedelta
from typing import Any

from gunicorn.http import wsgi  # type: ignore[import-untyped]

from stockpile_web.server.connection import Connection, Sink

HAND_OVER = "stockpile.hand_over"
ARRIVED = "server.arrived"  # When the request was whole, by time.monotonic().


def run(worker: Any, connection: Connection, request: Any, closing: bool) -> tuple[bytes, bool]:
    """Return the answer, and whether the connection is to be closed after it.

    In memory, because a thread must not wait for a client that reads slowly. An answer that fails
    half way can still become a proper 500, too.
    """
    sink, began = Sink(), time.monotonic()
    try:
        response, environ = wsgi.create(
            request, sink, connection.peer, connection.server, worker.cfg
        )
        environ["wsgi.multithread"] = True
        environ[HAND_OVER] = connection.hand_over
        environ[ARRIVED] = connection.active_at
        if closing:
            response.force_close()
        parts = worker.wsgi(environ, response.start_response)
        try:
            for part in parts:
                response.write(part)
            if response.status_code != 200:  # An error page after all, and not a stream.
                connection.receive = None
            if connection.receive is None:
                response.close()
        finally:
            if hasattr(parts, "close"):
                parts.close()
    except Exception as error:  # noqa: BLE001 (gunicorn logs it and answers 500)
        connection.receive = None
        sink = Sink()
        worker.handle_error(request, sink, connection.peer, error)
        return sink.answer(), True
    took = timedelta(seconds=time.monotonic() - began)
    worker.log.access(response, request, environ, took)
    return sink.answer(), response.should_close()
