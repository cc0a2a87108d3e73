"""Serving and caching together, on the real server with two processes.

Nobody is shown an old board, or anybody else's.
"""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench import _seed as seed
from bench._load import ask
from bench._server import Server, serving
from stockpile_web import create_app
from stockpile_web.storage.database import db
from stockpile_web.storage.schema import migrate
from tests.support import pgtest

MOVES = 12
MARK = re.compile(r'data-version="(\d+)\.\d+"')


class Site:
    """A table of three in mid-game, the moves to come, and the server that shows it."""

    def __init__(self, environ: dict[str, str]) -> None:
        self.environ = environ
        app = create_app({**environ, "SQLITE_SYNCHRONOUS": "OFF"})
        migrate(app)
        self.people = seed.sign_in(app, 3)
        (self.table,) = seed.seat(app, self.people, 1)
        self.moves = seed.requests(app, self.people, self.table)
        with app.app_context():
            db.engine.dispose()


@pytest.fixture(params=["sqlite", "postgres"])
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Site:
    environ = {"STOCKPILE_INSTANCE": str(tmp_path), "SITE_URL": "", "WORKER": "off"}
    if request.param == "postgres":
        postgres: pgtest.Server = request.getfixturevalue("postgres")
        environ["DATABASE_URL"] = postgres.create(f"caching_{tmp_path.name[-20:]}".lower())
    return Site(environ)


@pytest.fixture
def server(site: Site) -> Iterator[Server]:
    with serving("wsgi:app", site.environ, 2) as server:
        yield server


def shown(server: Server, person: seed.Person, table: int) -> str:
    """Return the board that somebody is shown over a new connection, by either process."""
    head, body = ask(server.port, person.look(table))
    return (gzip.decompress(body) if b"gzip" in head else body).decode()


def version(board: str) -> int:
    found = MARK.search(board)
    assert found, board[:200]
    return int(found[1])


def test_whoever_looks_after_a_move_sees_it_from_whichever_process(
    site: Site, server: Server
) -> None:
    viewers = [*site.people, seed.STRANGER]
    before = version(shown(server, seed.STRANGER, site.table))
    for number, move in enumerate(site.moves[:MOVES], start=1):
        ask(server.port, move)
        for viewer in viewers * 2:  # The second time from a cache, as far as there is one.
            assert version(shown(server, viewer, site.table)) == before + number


def test_everybody_is_shown_their_own_board_however_often_they_ask(
    site: Site, server: Server
) -> None:
    boards = [shown(server, person, site.table) for person in (*site.people, seed.STRANGER)]
    assert len(set(boards)) == len(boards)
    for _ in range(3):
        again = [shown(server, person, site.table) for person in (*site.people, seed.STRANGER)]
        assert again == boards
