"""Ten tables of bots that think: how soon each moves, and how long a request takes meanwhile.

One person sits at each of them and moves at once. Others look and play at other tables, at a steady
pace. Bursts in which no bot is due alternate with those in which all ten tables go on. How soon a
bot moves counts from the move before, with the pause that a bot makes for people to see it.
Options: --bursts (of each kind), --seconds (of a burst), --thinkers (one server for each).
"""

import argparse
import json
import os
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from functools import partial
from itertools import chain, cycle, pairwise
from random import Random

from flask import Flask
from sqlalchemy import select, update

from bench import _seed as seed
from bench._load import Answers, drive, now_and_then
from bench._server import Server, serving
from stockpile_web import create_app
from stockpile_web.games import GAMES
from stockpile_web.match import driving, seating
from stockpile_web.match.turn import changing
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Move, Seat, User
from stockpile_web.storage.models.matches import BOT
from stockpile_web.storage.schema import migrate
from stockpile_web.storage.transactions import reading, transaction
from stockpile_web.worker.fork import fork

TABLES = 10
SEATS = 4
PLAYED = 16  # Other tables, at which people play.
LOOKING = 4  # Clients who look; one more moves.
PAUSE = 0.02  # Between an answer and the next request: some two hundred requests a second in all.
REST = 1.0  # Until what was begun is finished.
NEVER = timedelta(days=1000)


class BotTables:
    """Tables at which one person sits with bots, let go and stopped together."""

    def __init__(self, app: Flask, host_id: int) -> None:
        self._app = app
        self._host_id = host_id
        self._chooser = Random(1)
        self._slug, self._bot = next(
            (slug, key)
            for slug, game in GAMES.items()
            for key, bot in game.BOTS.items()
            if bot.thinks
        )

    @contextmanager
    def playing(self) -> Iterator[list[int]]:
        """Let ten tables go on for the length of the block; give their numbers."""
        with self._app.app_context():
            numbers = [self._begin_one() for _ in range(TABLES)]
            db.engine.dispose()  # A connection is of no use to another process.
        host = fork(partial(self._play, numbers))  # It takes nothing from those who measure.
        try:
            yield numbers
        finally:
            os.kill(host, signal.SIGTERM)
            os.waitpid(host, 0)
            self._stop()

    def waits(self, numbers: list[int]) -> list[float]:
        """Return how many seconds after the move before it each move of a bot was made."""
        made = select(Move.made_at, Move.made_by).order_by(Move.number)
        with self._app.app_context():
            tables = [
                reading().execute(made.where(Move.match_id == number)).all() for number in numbers
            ]
        return [
            (this.made_at - before.made_at).total_seconds()
            for moves in tables
            for before, this in pairwise(moves)
            if this.made_by == BOT
        ]

    def _begin_one(self) -> int:
        host = db.session.get_one(User, self._host_id)
        with transaction() as connection:
            match_id = seating.create(
                connection, host, self._slug, SEATS, {}, listed=True, pace="none", open_chat=False
            )
        with changing(match_id) as turn:
            seating.start_with_bots(turn, self._bot)
        return match_id

    def _play(self, numbers: list[int]) -> None:
        """Let the person move wherever they are asked, until this process is ended."""
        asked = select(Seat.match_id, Seat.number).where(
            Seat.match_id.in_(numbers), Seat.on_turn, Seat.user_id == self._host_id
        )
        while True:
            time.sleep(PAUSE)
            with self._app.app_context():
                waiting = reading().execute(asked).all()
                reading().rollback()
                for match_id, seat in waiting:
                    with changing(match_id) as turn:
                        turn.play(seat, self._chooser.choice(turn.legal(seat)))
                        driving.play_on(turn)

    def _stop(self) -> None:
        """Let no bot be due any more."""
        due = update(Seat).where(Seat.acts_at.is_not(None))
        for _ in range(2):  # Once more for those who thought meanwhile.
            with self._app.app_context(), transaction() as connection:
                connection.execute(due.values(acts_at=now() + NEVER))
            time.sleep(REST)


class People:
    """Those who look and play at other tables meanwhile."""

    def __init__(self, app: Flask, people: list[seed.Person]) -> None:
        tables = seed.seat(app, people, PLAYED)
        self._moves = chain.from_iterable(seed.requests(app, people, each) for each in tables)
        self._looks = [p.look(table) for table in tables for p in (*people, seed.STRANGER)]

    def ask(self, port: int, seconds: float) -> tuple[Answers, Answers]:
        """Look and move for a while; return how long the answers to each took."""
        done = threading.Event()
        looks = [cycle(self._looks[first::LOOKING]) for first in range(LOOKING)]
        with ThreadPoolExecutor(LOOKING + 1) as clients:
            looked = [clients.submit(self._send, port, each, done) for each in looks]
            moved = clients.submit(self._send, port, self._moves, done)
            time.sleep(seconds)
            done.set()
        times = [took for each in looked for took in each.result().times]
        return Answers(seconds, times), moved.result()

    def _send(self, port: int, script: Iterator[bytes], done: threading.Event) -> Answers:
        return drive(port, [now_and_then(script, PAUSE, done)])


class Site:
    """A server with so many processes in which bots think, its people, and what was measured."""

    def __init__(self, folder: str, thinkers: str) -> None:
        self.environ = {"STOCKPILE_INSTANCE": folder, "THINKERS": thinkers, "WORKER": "on"}
        app = create_app({**self.environ, "SQLITE_SYNCHRONOUS": "OFF"})
        migrate(app)
        persons = seed.sign_in(app, seed.SEATS)
        self.people, self.bots = People(app, persons), BotTables(app, persons[0].user_id)
        self.answers: dict[str, list[float]] = {}
        self.waits: list[float] = []

    def burst(self, server: Server, seconds: float) -> None:
        """Let people ask while no bot is due, then while all ten tables go on."""
        self._note("idle", self.people.ask(server.port, seconds))
        with self.bots.playing() as numbers:
            self._note("bots think", self.people.ask(server.port, seconds))
        self.waits += self.bots.waits(numbers)

    def figures(self) -> dict[str, float]:
        """Return how long all took, in milliseconds."""
        times = {**self.answers, "a bot moves": self.waits}
        return {
            f"{kind}, {name}": Answers(0, each).within(share)
            for kind, each in times.items()
            for name, share in (("p50", 0.5), ("p99", 0.99), ("longest", 1))
        }

    def _note(self, when: str, heard: tuple[Answers, Answers]) -> None:
        for kind, each in zip(("look", "move"), heard, strict=True):
            self.answers.setdefault(f"{kind}, {when}", []).extend(each.times)


def main(words: list[str]) -> None:
    """Measure, print a table and a line of JSON."""
    parser = argparse.ArgumentParser(prog="./run bench thinking")
    parser.add_argument("--bursts", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--thinkers", nargs="+", default=["0", "auto"])
    asked = parser.parse_args(words)
    with ExitStack() as stack:
        sites = [
            Site(stack.enter_context(tempfile.TemporaryDirectory()), thinkers)
            for thinkers in asked.thinkers
        ]
        servers = [stack.enter_context(serving("wsgi:app", site.environ)) for site in sites]
        for site, server in zip(sites, servers, strict=True):
            site.people.ask(server.port, 2)  # The first ones compile templates.
        for _ in range(asked.bursts):
            for site, server in zip(sites, servers, strict=True):
                site.burst(server, asked.seconds)
        memory = [server.memory() for server in servers]
    found = [
        {**site.figures(), "moves of bots": len(site.waits), "MB": mb}
        for site, mb in zip(sites, memory, strict=True)
    ]
    print(f"{'ms':28}" + "".join(f"{'THINKERS=' + each:>16}" for each in asked.thinkers))
    for name in found[0]:
        print(f"{name:28}" + "".join(f"{each[name]:16}" for each in found))
    print(json.dumps({"thinking": dict(zip(asked.thinkers, found, strict=True))}))
