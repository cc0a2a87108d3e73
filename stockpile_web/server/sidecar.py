"""The sidecar: a worker process beside the web server, begun again whenever it has ended.

Gunicorn has no hook for processes of one's own, so a small keeper process is forked from its
parent, and keeps one worker running as long as the parent lives. Forked, both share the memory of
what is loaded already.
"""

import os
import signal
from functools import partial
from typing import Any

from stockpile_web.worker import keeper
from stockpile_web.worker.fork import fork


class Sidecar:
    """One worker beside gunicorn's arbiter `server`."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self._keeper = 0

    def start(self) -> None:
        """From now on there is a worker."""
        self._keeper = fork(partial(self._keep, os.getpid()))

    def stop(self) -> None:
        """End the worker; if it does not end in time, what it leased is done by the next one."""
        if self._keeper:
            keeper.end(self._keeper, keeper.PATIENCE + 2 * keeper.LOOK_EVERY)
            self._keeper = 0

    def _keep(self, parent: int) -> None:
        """Keep a worker running until told to stop, or until the parent is gone."""
        stop = keeper.stop_event(reset=(*self._server.SIGNALS, signal.SIGCHLD))
        for listener in self._server.LISTENERS:
            os.close(listener.fileno())
        keeper.keep(self._server.app.wsgi(), stop, lambda: os.getppid() == parent)
