"""The real server in a process of its own, and what it takes of the machine."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench._load import WrongAnswer, ask
from stockpile_web.cli import GUNICORN, MALLOC
from stockpile_web.upkeep.processes import Taken, cpu_seconds, kilobytes, taken, tree
from tests.support.live_site import free_port

ROOT = Path(__file__).parent.parent


class Server:
    """A gunicorn with our settings; `workers` 0 leaves their number to gunicorn.conf.py.

    With `files` it may open no more than so many in each process.
    """

    def __init__(self, app: str, environ: dict[str, str], workers: int = 0, files: int = 0) -> None:
        self.port = free_port()
        command = [*GUNICORN, "--bind", f"127.0.0.1:{self.port}"]
        command += ["--log-level", "warning"]
        if files:
            command = ["prlimit", f"--nofile={files}:{files}", *command]
        if workers:
            command += ["--workers", str(workers)]
        began = time.monotonic()
        self.process = subprocess.Popen(
            [*command, app],
            cwd=ROOT,
            env={**os.environ, **MALLOC, "PYTHONPATH": str(ROOT), **environ},
        )
        try:
            self._wait_for_answer()
        except BaseException:
            self.stop()
            raise
        self.start_seconds = time.monotonic() - began

    def stop(self) -> None:
        """Stop it, and wait."""
        self.process.terminate()
        self.process.wait(30)

    def processes(self) -> list[int]:
        """Return the numbers of all its processes, the parent first, a keeper before its worker."""
        return tree(self.process.pid)

    def cpu_seconds(self) -> float:
        """Return the CPU time that all its processes have taken so far."""
        return sum(map(cpu_seconds, self.processes()))

    def memory(self) -> float:
        """Return the megabytes of all its processes; what they share is counted once."""
        return round(sum(each.memory for each in self._taken()) / 1024 / 1024, 1)

    def files(self) -> int:
        """Return how many files all its processes have open."""
        return sum(each.files for each in self._taken())

    def resident(self) -> float:
        """Return the megabytes that the largest process occupies; the parent answers nobody."""
        answering = self.processes()[1:]
        sizes = (kilobytes(each, "status", "VmRSS:") for each in answering)
        return round(max(sizes) / 1024, 1)

    def _taken(self) -> list[Taken]:
        return [each for process in self.processes() if (each := taken(process))]

    def _wait_for_answer(self) -> None:
        request = b"GET /table/1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            try:
                ask(self.port, request)
                return
            except WrongAnswer:
                return  # There is no table yet, but somebody who says so.
            except (ConnectionError, TimeoutError):  # A fresh site compiles its templates first.
                if self.process.poll() is not None:
                    raise
                time.sleep(0.005)
        raise TimeoutError("the server does not answer")


@contextmanager
def serving(
    app: str, environ: dict[str, str], workers: int = 0, files: int = 0
) -> Iterator[Server]:
    """Run a server until the end of the block."""
    server = Server(app, environ, workers, files)
    try:
        yield server
    finally:
        server.stop()
