"""The worker itself: looks what is due, lets threads do it, and sleeps until there is more."""

import logging
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from flask import Flask

from stockpile_web.database import db, now, writing
from stockpile_web.notify import outbox
from stockpile_web.worker.duties import DUTIES, Duty

NICENESS = 5  # Bots think; whoever waits for a page goes first.
ONE_MORE = 0.05  # So long after one thread the next begins to help.
AFTER_TROUBLE = 5.0
PRUNE_EVERY = 6 * 3600.0

log = logging.getLogger(__name__)


class Post:
    """A duty as one worker keeps it: who is at it, and when to look again."""

    def __init__(self, app: Flask, duty: Duty, stop: threading.Event) -> None:
        self._app = app
        self._duty = duty
        self._stop = stop
        self._crew: list[Future[None]] = []
        self.look_at = 0.0

    def look(self, pool: ThreadPoolExecutor) -> None:
        """See whether something is due; if so, one more thread helps until nothing is."""
        try:
            rest = pause(self._app, self._duty)
        except Exception as error:  # The database may be away for a while.
            log.warning("The worker of %s: %s; trying again", self._duty.name, error)
            rest = AFTER_TROUBLE
        if rest == 0:
            self._crew = [each for each in self._crew if not each.done()]
            if len(self._crew) < self._duty.threads:
                self._crew.append(pool.submit(self._work))
            rest = ONE_MORE
        self.look_at = time.monotonic() + rest

    def _work(self) -> None:
        try:
            while not self._stop.is_set() and self._duty.work(self._app):
                pass
        except Exception:
            log.exception("A thread of %s gave up; another will take over", self._duty.name)


def run(app: Flask, stop: threading.Event, duties: Sequence[Duty] = DUTIES) -> None:
    """Work until `stop` is set; what has been begun is finished."""
    posts = [Post(app, duty, stop) for duty in duties]
    next_prune = 0.0
    with ThreadPoolExecutor(sum(duty.threads for duty in duties)) as pool:
        while not stop.wait(max(0.0, min(post.look_at for post in posts) - time.monotonic())):
            if time.monotonic() >= next_prune:
                next_prune = time.monotonic() + PRUNE_EVERY
                _prune(app)
            for post in posts:
                if post.look_at <= time.monotonic():
                    post.look(pool)


def pause(app: Flask, duty: Duty) -> float:
    """Return how many seconds nothing will be due, as far as is known."""
    with app.app_context():
        due = duty.next_due(db.session())
    if due is None:
        return duty.poll
    return min(duty.poll, max(0.0, (due - now()).total_seconds()))


def _prune(app: Flask) -> None:
    try:
        with app.app_context(), writing() as tx:
            outbox.prune(tx)
    except Exception as error:
        log.warning("Old notices could not be forgotten: %s", error)
