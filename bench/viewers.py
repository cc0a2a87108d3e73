"""Open pages on one worker: how soon all are told of a move, and what that costs everybody else.

The worker serves the site of tests/live_app.py. A move is timed from the moment its request is sent
until each viewer has the new version in hand, so the commit is part of it.
"""

import json
import selectors
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from stockpile_web.live.hub import file_limit
from tests.support import live_app
from tests.support.live_site import Site, serving

VIEWERS = (100, 1000)
THREADS = 8
MOVES = 20
PAUSE = 0.25
MATCH = 1
HEADERS = b"Host: localhost\r\nAccept-Encoding: gzip, deflate, br\r\n"


def main(words: list[str]) -> None:
    """Measure, print a table and a line of JSON."""
    print(json.dumps(measure()))


def measure() -> dict[str, Any]:
    """Measure for each number of viewers, and print a row for each."""
    file_limit()
    columns = ("told p50", "p95", "max ms", "request p50", "p99 ms", "MB", "KB each", "opened s")
    print(f"{'viewers':>8}" + "".join(f"{name:>12}" for name in columns), flush=True)
    rows = {}
    for count in VIEWERS:
        row = rows[str(count)] = _measure(count)
        print(f"{count:8}" + "".join(f"{figure:12.1f}" for figure in row.values()), flush=True)
    return {"viewers_on_one_worker": rows}


def _measure(count: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/bench.db"
        live_app.create_tables(url)
        site = Site(url, threads=THREADS)
        with serving(site):
            process = site.about()["process"]
            before = _resident(process)
            with _opened(site, count) as (crowd, seconds):
                told: list[float] = []
                requests: list[float] = []
                with _mover(site) as move, _asking(site, requests):
                    for _ in range(MOVES):
                        told += crowd.time_of(move)
                        time.sleep(PAUSE)
                after = _resident(process)
    return {
        "told_p50_ms": _share(told, 0.5),
        "told_p95_ms": _share(told, 0.95),
        "told_max_ms": max(told),
        "request_p50_ms": _share(requests, 0.5),
        "request_p99_ms": _share(requests, 0.99),
        "resident_mb": round(after / 1024, 1),
        "kb_per_viewer": round((after - before) / count, 1),
        "opened_s": round(seconds, 2),
    }


class Crowd:
    """Many viewers of one match, read by one thread."""

    TOLD = b"event: state"  # What a move brings.

    def __init__(self) -> None:
        self.brought = 0  # How many boards were heard.
        self._selector = selectors.DefaultSelector()
        self._connections: list[socket.socket] = []

    def open(self, site: Site, count: int) -> None:
        """Add viewers, and wait until each has been told the version."""
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", site.port))
            connection.sendall(b"GET /table/%d/events HTTP/1.1\r\n%b\r\n" % (MATCH, HEADERS))
            self._selector.register(connection, selectors.EVENT_READ)
            self._connections.append(connection)
        self._hear(b"event: state", count)

    def time_of(self, move: Callable[[], None]) -> list[float]:
        """Return how many milliseconds after the beginning of a move each viewer heard of it."""
        began = time.monotonic()
        move()
        heard = self._hear(self.TOLD, len(self._connections))
        return [round((moment - began) * 1000, 2) for moment in heard]

    def _hear(self, text: bytes, count: int) -> list[float]:
        moments: list[float] = []
        while len(moments) < count:
            ready = self._selector.select(10)
            if not ready:
                raise TimeoutError(f"{len(moments)} of {count} viewers were told")
            for key, _ in ready:
                assert isinstance(key.fileobj, socket.socket)
                received = key.fileobj.recv(65536)
                self.brought += b"event: board" in received
                if text in received:
                    moments.append(time.monotonic())
        return moments

    def close(self) -> None:
        self._selector.close()
        for connection in self._connections:
            connection.close()


@contextmanager
def _opened(site: Site, count: int) -> Iterator[tuple[Crowd, float]]:
    """Open viewers a few at a time, and say how many seconds it took."""
    crowd, began = Crowd(), time.monotonic()
    try:
        for first in range(0, count, 50):
            crowd.open(site, min(50, count - first))
        yield crowd, time.monotonic() - began
    finally:
        crowd.close()


@contextmanager
def _mover(site: Site) -> Iterator[Callable[[], None]]:
    """Give a function that sends a move; its answer is read before the next one is sent."""
    connection = HTTPConnection("127.0.0.1", site.port)
    sent = False

    def move() -> None:
        nonlocal sent
        if sent:
            connection.getresponse().read()
        connection.request("POST", f"/move/{MATCH}")
        sent = True

    yield move
    connection.close()


@contextmanager
def _asking(site: Site, times: list[float]) -> Iterator[None]:
    """Meanwhile ask for a page, a hundred times a second, and note how long each takes."""
    done = threading.Event()

    def ask() -> None:
        connection = HTTPConnection("127.0.0.1", site.port)
        while not done.wait(0.01):
            began = time.monotonic()
            connection.request("GET", f"/table/{MATCH}")
            connection.getresponse().read()
            times.append(round((time.monotonic() - began) * 1000, 2))
        connection.close()

    thread = threading.Thread(target=ask)
    thread.start()
    yield
    done.set()
    thread.join()


def _resident(process: int) -> int:
    """Return the kilobytes of memory that a process occupies."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise LookupError("no VmRSS")


def _share(figures: list[float], share: float) -> float:
    """Return the figure below which this share of all figures lies."""
    return sorted(figures)[int((len(figures) - 1) * share)]
