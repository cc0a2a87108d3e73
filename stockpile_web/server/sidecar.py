"""The sidecar: a worker process beside the web server, begun again whenever it has ended.

Gunicorn has no hook for processes of one's own, so a small keeper process is forked from its
parent, and keeps one worker running as long as the parent lives. Forked, both share the memory of
what is loaded already.
"""

import os
import signal
import sys
import threading
import time
from typing import Any

from stockpile_web.storage.database import db
from stockpile_web.worker import watch
from stockpile_web.worker.duties import with_thinkers
from stockpile_web.worker.fork import fork

PATIENCE = 5.0  # Seconds for a worker to finish what it has begun.
LOOK_EVERY = 0.5
BEFORE_ANOTHER = 1.0  # Seconds between the end of a worker and the begin of the next.


class Sidecar:
    """One worker beside gunicorn's arbiter `server`."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self._keeper = 0

    def start(self) -> None:
        """From now on there is a worker."""
        parent = os.getpid()
        self._keeper = fork(lambda: self._keep(parent))

    def stop(self) -> None:
        """End the worker; if it does not end in time, what it leased is done by the next one."""
        if self._keeper:
            _end(self._keeper, PATIENCE + 2 * LOOK_EVERY)
            self._keeper = 0

    def _keep(self, parent: int) -> None:
        """Keep a worker running until told to stop, or until the parent is gone."""
        stop = self._stop_event()
        for listener in self._server.LISTENERS:
            os.close(listener.fileno())
        me = os.getpid()
        while not stop.is_set():
            worker = fork(lambda: self._work(me))
            while not _has_ended(worker):
                if stop.wait(LOOK_EVERY) or os.getppid() != parent:
                    stop.set()
                    _end(worker, PATIENCE)
            stop.wait(BEFORE_ANOTHER)

    def _work(self, keeper: int) -> None:
        stop = self._stop_event()
        app = self._server.app.wsgi()
        with app.app_context():
            db.engine.dispose(close=False)  # The parent's connections are not ours.
        duties = with_thinkers(app.config["THINKERS"])
        threading.Thread(target=_stop_with, args=(keeper, stop), daemon=True).start()
        watch.run(app, stop, duties)
        sys.stderr.flush()

    def _stop_event(self) -> threading.Event:
        """Return what is set by the signals that end a process, instead of gunicorn's handlers."""
        for number in (*self._server.SIGNALS, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, lambda *_: stop.set())
        return stop


def _has_ended(child: int) -> bool:
    try:
        return os.waitpid(child, os.WNOHANG) != (0, 0)
    except ChildProcessError:  # Gunicorn waits for all children, and was there first.
        return True


def _end(child: int, patience: float) -> None:
    """End a child, kindly at first."""
    deadline = time.monotonic() + patience
    number = signal.SIGTERM
    while not _has_ended(child):
        os.kill(child, number)
        time.sleep(0.05)
        if time.monotonic() > deadline:
            number = signal.SIGKILL


def _stop_with(parent: int, stop: threading.Event) -> None:
    """Stop when the parent is gone, however it went."""
    while os.getppid() == parent and not stop.wait(1):
        pass
    stop.set()
