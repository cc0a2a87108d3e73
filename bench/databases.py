"""The same site on SQLite and on Postgres, in alternating bursts: what the second database costs.

Both write every move to the disk before they answer. The ratios are worth more than the figures:
whatever else the machine does meanwhile slows both.
"""

import json
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from statistics import median

from bench._load import drive
from bench._server import Server, serving
from bench.site import Site, databases, others_moving

SECONDS = 1.0
BURSTS = 7
CLIENTS = 8
WORKERS = 2
TARGETS = {"moves": 0.75, "views": 0.6}

Figures = dict[str, list[float]]


def main(words: list[str]) -> None:
    """Measure, print a table and a line of JSON."""
    figures: dict[str, Figures] = {}
    with databases() as environs, ExitStack() as stack:
        names = ["SQLite FULL", "Postgres"]
        sites = {name: Site(environs[name]) for name in names}
        servers = {
            name: stack.enter_context(serving("wsgi:app", environs[name], WORKERS))
            for name in names
        }
        for name in names:  # The first ones compile templates, and fill the caches.
            drive(servers[name].port, sites[name].moving(CLIENTS), SECONDS)
            drive(servers[name].port, sites[name].looking(CLIENTS), 2 * SECONDS)
        for _ in range(BURSTS):
            for name in names:
                for what, rate in _burst(sites[name], servers[name]).items():
                    figures.setdefault(what, {}).setdefault(name, []).append(rate)
    print(f"{'a second':28}{'SQLite':>9}{'Postgres':>9}{'ratio':>7}{'wanted':>8}")
    for what, rates in figures.items():
        sqlite, postgres = (rates[name] for name in names)
        ratio = median(p / s for s, p in zip(sqlite, postgres, strict=True))
        wanted = TARGETS.get(what, "")
        print(f"{what:28}{median(sqlite):9.1f}{median(postgres):9.1f}{ratio:7.2f}{wanted:>8}")
    print(json.dumps(figures))


def _burst(site: Site, server: Server) -> dict[str, float]:
    """Return the answers a second of each kind, one kind after the other, and their CPU time."""
    found = _rates("moves", server, site.moving(CLIENTS))
    time.sleep(SECONDS)  # Notices of these moves are due, and the worker takes them up.
    drive(server.port, site.looking(CLIENTS), SECONDS / 2)  # What has moved is rendered once.
    found |= _rates("views", server, site.looking(CLIENTS))
    with others_moving(server, site):
        found |= _rates("views while others move", server, site.looking(CLIENTS))
    return found


def _rates(what: str, server: Server, scripts: Iterable[Iterator[bytes]]) -> dict[str, float]:
    spent = server.cpu_seconds()
    answers = drive(server.port, scripts, SECONDS)
    spent, count = server.cpu_seconds() - spent, len(answers.times)
    return {what: round(count / answers.seconds, 1), f"{what}, CPU ms": spent / count * 1000}
