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
    """A fixed number of threads that take jobs in turn.

    Simpler than concurrent.futures, whose futures cost more than the queue: nobody waits for a
    result here.
    """

    def __init__(self, name: str, count: int, work: Callable[[Job], None]) -> None:
        self._work = work
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._since = [0.0] * count  # When each began its job; 0 while it has none.
        for number in range(count):
            # Daemons: a thread that hangs must not keep its process from ending.
            threading.Thread(
                target=self._run, args=(number,), name=f"{name}-{number}", daemon=True
            ).start()

    def put(self, job: Job) -> None:
        """Have a thread do `job` as soon as one is free."""
        self._jobs.put(job)

    def longest(self) -> float:
        """Return for how many seconds the slowest has been at its job."""
        began = min((since for since in self._since if since), default=0.0)
        return time.monotonic() - began if began else 0.0

    def stop(self) -> None:
        """End every thread after the jobs it was given."""
        for _ in self._since:
            self._jobs.put(None)

    def _run(self, number: int) -> None:
        while (job := self._jobs.get()) is not None:
            self._since[number] = time.monotonic()
            try:
                self._work(job)
            except BaseException:  # Even SystemExit: one request must not end a thread.
                log.exception("A request ended in an error of the server's own")
            self._since[number] = 0.0
            job = None  # Or it would be kept until the next one.
