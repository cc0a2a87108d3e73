"""The real server in a process of its own, and what it takes of the machine."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench._load import WrongAnswer, ask
from stockpile_web.cli import GUNICORN, MALLOC
from tests.support.live_site import free_port

ROOT = Path(__file__).parent.parent
TICKS = os.sysconf("SC_CLK_TCK")


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
        return _with_children(self.process.pid)

    def cpu_seconds(self) -> float:
        """Return the CPU time that all its processes have taken so far."""
        ticks = 0
        for process in self.processes():
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / TICKS

    def memory(self) -> float:
        """Return the megabytes of all its processes; what they share is counted once."""
        shares = (_kilobytes(process, "smaps_rollup", "Pss:") for process in self.processes())
        return round(sum(shares) / 1024, 1)

    def resident(self) -> float:
        """Return the megabytes that the largest process occupies; the parent answers nobody."""
        sizes = (_kilobytes(process, "status", "VmRSS:") for process in self.processes()[1:])
        return round(max(sizes) / 1024, 1)

    def _wait_for_answer(self) -> None:
        request = b"GET /table/1 HTTP/1.1\r\nHost: localhost\r\n\r\n"
        deadline = time.monotonic() + 60
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


def _with_children(process: int) -> list[int]:
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [process, *(each for child in children for each in _with_children(int(child)))]


def _kilobytes(process: int, file: str, name: str) -> int:
    for line in Path(f"/proc/{process}/{file}").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1])
    raise LookupError(name)
