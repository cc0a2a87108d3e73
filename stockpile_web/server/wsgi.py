"""One whole request through the application, by gunicorn's own WSGI code, into memory."""

from datetime import datetime
from typing import Any

from gunicorn.http import wsgi  # type: ignore[import-untyped]

from stockpile_web.server.connection import Connection, Sink

HAND_OVER = "stockpile.hand_over"


def run(worker: Any, connection: Connection, request: Any, closing: bool) -> tuple[bytes, bool]:
    """Return the answer, and whether the connection is to be closed after it.

    In memory, because a thread must not wait for a client that reads slowly. An answer that fails
    half way can still become a proper 500, too.
    """
    sink, began = Sink(), datetime.now()
    try:
        response, environ = wsgi.create(
            request, sink, connection.peer, connection.server, worker.cfg
        )
        environ["wsgi.multithread"] = True
        environ[HAND_OVER] = connection.hand_over
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
    except Exception as error:
        connection.receive = None
        sink = Sink()
        worker.handle_error(request, sink, connection.peer, error)
        return sink.answer(), True
    worker.log.access(response, request, environ, datetime.now() - began)
    return sink.answer(), response.should_close()
