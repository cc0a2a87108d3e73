"""The worker: threads that lease what is due, send it, and sleep until there is more.

Several workers, on one machine or many, share the work by the leases of the outbox.
"""

import logging
import secrets
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor

from flask import Flask

from stockpile_web.database import db, now, writing
from stockpile_web.notify import outbox
from stockpile_web.notify.sending import give_back, tell

THREADS = 4
PERSONS = 4  # Leased at once by a thread.
# Shorter than a notice takes to settle: it is known of before it falls due.
POLL = 0.8
ONE_MORE = 0.05  # So long after one thread the next begins to help.
PRUNE_EVERY = 6 * 3600.0
DEFAULT_SITE = "http://127.0.0.1:8000"

log = logging.getLogger(__name__)


def run(app: Flask, stop: threading.Event, threads: int = THREADS) -> None:
    """Work until `stop` is set; what has been begun is finished."""
    crew: list[Future[None]] = []
    rest, next_prune = 0.0, 0.0
    with ThreadPoolExecutor(threads) as pool:
        while not stop.wait(rest):
            try:
                if time.monotonic() >= next_prune:
                    next_prune = time.monotonic() + PRUNE_EVERY
                    prune(app)
                rest = pause(app)
            except Exception as error:  # The database may be away for a while.
                log.warning("The worker of notices: %s; trying again", error)
                rest = 5.0
            if rest == 0:
                crew = [each for each in crew if not each.done()]
                if len(crew) < threads:
                    crew.append(pool.submit(_work, app, stop))
                rest = ONE_MORE


def work_once(app: Flask) -> int:
    """Lease and send some of what is due; return how many people were told."""
    me = secrets.token_hex(8)
    began = time.monotonic()
    # Links in messages begin with the site's own address, as if it had been asked for.
    with app.test_request_context(base_url=app.config["SITE_URL"] or DEFAULT_SITE):
        with writing() as tx:
            claimed = outbox.claim(tx, me, PERSONS)
        for user_id, notices in claimed.items():
            if time.monotonic() - began > outbox.LEASE.total_seconds() / 4:
                break  # The rest falls due again, for whoever is faster.
            try:
                tell(me, user_id, notices)
            except Exception:
                log.exception("Somebody could not be told")
                db.session.rollback()
                give_back(me, notices)
        return len(claimed)


def pause(app: Flask) -> float:
    """Return how many seconds nothing will be due, as far as is known."""
    with app.app_context():
        due = outbox.next_due(db.session())
    if due is None:
        return POLL
    return min(POLL, max(0.0, (due - now()).total_seconds()))


def _work(app: Flask, stop: threading.Event) -> None:
    """Send until nothing is due."""
    try:
        while not stop.is_set() and work_once(app):
            pass
    except Exception:
        log.exception("A thread of the worker gave up; another will take over")


def prune(app: Flask) -> None:
    """Forget what nobody will ask for any more."""
    with app.app_context(), writing() as tx:
        outbox.prune(tx)
