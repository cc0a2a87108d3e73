"""How long a turn in a field of fourteen low cards takes to build: each answer, and the last.

Such a field has thousands of harvests and stockpiles. Every step asks the site for the table anew.
"""

import json
import re
from html import unescape
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from flask import Flask
from flask.testing import FlaskClient

from stockpile_web import create_app
from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from stockpile_web.games.illimat.fields import Item
from stockpile_web.storage.models import Match
from stockpile_web.storage.schema import migrate
from stockpile_web.storage.transactions import writing

TARGET = 20  # Milliseconds.
TIMES = 15
CARDS = [f"{suit}{rank}" for rank in "2345" for suit in ("Sp", "Su", "Au", "Wi")][:14]
HAND = ["St10", "StQ", "StK", "StF"]
HTMX = {"HX-Request": "true"}


def table(app: Flask) -> tuple[str, FlaskClient]:
    """Seat two, and lay fourteen cards into the Summer field; return where, and who is on turn."""
    players = {}
    for name in ("ann", "bob"):
        players[name] = app.test_client()
        players[name].post("/sign-up", data={"name": name, "password": "correct horse"})
    form = {"game": "illimat", "size": "2", "pace": "day", "listed": "on"}
    address = players["ann"].post("/tables/new", data=form).location
    players["bob"].post(f"{address}/seating", data={"do": "join"})
    with app.app_context(), writing() as session:
        match = session.get_one(Match, int(address.rsplit("/", 1)[1]))
        state = codec.load(GAMES["illimat"].State, match.state)
        state.fields[state.summer].items = [Item((card,)) for card in CARDS]
        state.hand()[:] = HAND
        match.state = codec.dump(state)
        name = next(seat.name for seat in match.seats if seat.number == state.turn.seat)
    return address, players[name]


def asked(player: FlaskClient, address: str) -> tuple[float, str]:
    """Return how long an answer takes in milliseconds, and what it is."""
    times, text = [], ""
    for _ in range(TIMES):
        before = perf_counter()
        text = player.get(address, headers=HTMX).text
        times.append(perf_counter() - before)
    return median(times) * 1000, text


def turns(player: FlaskClient, address: str) -> dict[str, list[float]]:
    """Build each turn that can be begun as far as it goes; return how long its answers took."""
    page = player.get(address, headers=HTMX).text
    found = {}
    for first in further(page, address):
        here, times = first, []
        while here:
            took, page = asked(player, here)
            times.append(took)
            here = next(iter(further(page, here)), "")
        found[unescape(first)[-60:]] = times
    return found


def further(page: str, address: str) -> list[str]:
    """Return the links of a page that take a step more."""
    links = {unescape(link) for link in re.findall(r'hx-get="([^"]+step=[^"]+)"', page)}
    return sorted(link for link in links if link.count("step=") == address.count("step=") + 1)


def main(_words: list[str]) -> None:
    """Measure, print a table and a line of JSON."""
    with TemporaryDirectory() as folder:
        settings = {"STOCKPILE_INSTANCE": folder, "SECRET_KEY": "bench", "WTF_CSRF_ENABLED": False}
        app = create_app({**settings, "DATABASE_URL": f"sqlite:///{Path(folder) / 'bench.db'}"})
        migrate(app)
        address, player = table(app)
        found = turns(player, address)
    answers = [took for times in found.values() for took in times]
    print(f"{len(found)} turns begun, {len(answers)} answers, each the median of {TIMES}\n")
    figures = {"median": round(median(answers), 1), "slowest": round(max(answers), 1)}
    for name, took in figures.items():
        print(f"{name:10}{took:7.1f} ms")
    print(f"target: under {TARGET} ms: {'reached' if figures['slowest'] < TARGET else 'missed'}")
    print(json.dumps(figures))
