"""Pages of the archive at 100 and at 100,000 matches, on both databases: how much longer they take.

The matches are written by SQL, with states as long as real ones. A page is asked for in this
process; its time is the shortest of some, with all that Flask and the template take. At 100 some
searches find less to show: of what is rare, nothing.
"""

import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from flask import Flask, Response, session
from flask.testing import FlaskClient
from sqlalchemy import text

from stockpile_web import create_app
from stockpile_web.storage.database import db
from stockpile_web.storage.models import User
from stockpile_web.storage.schema import migrate
from stockpile_web.storage.transactions import transaction
from stockpile_web.web import auth
from tests.support import many_matches, pgtest
from tests.support.many_matches import COMMON, FIRST, RARE

COUNTS = (100, 100_000)
TIMES = 20
NAME = "person7"  # One of 200: at 100,000 matches they have sat at 2,000.

PAGES = {
    "newest": "/archive",
    "closest": "/archive?order=closest",
    "in the midst": "/archive?order=longest&after={middle}",
    "a game and its rule": f"/archive?game={FIRST}&rule={COMMON}&order=highest",
    "a rule hardly played": f"/archive?game={FIRST}&rule={RARE}&order=closest",
    "nothing found": "/archive?players=2&order=longest",
    "a day, longest": "/archive?from=2020-01-01&to=2020-01-01&order=longest",
    "a player": f"/archive?player={NAME}&order=closest",
    "mine with a player": "/archive?mine=1&player=person20&order=longest",
    "feed": "/feed.atom",
    "feed of a player": f"/people/{NAME}/feed.atom",
    "my tables": "/tables",
    "tables open to all": "/tables/listed",
    "spreadsheet": "/archive.csv",
}


def main(words: list[str]) -> None:
    """Measure, print a table and a line of JSON."""
    print(json.dumps(measure()))


def measure() -> dict[str, Any]:
    """Measure on each database, and print a row for each page."""
    found = {}
    for name, database in (("sqlite", _sqlite), ("postgres", _postgres)):
        with ExitStack() as open_sites:
            clients = {}
            for count in COUNTS:
                app = open_sites.enter_context(_site(open_sites.enter_context(database()), count))
                clients[count] = _signed_in(app)
            print(f"{name:24}{COUNTS[0]:>10,} ms{COUNTS[1]:>10,} ms   ratio", flush=True)
            found[name] = {
                page: _measure(page, address, clients) for page, address in PAGES.items()
            }
    return {"archive": found}


def _measure(page: str, address: str, clients: dict[int, FlaskClient]) -> list[float]:
    """Return the milliseconds of a page on both sites, which take turns on a busy machine."""
    times: dict[int, list[float]] = {count: [] for count in clients}
    for _ in range(TIMES + 1):
        for count, client in clients.items():
            times[count].append(_time_of(client, address.format(middle=count // 2)))
    few, many = (round(min(each[1:]), 2) for each in times.values())
    print(f"{page:24}{few:13.1f}{many:13.1f}{many / few:8.2f}", flush=True)
    return [few, many]


def _time_of(client: FlaskClient, address: str) -> float:
    began = time.perf_counter()
    answer = client.get(address)
    took = (time.perf_counter() - began) * 1000
    assert answer.status_code == 200, address
    return took


@contextmanager
def _site(url: str, count: int) -> Iterator[Flask]:
    with tempfile.TemporaryDirectory() as folder:
        app = create_app(
            {"STOCKPILE_INSTANCE": folder, "DATABASE_URL": url, "SQLITE_SYNCHRONOUS": "OFF"}
        )
        migrate(app)
        with app.app_context():
            with transaction() as connection:
                many_matches.fill(connection, count)
            if db.engine.dialect.name == "postgresql":  # As autovacuum does, before long.
                with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as own:
                    own.execute(text("VACUUM"))
        yield app
        with app.app_context():
            db.engine.dispose()


def _signed_in(app: Flask) -> FlaskClient:
    """Return a browser in which somebody is signed in who has played a great deal."""
    with app.test_request_context():
        auth.sign_in(db.session.query(User).filter_by(name=NAME).one())
        answer = Response()
        app.session_interface.save_session(app, session, answer)
    client = app.test_client()
    cookie = answer.headers["Set-Cookie"].split(";")[0]
    client.set_cookie("session", cookie.removeprefix("session="))
    return client


@contextmanager
def _sqlite() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield f"sqlite:///{folder}/bench.db"


@contextmanager
def _postgres() -> Iterator[str]:
    with pgtest.server() as server:
        yield server.create("bench")
