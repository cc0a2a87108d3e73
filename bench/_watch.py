"""Open pages of one table of the real site: how soon all have the board, at what cost."""

import socket
import threading
import time
from collections.abc import Iterator
from itertools import cycle

from bench._load import Answers, ask, drive, now_and_then
from bench._seed import BROWSER
from bench._server import Server
from bench.viewers import Crowd
from stockpile_web.live.hub import file_limit

VIEWERS = 1000
MOVES = 20
PAUSE = 0.25


class Watchers(Crowd):
    """Strangers who watch a table, each from an address of their own, and are brought the board."""

    TOLD = b"event: "  # Its version instead, if there is too much to bring uncompressed.

    def watch(self, port: int, match_id: int, numbers: range) -> None:
        """Open a stream for each number, and wait until all have been told the version."""
        request = f"GET /table/{match_id}/events HTTP/1.1\r\n{BROWSER}\r\n".encode()
        for number in numbers:
            # One address may hold only a few streams; all of 127.0.0.0/8 is this machine.
            source = f"127.0.{1 + number // 250}.{1 + number % 250}"
            connection = socket.create_connection(("127.0.0.1", port), source_address=(source, 0))
            connection.sendall(request)
            self._selector.register(connection, 1)
            self._connections.append(connection)
        self._hear(b"event: state", len(numbers))


def _play(server: Server, moves: Iterator[bytes], watchers: Watchers) -> list[float]:
    """Make moves; return how many seconds after the beginning of each everybody has its board."""
    times = []
    for _ in range(MOVES):
        move = threading.Thread(target=ask, args=(server.port, next(moves)))
        times += [moment / 1000 for moment in watchers.time_of(move.start)]
        move.join()
        time.sleep(PAUSE)
    return times


def measure(server: Server, match_id: int, moves: Iterator[bytes], look: bytes) -> dict[str, float]:
    """Let many watch a table while it is played, and while others look at another one."""
    file_limit()
    before, watchers, told = server.resident(), Watchers(), Answers()
    try:
        for first in range(0, VIEWERS, 50):
            watchers.watch(server.port, match_id, range(first, first + 50))
        done = threading.Event()
        looks = Answers()

        def look_on() -> None:
            nonlocal looks
            looks = drive(server.port, [now_and_then(cycle([look]), 0.01, done)])

        looking = threading.Thread(target=look_on)
        looking.start()
        told.times += _play(server, moves, watchers)
        done.set()
        looking.join()
        spent = server.cpu_seconds()  # Nobody else is served meanwhile.
        _play(server, moves, watchers)
        spent = server.cpu_seconds() - spent
        after = server.resident()
    finally:
        watchers.close()
    return {
        "viewers": VIEWERS,
        "told_p50_ms": told.within(0.5),
        "told_p95_ms": told.within(0.95),
        "told_p99_ms": told.within(0.99),
        "told_max_ms": told.within(1),
        "cpu_us_each": round(spent / MOVES / VIEWERS * 1e6, 1),
        "brought": round(watchers.brought / 2 / MOVES / VIEWERS, 3),
        "request_p50_ms": looks.within(0.5),
        "request_p99_ms": looks.within(0.99),
        "resident_mb": after,
        "kb_per_viewer": round((after - before) * 1024 / VIEWERS, 1),
    }
