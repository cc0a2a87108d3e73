"""What a site does at 100, 10,000 and 100,000 stored matches: how much longer it takes.

The matches are written by SQL, with states as long as real ones, a notice for each seat and a
delivery for each match. All is done in this process, by turns on the three sites; a time is the
shortest of some. On SQLite it is CPU time, for there this process does all of the work, and other
programs hardly change it. Pages show as many rows on each site; the spreadsheet is measured by the
line.
Options: --most (matches of the largest site), --database (only this one).
"""

import argparse
import itertools
import json
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from random import Random

from flask import Flask
from flask.testing import FlaskClient

from bench import _sites
from stockpile_web import create_app
from stockpile_web.games import GAMES
from stockpile_web.match import driving, seating
from stockpile_web.match.turn import changing
from stockpile_web.storage import due_notices, send_queue
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import User
from stockpile_web.storage.transactions import reading, transaction, writing
from stockpile_web.web import board_cache
from stockpile_web.worker import watch
from tests.support.many_matches import COMMON, FIRST, ONE, OTHER, RARE

COUNTS = (100, 10_000, 100_000)
TIMES = 20
WANTED = 1.2
IDLE_SECONDS = 5.0
PLAYERS = 4
# One of 200: they have sat at the first 100 matches, and at 100,000 at 2,000 more.
NAME, FRIEND = f"person{ONE}", f"person{OTHER}"

_NEW = itertools.count()

PAGES = {
    "archive, newest": "/archive",
    "archive, closest": "/archive?order=closest",
    "archive, in the midst": "/archive?order=longest&after={middle}",
    "archive, a game and its rule": f"/archive?game={FIRST}&rule={COMMON}&order=highest",
    "archive, a rule hardly played": f"/archive?game={FIRST}&rule={RARE}&order=closest",
    "archive, nothing found": "/archive?players=2&order=longest",
    "archive, rules never together": f"/archive?game={FIRST}&rule={COMMON}&rule={RARE}",
    "archive, without a rule, closest": f"/archive?game={FIRST}&rule=-{RARE}&order=closest",
    "archive, no such day, longest": "/archive?from=2019-01-01&to=2019-01-02&order=longest",
    "archive, a day, longest": "/archive?from=2020-01-01&to=2020-01-01&order=longest",
    "archive, a player": f"/archive?player={NAME}&order=closest",
    "archive, mine with a player": f"/archive?mine=1&player={FRIEND}&order=longest",
    "archive, 1,000 lines of CSV": "/archive.csv",
    "feed": "/feed.atom",
    "feed of a player": f"/people/{NAME}/feed.atom",
    "my tables": "/tables",
    "tables open to all": "/tables/listed",
    "notices": "/notices",
    "people": "/people",
    "a profile, mine": f"/people/{NAME}",
    "a profile, another's": f"/people/{FRIEND}",
    "a profile against somebody": f"/people/{FRIEND}?against={NAME}",
    "log": "/table/{match}/log",
    "view": "/table/{match}",
}


@dataclass
class Site:
    """A site with many matches, one that is being played, and somebody who plays there."""

    app: Flask
    count: int
    match_id: int
    client: FlaskClient
    chooser: Random

    def ask(self, address: str) -> float:
        """Get a page that is rendered anew, and return how many pages' worth it is."""
        board_cache.clear()
        page = address.format(middle=self.count // 2, match=self.match_id)
        new = f"{'&' if '?' in page else '?'}new={next(_NEW)}"
        answer = self.client.get(page + new)
        assert answer.status_code == 200, page
        is_sheet = answer.mimetype == "text/csv"
        return answer.text.count("\n") / 1000 if is_sheet else 1

    def move(self) -> None:
        """Make a move, with all that it writes."""
        with self.app.app_context(), changing(self.match_id) as turn:
            waiting = [seat.number for seat in turn.seats if turn.legal(seat.number)]
            seat = self.chooser.choice(waiting)
            turn.play(seat, self.chooser.choice(turn.legal(seat)))
            driving.play_on(turn)

    def look(self) -> None:
        """Ask what is due, as the worker does several times a second."""
        watch.seconds_until_due(self.app)

    def claim(self) -> None:
        """Take on what is to be told and sent; it is as much on each site."""
        with self.app.app_context(), writing() as tx:
            due_notices.due(tx, now(), 20)
            send_queue.claim(tx, "bench", "mail", 20)

    def prune(self) -> None:
        """Forget what is old: nothing, for nothing is."""
        watch.prune(self.app)

    def start(self) -> None:
        """Start on this database, and show a page."""
        again = create_app(
            {
                "STOCKPILE_INSTANCE": self.app.config["STOCKPILE_INSTANCE"],
                "DATABASE_URL": self.app.config["DATABASE_URL"],
            }
        )
        assert again.test_client().get("/").status_code == 200
        with again.app_context():
            db.engine.dispose()

    def idle_share(self) -> float:
        """Return the share of a core, in percent, that a worker takes with nothing to do."""
        stop = threading.Event()
        worker = threading.Thread(target=watch.run, args=(self.app, stop))
        worker.start()
        time.sleep(1)
        began = time.process_time()
        time.sleep(IDLE_SECONDS)
        took = time.process_time() - began
        stop.set()
        worker.join()
        return 100 * took / IDLE_SECONDS


def main(words: list[str]) -> None:
    """Measure, print a table for each database and a line of JSON."""
    parser = argparse.ArgumentParser(prog="./run bench growth")
    parser.add_argument("--most", type=int, default=COUNTS[-1])
    parser.add_argument("--database", choices=["sqlite", "postgres"])
    asked = parser.parse_args(words)
    counts = [count for count in COUNTS if count < asked.most] + [asked.most]
    databases = [asked.database] if asked.database else ["sqlite", "postgres"]
    print(json.dumps({"growth": {name: measure(name, counts) for name in databases}}))


def measure(name: str, counts: list[int]) -> dict[str, list[float]]:
    """Measure on one database, and print a row for each thing that is done."""
    database = {"sqlite": _sites.sqlite, "postgres": _sites.postgres}[name]
    with ExitStack() as stack:
        apps = [
            stack.enter_context(_sites.site(stack.enter_context(database()), n)) for n in counts
        ]
        sites = [_site(app, count) for app, count in zip(apps, counts, strict=True)]
        clock = {"sqlite": time.process_time, "postgres": time.perf_counter}[name]
        measured = partial(_measure, clock, sites)
        head = "".join(f"{count:>11,}" for count in counts)
        print(f"{name + ', ms':32}{head}   ratio (wanted: {WANTED})", flush=True)
        found = {}
        for page, address in PAGES.items():
            found[page] = measured(page, partial(Site.ask, address=address))
        for what in (Site.move, Site.look, Site.claim, Site.prune):
            found[what.__name__] = measured(what.__name__, what)
        found["start"] = measured("start", Site.start, times=3)
        shares = found["idle, % of a core"] = [round(site.idle_share(), 2) for site in sites]
        _print("idle, % of a core", shares)
    return found


def _measure(
    clock: Callable[[], float],
    sites: list[Site],
    what: str,
    do: Callable[[Site], float | None],
    times: int = TIMES,
) -> list[float]:
    """Return the milliseconds of something on all sites, which take turns on a busy machine."""
    took: list[list[float]] = [[] for _ in sites]
    for _ in range(times + 1):
        for site, mine in zip(sites, took, strict=True):
            began = clock()
            much = do(site) or 1
            mine.append((clock() - began) * 1000 / much)
    best = [round(min(each[1:]), 2) for each in took]
    _print(what, best)
    return best


def _print(what: str, figures: list[float]) -> None:
    columns = "".join(f"{figure:11.2f}" for figure in figures)
    print(f"{what:32}{columns}{figures[-1] / max(figures[0], 0.01):8.2f}", flush=True)


def _site(app: Flask, count: int) -> Site:
    """Begin a match among some of those who have played much."""
    with app.app_context():
        people = db.session.query(User).filter(User.id <= 7 + PLAYERS, User.id >= 7).all()
        host, *others = people[:PLAYERS]
        with transaction() as connection:
            match_id = seating.create(
                connection, host, next(iter(GAMES)), PLAYERS, {},
                listed=True, pace="none", open_chat=False,
            )  # fmt: skip
        for other in others:
            with changing(match_id) as turn:
                seating.join(turn, other)
        reading().rollback()
    return Site(app, count, match_id, _sites.signed_in(app, NAME), Random(1))
