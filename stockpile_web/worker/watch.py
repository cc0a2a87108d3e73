"""The worker itself: finds out what is due, lets threads do it, and sleeps until there is more."""

import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import ScalarSelect, Select, select

from stockpile_web import counters
from stockpile_web.storage import due_notices, worker_seen
from stockpile_web.storage.database import db, now
from stockpile_web.storage.transactions import writing
from stockpile_web.storage.trouble import Outage, trouble_in
from stockpile_web.worker import broken_tables
from stockpile_web.worker.duties import DUTIES, Duty

# Soon enough for bots, and shorter than a notice takes to settle.
POLL = 0.2
ONE_MORE = 0.05  # So long after one thread the next begins to help.
AFTER_TROUBLE = 1.0
PRUNE_EVERY = 6 * 3600.0
BEAT_EVERY = 5.0

log = logging.getLogger(__name__)


class DutyThreads:
    """The threads that are at one duty."""

    def __init__(self, app: Flask, duty: Duty, stop: threading.Event, outage: Outage) -> None:
        self.name = duty.name
        self._app = app
        self._duty = duty
        self._stop = stop
        self._outage = outage
        # On Linux a thread is nice by itself.
        self.executor = ThreadPoolExecutor(
            duty.threads, initializer=os.nice, initargs=(duty.niceness,)
        )
        self._at_work: list[Future[None]] = []
        self._rest_until = 0.0
        self._begun: dict[int, float] = {}  # By thread, when it began what it is doing now.

    def add_one(self) -> None:
        """Let one more thread work until nothing is due, unless there are enough."""
        self._at_work = [each for each in self._at_work if not each.done()]
        has_room = len(self._at_work) < self._duty.threads
        if has_room and time.monotonic() >= self._rest_until:
            self._at_work.append(self.executor.submit(self._work))

    def has_hung(self) -> bool:
        """Tell whether a thread has been at one piece of work for longer than any takes."""
        since = time.monotonic() - self._duty.longest
        return any(begun < since for begun in list(self._begun.values()))

    def _work(self) -> None:
        try:
            while not self._stop.is_set() and self._do_some():
                pass
            # What is due may be with another thread: do not ask twenty times a second.
            self._rest_until = time.monotonic() + ONE_MORE
        except Exception as error:
            if trouble_in(error):
                self._outage.failed(error)
            else:
                counters.DUTY_FAILED.add(self._duty.name)
                log.exception("A thread of %s gave up; another will take over", self._duty.name)
            self._rest_until = time.monotonic() + AFTER_TROUBLE

    def _do_some(self) -> object:
        me = threading.get_ident()
        self._begun[me] = time.monotonic()
        try:
            has_more = self._duty.work(self._app)
        finally:
            del self._begun[me]
        counters.DUTY_RAN.set(time.time(), self._duty.name)
        return has_more


def run(
    app: Flask,
    stop: threading.Event,
    duties: Sequence[Duty] = DUTIES,
    beat: Callable[[], None] = lambda: None,
) -> None:
    """Work until `stop` is set; what has been begun is finished.

    As long as all is well there is a `beat` every few seconds. If a thread hangs, nothing new is
    begun and there is none any more: whoever keeps this process replaces it.
    """
    duties = [duty for duty in duties if not duty.setting or app.config[duty.setting]]
    outage = Outage("The worker")
    pools = [DutyThreads(app, duty, stop, outage) for duty in duties]
    rest, next_prune, next_beat = 0.0, 0.0, 0.0
    tables = broken_tables.LookThrough(app)  # Once: after an upgrade some may be broken.
    with ExitStack() as stack:
        for each in pools:
            stack.enter_context(each.executor)
        while not stop.wait(rest):
            beat()
            for threads in pools:
                if threads.has_hung():
                    log.error("The worker: %s hangs; the other threads finish", threads.name)
                    stop.set()
            try:
                pauses = seconds_until_due(app, duties)
                tables.go_on()
                if time.monotonic() >= next_prune:
                    prune(app, beat)
                    next_prune = time.monotonic() + PRUNE_EVERY
                if time.monotonic() >= next_beat:
                    next_beat = time.monotonic() + BEAT_EVERY
                    worker_seen.note(Path(app.instance_path))
            except Exception as error:  # noqa: BLE001 (the database may be away for a while)
                outage.failed(error)
                rest = AFTER_TROUBLE
                continue
            outage.worked()
            for threads, pause in zip(pools, pauses, strict=True):
                if pause == 0:
                    threads.add_one()
            rest = max(ONE_MORE, min(pauses))


def seconds_until_due(app: Flask, duties: Sequence[Duty] = DUTIES) -> list[float]:
    """Return for each duty how many seconds nothing will be due, as far as is known."""
    with app.app_context(), db.engine.connect() as connection:
        dues = connection.execute(_due_query(tuple(duty.due for duty in duties))).one()
    moment = now()
    pauses = (POLL if due is None else (due - moment).total_seconds() for due in dues)
    return [min(POLL, max(0.0, pause)) for pause in pauses]


@cache  # It is asked several times a second, and costs more to write than to answer.
def _due_query(dues: tuple[ScalarSelect[Any], ...]) -> Select[Any]:
    return select(*dues)


def prune(app: Flask, beat: Callable[[], None] = lambda: None) -> None:
    """Forget what nobody will ask for any more."""
    has_more = True
    while has_more:
        beat()
        with app.app_context(), writing() as tx:
            has_more = due_notices.prune(tx)
