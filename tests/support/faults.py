"""The real server, with the processes that faults befall: killed, stopped and begun again."""

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from flask import Flask

from stockpile_web.cli import GUNICORN, MALLOC
from stockpile_web.settings import ROOT
from stockpile_web.upkeep.processes import children
from tests.support.live_site import wait_until

# On a machine that is busy with other things a server takes long to begin.
BEGINS_WITHIN = 120
# Passed on from the application of a test, so that both have one database and one key.
SAME = ("DATABASE_URL", "SECRET_KEY", "SQLITE_SYNCHRONOUS", "STOCKPILE_INSTANCE")

# Without https cookies have the name and the signature that they have in a plain browser.
BY_HTTP = {"SITE_URL": "http://127.0.0.1"}


class Host:
    """A server of its own: its processes, a port, a log in `folder`, and further settings."""

    def __init__(self, app: Flask, folder: Path, web: int = 2, **settings: str) -> None:
        folder.mkdir(exist_ok=True)
        same = {name: str(app.config[name]) for name in SAME}
        self._environ = {"THINKERS": "1", **same, **settings}
        self._web = web
        self._log = folder / "log"
        # Held here, as systemd would hold it: whoever asks during a restart waits.
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.port = int(self._listener.getsockname()[1])

    def start(self) -> None:
        """Start it, and wait until all of its processes are there."""
        file = self._listener.fileno()
        command = [*GUNICORN, "--bind", f"fd://{file}", "--workers", str(self._web)]
        with self._log.open("ab") as log:
            self._parent = subprocess.Popen(
                [*command, "--log-level", "warning", "wsgi:app"],
                pass_fds=[file],
                cwd=ROOT,
                env={**os.environ, **MALLOC, "PYTHONPATH": str(ROOT), **self._environ},
                stdout=log,
                stderr=log,
            )
        wait_until(self._is_whole, seconds=BEGINS_WITHIN)

    def stop(self) -> None:
        """Stop it, and wait."""
        self._parent.terminate()
        self._parent.wait(60)

    def close(self) -> None:
        """Stop it for good; what a test has stopped goes on first."""
        for pid in self.workers() + self.web():
            send_signal(pid, signal.SIGCONT)
        self.stop()
        self._listener.close()

    def kill(self, role: str) -> None:
        """End a process at once, by its role: one that answers, the worker, or the parent of all.

        The parent is begun again, as systemd would; the others the server itself begins again.
        """
        if role == "parent":
            self._parent.kill()
            self._parent.wait(60)
            self.start()
            return
        found = self.web() if role == "web" else self.workers()
        if found:  # Just now there may be none: the last one was killed, too.
            send_signal(found[0], signal.SIGKILL)

    def web(self) -> list[int]:
        """Return the processes that answer, the oldest first."""
        return children(self._parent.pid)[1:]  # The keeper was there before them.

    def workers(self) -> list[int]:
        """Return the worker; there is none for a moment after one has ended."""
        below = [pid for keeper in children(self._parent.pid)[:1] for pid in children(keeper)]
        return [pid for pid in below if threads(pid) > 1]  # One in which bots think has one.

    def said(self) -> str:
        """Return all that it has written to its log."""
        return self._log.read_text()

    def _is_whole(self) -> bool:
        assert self._parent.poll() is None, self.said()
        return len(self.web()) == self._web and bool(self.workers())


@contextmanager
def hosting(*hosts: Host) -> Iterator[None]:
    """Run servers until the end of the block."""
    with ExitStack() as stack:
        for host in hosts:
            stack.callback(host.close)
            host.start()
        yield


def send_signal(pid: int, number: int) -> None:
    """Send a signal to a process, which may have ended meanwhile."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def threads(pid: int) -> int:
    """Return how many threads a process has; 0 if it has ended."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[17])
    except (FileNotFoundError, ProcessLookupError):
        return 0
