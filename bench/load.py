"""A site under mixed load for minutes: how long answers take, and whether memory stays flat.

People move, look at boards and read all kinds of pages, strangers hold streams open, bots think.
All of them pause between requests: what is measured is a busy evening, not what the server can do.
"""

import argparse
import json
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from itertools import chain, cycle
from random import Random
from typing import Any

from flask import Flask

from bench import _seed as seed
from bench import _sites
from bench._load import Answers, Caller, WrongAnswer, now_and_then
from bench._server import Server, serving
from bench._watch import Watchers
from bench.thinking import BotTables
from stockpile_web import create_app
from stockpile_web.games import GAMES
from stockpile_web.match.turn import changing
from stockpile_web.storage.database import db
from stockpile_web.storage.schema import migrate

DATABASES: dict[str, Callable[[], AbstractContextManager[str]]] = {
    "sqlite": _sites.sqlite,
    "postgres": _sites.postgres,
}
TABLES_A_MINUTE = 12  # Those who move need so many: a match comes to its end.
ENDED = 8  # Matches that are over, to be read.
MOVING, LOOKING = 2, 3  # Clients; one more for each kind of page.
PAUSE = 0.1  # Seconds between an answer and the next request of a client.
READING_PAUSE = 0.5  # Those who read take longer.
QUICK = ("move", "board")
STREAMS = 60
SAMPLE_SECONDS = 30.0
COLUMNS = ("minutes", "MB", "largest MB", "files", "requests", "CPU ms each")

Figures = dict[str, Any]


@dataclass
class Tally:
    """What came of the requests of each kind; several clients write to it."""

    times: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def count(self) -> int:
        """Return how many requests were answered."""
        return sum(map(len, self.times.values()))

    def rows(self) -> dict[str, Figures]:
        """Return for each kind how many there were, how long they took, and what went wrong."""
        found = {}
        for kind in sorted({*self.times, *self.errors}):
            heard = Answers(0, self.times[kind] or [0.0])
            found[kind] = {
                "count": len(self.times[kind]),
                "p50_ms": heard.within(0.5),
                "p99_ms": heard.within(0.99),
                "longest_ms": heard.within(1),
                "errors": len(self.errors[kind]),
            }
        return found


class Site:
    """A database with tables in mid-game and matches that are over, and the requests to come."""

    def __init__(self, environ: dict[str, str], minutes: float) -> None:
        self.environ = environ
        app = create_app({**environ, "SQLITE_SYNCHRONOUS": "OFF"})
        migrate(app)
        self.people = seed.sign_in(app, seed.SEATS)
        count = max(MOVING, round(TABLES_A_MINUTE * minutes))
        self.tables = seed.seat(app, self.people, count)
        self.ended = seed.seat(app, self.people, ENDED)
        for number in self.ended:
            with app.app_context(), changing(number) as turn:
                for mover, move in seed.moves(turn):
                    turn.play(mover, move)
        self.moves = [seed.requests(app, self.people, number) for number in self.tables]
        self.bots = BotTables(app, self.people[0].user_id)
        with app.app_context():
            db.engine.dispose()
        self._app: Flask = app

    def scripts(self) -> Iterator[tuple[str, Iterator[bytes]]]:
        """Yield what each client sends, and of which kind it is."""
        for first in range(MOVING):
            yield "move", chain.from_iterable(self.moves[first::MOVING])
        looks = [p.look(t) for t in self.tables for p in (*self.people, seed.STRANGER)]
        for first in range(LOOKING):
            yield "board", cycle(looks[first::LOOKING])
        for kind, paths in self._pages().items():
            asked = [page(p, path) for path in paths for p in self.people]
            Random(kind).shuffle(asked)
            yield kind, cycle(asked)

    def _pages(self) -> dict[str, list[str]]:
        """Return what is read, by its kind; a client reads each."""
        tables, game = [*self.tables[:20], *self.ended], next(iter(GAMES))
        names = [f"/people/Player%20{number}" for number in range(seed.SEATS)]
        return {
            "page": [f"/table/{number}" for number in tables],
            "log": [f"/table/{number}/log" for number in tables],
            "turn": [f"/table/{t}/turn/{turn}" for t in self.ended for turn in range(5, 60, 5)],
            "story": [f"/table/{number}/story" for number in self.ended],
            "file": [f"/table/{number}/export.json" for number in self.ended],
            "list": ["/tables", "/tables/listed", "/archive", "/feed.atom", "/notices"],
            "profile": ["/people", "/account", *names],
            "rules": [f"/rules/{game}", f"/rules/{game}/summary", "/static/site.css"],
        }


def page(person: seed.Person, path: str) -> bytes:
    """Ask for a page as a browser does that follows a link."""
    common = "Host: localhost\r\nAccept: text/html\r\nAccept-Encoding: gzip\r\n"
    return f"GET {path} HTTP/1.1\r\n{common}{person.headers}\r\n".encode()


class Audience(Watchers):
    """Strangers who hold streams open, and take whatever they are brought."""

    def listen(self, done: threading.Event) -> None:
        """Read until it is over; whose stream has ended is gone."""
        while not done.is_set():
            for key, _ in self._selector.select(0.2):
                if not key.fileobj.recv(65536):  # type: ignore[union-attr]
                    self._selector.unregister(key.fileobj)


def send(port: int, kind: str, script: Iterable[bytes], tally: Tally) -> None:
    """Send a script; what is refused is noted, and the next request has a new connection."""
    requests = iter(script)
    while (request := next(requests, None)) is not None:
        try:
            with Caller(port, chain([request], requests), 200) as caller:
                while caller.send_next():
                    while caller.receive() is None:
                        pass
                    tally.times[kind].append(time.perf_counter() - caller.sent_at)
        except (WrongAnswer, OSError) as error:
            tally.errors[kind].append(str(error).partition("\r\n")[0])


def sample(server: Server) -> Figures:
    """Return what the server takes of the machine now."""
    return {"mb": server.memory(), "largest_mb": server.resident(), "files": server.files()}


def measure(url: str, minutes: float, every: float = SAMPLE_SECONDS) -> Figures:
    """Put a site on a database under load, print a row now and then, and return everything."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        environ = {"STOCKPILE_INSTANCE": folder, "DATABASE_URL": url, "SITE_URL": ""}
        site = Site({**environ, "WORKER": "on"}, minutes)
        server = stack.enter_context(serving("wsgi:app", site.environ))
        stack.enter_context(site.bots.playing())
        tally, done = Tally(), threading.Event()
        audience = Audience()
        stack.callback(audience.close)
        for first in range(0, STREAMS, 10):
            audience.watch(server.port, site.tables[first // 10 % 2], range(first, first + 10))
        threads = [threading.Thread(target=audience.listen, args=(done,))]
        for kind, script in site.scripts():
            paced = now_and_then(script, PAUSE if kind in QUICK else READING_PAUSE, done)
            threads.append(threading.Thread(target=send, args=(server.port, kind, paced, tally)))
        for thread in threads:
            thread.start()
        try:
            samples = list(_samples(server, tally, minutes, every))
        finally:
            done.set()
            for thread in threads:
                thread.join()
    return {"samples": samples, "answers": tally.rows(), "problems": _some(tally)}


def _samples(server: Server, tally: Tally, minutes: float, every: float) -> Iterator[Figures]:
    began = time.monotonic()
    answered, spent = 0, server.cpu_seconds()
    print("".join(f"{name:>13}" for name in COLUMNS), flush=True)
    while (passed := time.monotonic() - began) < 60 * minutes:
        time.sleep(min(every, 60 * minutes - passed))
        now, cpu = tally.count(), server.cpu_seconds()
        # The CPU time of bots, streams and the worker is in it.
        each = round((cpu - spent) / max(1, now - answered) * 1000, 2)
        passed = round((time.monotonic() - began) / 60, 1)
        row = {"minutes": passed, **sample(server), "requests": now - answered, "cpu_ms": each}
        answered, spent = now, cpu
        print("".join(f"{figure:13}" for figure in row.values()), flush=True)
        yield row


def _some(tally: Tally) -> dict[str, str]:
    return {kind: errors[0] for kind, errors in tally.errors.items() if errors}


def main(words: list[str]) -> None:
    """Measure, print tables and a line of JSON."""
    parser = argparse.ArgumentParser(prog="./run bench load")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--database", choices=DATABASES, nargs="+", default=list(DATABASES))
    asked = parser.parse_args(words)
    found = {}
    for name in asked.database:
        print(f"\n{name}")
        with DATABASES[name]() as url:
            found[name] = measure(url, asked.minutes)
        print(f"\n{'':34}{'count':>8}{'p50 ms':>10}{'p99 ms':>10}{'longest':>10}{'errors':>8}")
        for kind, row in found[name]["answers"].items():
            shown = list(row.values())
            print(f"{kind:34}{shown[0]:8}" + "".join(f"{n:10}" for n in shown[1:4]), end="")
            print(f"{shown[4]:8}")
        for kind, problem in found[name]["problems"].items():
            print(f"{kind}: {problem}")
    print(json.dumps({"load": found}))
