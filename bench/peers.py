"""This server beside a plain Flask site, in bursts that take turns: how many times as fast.

Both run on gunicorn with two processes and on SQLite, which has every move on the disk before it is
answered. A ratio above 1 is in our favour; other work on the machine meets both.
Options: --bursts (of each kind on each server), --seconds (of a burst), --clients.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import cycle
from statistics import median
from typing import NamedTuple

from bench import _seed as seed
from bench._load import drive, tags
from bench._server import ROOT, Server, serving
from stockpile_web import create_app
from stockpile_web.storage.database import db
from stockpile_web.storage.schema import migrate

TABLES = 40
WORKERS = 2
# As the documentation of gunicorn advises; ours has a worker class of its own.
PLAIN_GUNICORN = "--worker-class gthread --threads 4"

Scripts = list[Iterator[bytes]]


class Peer(NamedTuple):
    """A server, those who use it, and the moves that they are going to make at each table."""

    server: Server
    people: list[seed.Person]
    tables: list[int]
    moves: list[Iterator[bytes]]

    def looking(self, clients: int, *, unchanged: bool = False) -> Scripts:
        """Return views of tables for each client; `unchanged`, if they have shown them before."""
        views = [(who, table) for table in self.tables for who in (*self.people, seed.STRANGER)]
        asked = [who.look(table) for who, table in views]
        if unchanged:
            known = tags(self.server.port, asked)
            asked = [who.look(table, tag) for (who, table), tag in zip(views, known, strict=True)]
        return [cycle(asked[first::clients]) for first in range(clients)]

    def listing(self, clients: int) -> Scripts:
        """Return requests for the list of tables, from everybody in turn."""
        first = "GET /tables/listed HTTP/1.1\r\n" + seed.BROWSER
        asked = [f"{first}{who.headers}\r\n".encode() for who in self.people]
        return [cycle(asked[first:] + asked[:first]) for first in range(clients)]

    def moving(self, clients: int) -> Scripts:
        """Return moves for each client, at tables of its own."""
        return [_in_turn(self.moves[first::clients]) for first in range(clients)]


KINDS: dict[str, tuple[Callable[[Peer, int], Scripts], int]] = {
    "moves": (Peer.moving, 200),
    "views of a table": (Peer.looking, 200),
    "unchanged views": (lambda peer, clients: peer.looking(clients, unchanged=True), 304),
    "a list of tables": (Peer.listing, 200),
}


def main(words: list[str]) -> None:
    """Measure, print a table of ratios and a line of JSON."""
    parser = argparse.ArgumentParser(prog="./run bench peers")
    parser.add_argument("--bursts", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--clients", type=int, default=8)
    asked = parser.parse_args(words)
    found = {}
    print(
        f"{'times as many a second':28}{'median':>8}{'least':>8}{'most':>8}{'CPU':>8}", flush=True
    )
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        peers = [_ours(stack, f"{folder}/ours"), _plain(stack, f"{folder}/plain.db")]
        for kind in KINDS:
            found[kind] = _measure(kind, peers, asked.bursts, asked.seconds, asked.clients)
            print(f"{kind:28}" + "".join(f"{figure:8.2f}" for figure in found[kind]), flush=True)
    print(json.dumps({"peers": found}))


def _measure(
    kind: str, peers: list[Peer], bursts: int, seconds: float, clients: int
) -> list[float]:
    """Return by how much we are ahead, in the middle, at least and at most, and the CPU's ratio."""
    scripts, status = KINDS[kind]
    rates, spent = [], []
    for number in range(bursts + 1):
        ours, theirs = (_burst(p, scripts(p, clients), seconds, status) for p in peers)
        if number:  # The first ones compile templates.
            rates.append(ours[0] / theirs[0])
            spent.append(ours[1] / theirs[1])
    return [round(each, 2) for each in (median(rates), min(rates), max(rates), median(spent))]


def _burst(peer: Peer, scripts: Scripts, seconds: float, status: int) -> tuple[float, float]:
    """Return the answers a second, and the CPU seconds that each took the server."""
    spent = peer.server.cpu_seconds()
    answers = drive(peer.server.port, scripts, seconds, status)
    spent = peer.server.cpu_seconds() - spent
    return len(answers.times) / answers.seconds, spent / len(answers.times)


def _ours(stack: ExitStack, folder: str) -> Peer:
    environ = {"STOCKPILE_INSTANCE": folder, "DATABASE_URL": "", "SITE_URL": ""}
    app = create_app({**environ, "SQLITE_SYNCHRONOUS": "OFF"})
    migrate(app)
    people = seed.sign_in(app, seed.SEATS)
    tables = seed.seat(app, people, TABLES)
    moves = [iter(seed.requests(app, people, table)) for table in tables]
    with app.app_context():
        db.engine.dispose()
    environ["SQLITE_SYNCHRONOUS"] = "FULL"
    return Peer(stack.enter_context(serving("wsgi:app", environ, WORKERS)), people, tables, moves)


def _plain(stack: ExitStack, path: str) -> Peer:
    environ = {"PLAIN_DATABASE": path, "GUNICORN_CMD_ARGS": PLAIN_GUNICORN}
    filling = [sys.executable, "-m", "bench._plain"]
    filling += map(str, (seed.SEATS, TABLES, seed.MOVES_BEFORE))
    told = subprocess.check_output(filling, cwd=ROOT, env={**os.environ, **environ})
    people = [seed.Person(number, each) for number, each in enumerate(json.loads(told), 1)]
    tables = list(range(1, TABLES + 1))
    moves: list[Iterator[bytes]] = [
        cycle([who.send(table, {"text": "a move"}) for who in people]) for table in tables
    ]
    server = stack.enter_context(serving("bench._plain:app", environ, WORKERS))
    return Peer(server, people, tables, moves)


def _in_turn(scripts: list[Iterator[bytes]]) -> Iterator[bytes]:
    """Yield from each script in turn, until one is at its end."""
    for script in cycle(scripts):
        request = next(script, None)
        if request is None:
            return
        yield request
