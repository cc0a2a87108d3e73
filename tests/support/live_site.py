"""Starts the site of live_app.py under the real gunicorn, and watches it over plain sockets."""

import json
import os
import re
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse
from itertools import cycle

from stockpile_web.cli import GUNICORN, MALLOC
from stockpile_web.settings import ROOT


class Site:
    """A gunicorn with one worker."""

    def __init__(
        self, database_url: str, port: int = 0, threads: int = 4, options: tuple[str, ...] = ()
    ) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        command = [*GUNICORN, "--workers", "1", "--threads", str(threads)]
        command += ["--bind", f"127.0.0.1:{self.port}", "--log-level", "warning", *options]
        self.process = subprocess.Popen(
            [*command, "tests.support.live_app:create_app()"],
            cwd=ROOT,
            env={**os.environ, **MALLOC, "DATABASE_URL": database_url, "PYTHONPATH": str(ROOT)},
        )

    def is_up(self) -> bool:
        try:
            return bool(self.about())
        except OSError:
            return False

    def ask(self, path: str, method: str = "GET") -> str:
        """Return the body of an answer, which must be 200."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path)
            response = connection.getresponse()
            body = response.read().decode()
            assert response.status == 200, f"{path}: {response.status} {body}"
            return body
        finally:
            connection.close()

    def move(self, match_id: int) -> str:
        """Change a match and return its new version."""
        return self.ask(f"/move/{match_id}", "POST")

    def about(self) -> dict[str, int]:
        """Return the worker's process id, and how many viewers and open files it has."""
        return dict(json.loads(self.ask("/about")))

    def count(self) -> int:
        """Return how many viewers the worker holds."""
        return self.about()["viewers"]

    def stop(self) -> float:
        """Stop the server as a host would, and return how many seconds that took."""
        began = time.monotonic()
        self.process.terminate()
        self.process.wait(30)
        return time.monotonic() - began


class Watcher:
    """A viewer: reads the stream of one match."""

    def __init__(self, site: Site, match_id: int, key: str = "", version: str = "1.1") -> None:
        self.connection = socket.create_connection(("127.0.0.1", site.port), timeout=20)
        query = f"?key={key}" if key else ""
        ask = f"GET /table/{match_id}/events{query} HTTP/{version}\r\n"
        ask += "Host: localhost\r\nAccept-Encoding: gzip\r\n\r\n"
        self.connection.sendall(ask.encode())
        self.heard = b""

    def wait_for(self, text: str) -> str:
        """Read until `text` has come, and return all that was heard."""
        while text.encode() not in self.heard:
            more = self.connection.recv(65536)
            assert more, f"the stream ended before {text!r}: {self.heard!r}"
            self.heard += more
        return self.heard.decode()

    def wait_for_version(self, version: str) -> None:
        self.wait_for(f"data: {version}\n\n")

    def first_version(self) -> str:
        """Return the version that was told first."""
        found = re.search(r"data: (\d+\.\d+)\n", self.wait_for("data: "))
        assert found
        return found[1]

    def rest(self) -> bytes:
        """Read to the end of the stream."""
        while more := self.connection.recv(65536):
            self.heard += more
        return self.heard

    def close(self) -> None:
        self.connection.close()


@contextmanager
def serving(*sites: Site) -> Iterator[None]:
    """Wait until all `sites` answer, and stop them in the end."""
    try:
        for site in sites:
            wait_until(site.is_up, seconds=60)
        yield
    finally:
        for site in sites:
            site.process.terminate()
        for site in sites:
            site.process.wait(30)


def wait_until(is_so: Callable[[], bool], seconds: float = 20) -> None:
    """Wait for a condition; fail if it does not come true in time."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, "what was waited for did not happen"
        time.sleep(0.01)


def read_to_end(stream: HTTPResponse, seconds: float = 15) -> bytes:
    """Read a stream to its end; fail if it does not come in time, whatever the stream says by then.

    Every 20 seconds it says something, so that no time limit of a read ends this.
    """
    deadline, heard = time.monotonic() + seconds, b""
    while more := stream.read1():
        heard += more
        assert time.monotonic() < deadline, f"the stream has not ended: {heard!r}"
    return heard


def read_answer(connection: socket.socket) -> tuple[bytes, bytes]:
    """Read an answer that says how long it is: its head and its body."""
    heard = b""
    while b"\r\n\r\n" not in heard:
        heard += _more(connection)
    head, _, body = heard.partition(b"\r\n\r\n")
    length = re.search(rb"\r\ncontent-length: (\d+)", head, re.IGNORECASE)
    while length and len(body) < int(length[1]):
        body += _more(connection)
    return head, body


def _more(connection: socket.socket) -> bytes:
    more = connection.recv(65536)
    assert more, "the connection was closed"
    return more


def free_port() -> int:
    """Return a port that nobody uses, and that nobody will take before a server begins there.

    Those that the kernel gives away begin at 32768. Below them each process of tests has its own.
    """
    while True:
        with suppress(OSError), socket.create_server(("127.0.0.1", port := next(_ports))):
            return port


_process = int(os.environ.get("PYTEST_XDIST_WORKER", "gw5").removeprefix("gw")) % 6
_ports = cycle(range(12_000 + 3_000 * _process + os.getpid() % 1_000, 15_000 + 3_000 * _process))
