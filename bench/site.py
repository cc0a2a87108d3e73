"""The real server under load: moves, views and unchanged views, what they weigh, memory and start.

Requests are written out beforehand: whoever knows the seed of a match can foresee it. Other work on
the machine moves the answers per second; the CPU time that the server takes for each is steadier,
and a bare Flask view on the same gunicorn shows what it is worth here and now.
"""

import json
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle, islice
from typing import Any
from unittest.mock import patch

from bench import _seed as seed
from bench import _watch, _weight, viewers
from bench._load import drive, now_and_then, tags
from bench._server import Server, serving
from stockpile_web import create_app
from stockpile_web.storage.database import db
from stockpile_web.storage.schema import migrate
from tests.support import pgtest

CLIENTS = (1, 8, 32)
WORKERS = (1, 2)
SECONDS = 1.5
TABLES = 80
VIEWED = 40  # With six viewers each, fewer than the server keeps rendered.
PAUSE = 0.05  # Between the moves of others.

DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
COLUMNS = ("clients", "per s", "p50 ms", "p99 ms", "CPU ms", "x bare")

Figures = dict[str, Any]


class Site:
    """A database full of matches, and the requests of those who play and watch them."""

    def __init__(self, environ: dict[str, str]) -> None:
        self.environ = environ
        app = create_app({**environ, "SQLITE_SYNCHRONOUS": "OFF"})
        migrate(app)
        self.people = seed.sign_in(app, seed.SEATS)
        self.tables = seed.seat(app, self.people, TABLES)
        self.moves = [iter(seed.requests(app, self.people, number)) for number in self.tables]
        with app.app_context():
            db.engine.dispose()

    def moving(self, clients: int) -> list[Iterator[bytes]]:
        """Return moves for each client, at tables of its own: nobody waits for another's turn."""
        return [_in_turn(self.moves[first::clients]) for first in range(clients)]

    def looking(self, clients: int, port: int = 0) -> list[Iterator[bytes]]:
        """Return views for each client; with a `port`, of what has not changed since."""
        views = [(p, t) for t in self.tables[:VIEWED] for p in (*self.people, seed.STRANGER)]
        known = tags(port, (p.look(t) for p, t in views)) if port else [""] * len(views)
        requests = [p.look(t, tag) for (p, t), tag in zip(views, known, strict=True)]
        return [cycle(requests[first::clients]) for first in range(clients)]


class Measurement:
    """The figures so far; each row is printed as soon as it is known."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.figures: Figures = {}
        self.bare = 0.0

    def run(
        self, server: Server, name: str, scripts: list[Iterator[bytes]], status: int = 200
    ) -> None:
        """Let clients send their scripts for a while."""
        spent = server.cpu_seconds()
        answers = drive(server.port, scripts, self.seconds, status)
        spent = server.cpu_seconds() - spent
        count = len(answers.times)
        row = {
            "per_s": round(count / answers.seconds),
            "p50_ms": answers.within(0.5),
            "p99_ms": answers.within(0.99),
            "cpu_ms": round(spent / count * 1000, 3),
        }
        self.bare = self.bare or row["cpu_ms"]
        row["x_bare"] = round(row["cpu_ms"] / self.bare, 1)
        row["bytes"] = round(sum(answers.sizes) / count)
        row["most_bytes"] = max(answers.sizes)
        self.figures.setdefault(name, {})[len(scripts)] = row
        shown = [len(scripts), *list(row.values())[:5]]
        print(f"{name:38}" + "".join(f"{figure:9}" for figure in shown), flush=True)

    def note(self, name: str, figures: Figures) -> None:
        """Keep figures of another kind."""
        self.figures[name] = figures
        told = ", ".join(f"{key} {figure}" for key, figure in figures.items())
        print(f"{name}: {told}", flush=True)


def main(words: list[str]) -> None:
    """Measure, print a table and a line of JSON."""
    print(f"{'':38}" + "".join(f"{name:>9}" for name in COLUMNS), flush=True)
    figures = measure(SECONDS)
    print("\nThe live channel by itself:")
    figures |= viewers.measure()
    print(json.dumps(figures))


def measure(seconds: float) -> Figures:
    """Measure everything but the live channel by itself."""
    result = Measurement(seconds)
    with serving("bench._bare:app", {}, 1) as server:
        for clients in CLIENTS[1:]:
            look = seed.STRANGER.look(1)
            result.run(server, "bare Flask, 1 worker", [cycle([look]) for _ in range(clients)])
    with databases() as each:
        for name, environ in each.items():
            site = Site(environ)
            for workers in WORKERS:
                with serving("wsgi:app", environ, workers) as server:
                    _load(result, site, server, f"{name}, {workers} worker{'s'[: workers - 1]}")
            if name == "SQLite FULL":
                _rest(result, site)
    return result.figures


def _load(result: Measurement, site: Site, server: Server, name: str) -> None:
    drive(server.port, site.moving(8), result.seconds)  # The first ones compile templates.
    for clients in CLIENTS:
        result.run(server, f"move, {name}", site.moving(clients))
    if "NORMAL" in name:
        return  # Looking does not depend on it.
    drive(server.port, site.looking(8), 2 * result.seconds)  # Until all are rendered once.
    for clients in CLIENTS:
        result.run(server, f"view, {name}", site.looking(clients))
    with others_moving(server, site):
        result.run(server, f"view, others move, {name}", site.looking(8))
    for clients in CLIENTS:
        result.run(server, f"304, {name}", site.looking(clients, server.port), 304)


@contextmanager
def others_moving(server: Server, site: Site) -> Iterator[None]:
    """Let moves be made now and then, at all tables in turn; their CPU time counts in the row."""
    done = threading.Event()
    (moves,) = site.moving(1)
    moving = threading.Thread(target=drive, args=(server.port, [now_and_then(moves, PAUSE, done)]))
    moving.start()
    try:
        yield
    finally:
        done.set()
        moving.join()


def _rest(result: Measurement, site: Site) -> None:
    """Measure what does not depend on the load, on the server as it is set up."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving("wsgi:app", {**site.environ, "STOCKPILE_INSTANCE": folder}) as server,
    ):
        start = {"seconds_at_first": round(server.start_seconds, 2)}
    with serving("wsgi:app", site.environ) as server:
        result.note("start", {**start, "seconds_later": round(server.start_seconds, 2)})
        time.sleep(2)  # One process answers before the others are there.
        memory = {"mb_together": server.memory(), "mb_of_largest": server.resident()}
        result.note("idle", {**memory, "processes": len(server.processes())})
        files = _weight.first_load(server.port, site.people[0], site.tables[0])
        result.note(
            "one move",
            _weight.of_moves(server.port, site.people, site.tables[2], islice(site.moves[2], 60)),
        )
        result.note("first load", {"requests": len(files), "bytes": sum(files.values()), **files})
    with serving("wsgi:app", site.environ, 1) as server:
        moves, look = site.moves[0], site.people[0].look(site.tables[1])
        result.note("watched", _watch.measure(server, site.tables[0], moves, look))


@contextmanager
def databases() -> Iterator[dict[str, dict[str, str]]]:
    """Give the environment of a site on each database, with folders that are thrown away."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(patch.dict(pgtest.SETTINGS, DURABLE))
        postgres = stack.enter_context(pgtest.server())
        each = {
            "SQLite FULL": {"SQLITE_SYNCHRONOUS": "FULL"},
            "SQLite NORMAL": {"SQLITE_SYNCHRONOUS": "NORMAL"},
            "Postgres": {"DATABASE_URL": postgres.create("bench")},
        }
        for name, environ in each.items():
            environ["STOCKPILE_INSTANCE"] = f"{folder}/{name}"
            environ["SITE_URL"] = ""
        yield each


def _in_turn(scripts: Iterable[Iterator[bytes]]) -> Iterator[bytes]:
    """Yield from each script in turn, until one is at its end."""
    for script in cycle(scripts):
        request = next(script, None)
        if request is None:
            return
        yield request
