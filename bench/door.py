"""Strangers at the door, without a proxy: how long a player waits meanwhile, and what it takes.

Each row is an attack on the real server with two processes. It is held for a while, in which a
prober asks for a table, a list and a style sheet, over new connections and over kept ones.
"""

import json
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from bench._load import Answers
from bench._server import Server, serving
from tests.support import door

SECONDS = 3.0
FEW_FILES = 1024
COLUMNS = ("table p50", "p99", "list p99", "style p99", "max ms", "failed", "MB after")

ATTACKS: dict[str, door.Attack] = {
    "nobody": door.nothing,
    "lengths of 4,301 digits": door.endless_number,
    "tab after Content-Length:": door.tab,
    "3 endless chunked bodies": partial(door.chunked, count=3),
    "20 endless chunked bodies": door.chunked,
    "300 half heads": door.half_heads,
    "300 bodies, a byte a second": door.trickling,
    "2,000 silent connections": partial(door.silent, count=2000),
    "4,000 silent connections": door.silent,
    "1,100 requests with large heads": door.large_heads,
    "30 wrong passwords": door.wrong_passwords,
    "1,000 streams": door.streams,
}


def main(words: list[str]) -> None:
    """Measure, print a table and a line of JSON."""
    print(f"{'':34}" + "".join(f"{name:>11}" for name in COLUMNS), flush=True)
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        place = door.Place(Path(folder))
        with serving("wsgi:app", place.environ, 2) as server:
            figures["idle_mb"] = server.memory()
            for name, attack in ATTACKS.items():
                figures[name] = _row(name, place, server, attack)
            figures["24 busy clients"] = _busy(place, server)
            figures["stop"] = _stop(server)
        with serving("wsgi:app", place.environ, 2, FEW_FILES) as server:
            name = f"2,000 silent, {FEW_FILES} files"
            figures[name] = _row(name, place, server, partial(door.silent, count=2000))
    print(json.dumps(figures))


def _busy(place: door.Place, server: Server) -> dict[str, float]:
    answers = place.busy(server.port, 24, SECONDS)
    row = {
        "p50_ms": answers.within(0.5),
        "p99_ms": answers.within(0.99),
        "max_ms": answers.within(1),
    }
    print(f"24 busy clients: {row}", flush=True)
    return row


def _stop(server: Server) -> dict[str, float]:
    with door.streams(server.port):
        began = time.monotonic()
        server.process.terminate()
        server.process.wait(30)
        row = {"seconds_with_1000_streams": round(time.monotonic() - began, 2)}
    print(f"stop: {row}", flush=True)
    return row


def _row(name: str, place: door.Place, server: Server, attack: door.Attack) -> dict[str, Any]:
    prober = door.Prober(server.port, place.requests(server.port))
    with prober, attack(server.port):
        time.sleep(SECONDS)
    times = {kind: Answers(times=each) for kind, each in prober.times.items()}
    row = {
        "table_p50_ms": times["table"].within(0.5),
        "table_p99_ms": times["table"].within(0.99),
        "list_p99_ms": times["list"].within(0.99),
        "style_p99_ms": times["style"].within(0.99),
        "max_ms": round(prober.longest() * 1000, 2),
        "failed": len(prober.failures),
        "mb_after": door.memory(server),
    }
    print(f"{name:34}" + "".join(f"{figure:11}" for figure in row.values()), flush=True)
    return row
