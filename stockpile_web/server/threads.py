"""The threads that run the application, and how long each has been at one request."""

import logging
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Generic, TypeVar

Job = TypeVar("Job")

log = logging.getLogger(__name__)


class Threads(Generic[Job]):
    """At most so many threads that take jobs in turn, each begun when all before it are busy.

    Simpler than concurrent.futures, whose futures cost more than the queue: nobody waits for a
    result here.
    """

    def __init__(self, name: str, count: int, work: Callable[[Job], None]) -> None:
        self._work = work
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._name = name
        self._count = count
        self._since: list[float] = []  # When each began its job; 0 while it has none.
        self._lock = threading.Lock()
        self._spare = 0  # Threads without a job, less jobs without a thread.

    def put(self, job: Job) -> None:
        """Have a thread do `job` as soon as one is free."""
        with self._lock:
            self._spare -= 1
            if self._spare < 0 and len(self._since) < self._count:
                self._begin()
        self._jobs.put(job)

    def longest(self) -> float:
        """Return for how many seconds the slowest has been at its job."""
        began = min((since for since in self._since if since), default=0.0)
        return time.monotonic() - began if began else 0.0

    def stop(self) -> None:
        """End every thread after the jobs it was given."""
        for _ in self._since:
            self._jobs.put(None)

    def _begin(self) -> None:
        number = len(self._since)
        self._since.append(0.0)
        self._spare += 1
        name = f"{self._name}-{number}"
        # Daemons: a thread that hangs must not keep its process from ending.
        threading.Thread(target=self._run, args=(number,), name=name, daemon=True).start()

    def _run(self, number: int) -> None:
        while (job := self._jobs.get()) is not None:
            self._since[number] = time.monotonic()
            try:
                self._work(job)
            except BaseException:  # Even SystemExit: one request must not end a thread.
                log.exception("A request ended in an error of the server's own")
            self._since[number] = 0.0
            job = None  # Or it would be kept until the next one.
            with self._lock:
                self._spare += 1
