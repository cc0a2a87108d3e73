"""Keeps a worker running, replaces one that hangs, and forks processes in which its bots think.

It has no threads, so that it may fork at any time, and does nothing but wait, so that whatever it
forks shares its memory.
"""

import gc
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from functools import partial

from flask import Flask

from stockpile_web.storage.database import db
from stockpile_web.worker import bots, watch
from stockpile_web.worker.duties import with_thinkers
from stockpile_web.worker.fork import fork
from stockpile_web.worker.heartbeat import Heartbeat
from stockpile_web.worker.thinkers import Nursery, Thinkers

PATIENCE = 5.0  # Seconds for a worker to finish what it has begun.
LOOK_EVERY = 0.2
BEFORE_ANOTHER = 1.0  # Seconds between the end of a worker and the begin of the next.
# Seconds without a heartbeat after which a worker is replaced, as gunicorn does with its processes:
# longer than any statement, connection or lock makes its loop wait.
HUNG = 60.0

log = logging.getLogger(__name__)


def keep(app: Flask, stop: threading.Event, is_wanted: Callable[[], bool]) -> None:
    """Keep a worker running until told to stop, or until none is wanted any more."""
    gc.freeze()  # What garbage collection does not touch stays shared.
    while not stop.is_set():
        nursery, thinkers = Nursery.begin(app.config["THINKERS"], bots.think)
        heart = Heartbeat()
        worker = fork(partial(_work, app, nursery, thinkers, heart, os.getpid()))
        thinkers.close()
        while not has_ended(worker):
            nursery.look(LOOK_EVERY)
            if stop.is_set() or not is_wanted():
                stop.set()
                end(worker, PATIENCE, nursery.look)
            elif heart.silence() > HUNG:
                log.error("The worker has hung for %.0f seconds; another one takes over", HUNG)
                end(worker, 0)
        nursery.close()
        stop.wait(BEFORE_ANOTHER)


def stop_event(reset: Iterable[int] = ()) -> threading.Event:
    """Return what is set by the signals that end a process; others are `reset`."""
    for number in reset:
        signal.signal(number, signal.SIG_DFL)
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, lambda *_: stop.set())
    return stop


def has_ended(child: int) -> bool:
    """Tell whether a child has ended."""
    try:
        return os.waitpid(child, os.WNOHANG) != (0, 0)
    except ChildProcessError:  # Gunicorn waits for all children, and was there first.
        return True


def end(child: int, patience: float, pause: Callable[[float], None] = time.sleep) -> None:
    """End a child, kindly at first."""
    deadline = time.monotonic() + patience
    while not has_ended(child):
        is_late = time.monotonic() >= deadline
        os.kill(child, signal.SIGKILL if is_late else signal.SIGTERM)
        pause(0.05)


def _work(app: Flask, nursery: Nursery, thinkers: Thinkers, heart: Heartbeat, keeper: int) -> None:
    nursery.close()
    stop = stop_event()
    with app.app_context():
        db.engine.dispose(close=False)  # The parent's connections are not ours.
    threading.Thread(target=_stop_with, args=(keeper, stop), daemon=True).start()
    watch.run(app, stop, with_thinkers(thinkers), heart.beat)
    sys.stderr.flush()


def _stop_with(parent: int, stop: threading.Event) -> None:
    """Stop when the parent is gone, however it went."""
    while os.getppid() == parent and not stop.wait(1):
        pass
    stop.set()
