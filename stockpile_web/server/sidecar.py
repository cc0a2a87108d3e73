"""The worker beside the web server: a process that gunicorn's parent forks, and looks after.

Forked, it shares the memory of what is loaded already. Gunicorn has no hook for further processes
of one's own, so we go along whenever it looks after its workers; tests/test_notices_worker.py
watches over that.
"""

import logging
import os
import signal
import sys
import threading
import time
from typing import Any

from stockpile_web.storage.database import db
from stockpile_web.worker import watch

PATIENCE = 5.0

log = logging.getLogger(__name__)


class Beside:
    """One worker, begun again whenever it has ended, until it is no longer wanted."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self._pid = 0

    def begin(self) -> None:
        """From now on, see to it that there is a worker."""
        look_after_workers = self._server.manage_workers

        def look_after_all() -> None:
            look_after_workers()
            if not self._is_alive():
                self._fork()

        self._server.manage_workers = look_after_all
        self._server.beside = self

    def stop(self) -> None:
        """End the worker; if it does not end in time, what it leased is done by the next one."""
        deadline = time.monotonic() + PATIENCE
        number = signal.SIGTERM
        while self._is_alive():
            os.kill(self._pid, number)
            time.sleep(0.05)
            if time.monotonic() > deadline:
                number = signal.SIGKILL
        self._pid = 0

    def _is_alive(self) -> bool:
        if not self._pid:
            return False
        try:
            return os.waitpid(self._pid, os.WNOHANG) == (0, 0)
        except ChildProcessError:  # Gunicorn was there first.
            return False

    def _fork(self) -> None:
        parent = os.getpid()
        pid = os.fork()
        if pid:
            self._pid = pid
            return
        try:
            self._work(parent)
        except BaseException:
            log.exception("The worker ended")
            os._exit(1)
        os._exit(0)  # Nothing of the server's own is to be cleaned up here.

    def _work(self, parent: int) -> None:
        for number in (*self._server.SIGNALS, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, lambda *_: stop.set())
        for listener in self._server.LISTENERS:
            os.close(listener.fileno())
        app = self._server.app.wsgi()
        with app.app_context():
            db.engine.dispose(close=False)  # The parent's connections are not ours.
        threading.Thread(target=_end_with, args=(parent, stop), daemon=True).start()
        watch.run(app, stop)
        sys.stderr.flush()


def _end_with(parent: int, stop: threading.Event) -> None:
    """Stop when the parent is gone, however it went."""
    while os.getppid() == parent and not stop.wait(1):
        pass
    stop.set()
