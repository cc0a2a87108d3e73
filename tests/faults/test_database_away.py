"""The real server while Postgres restarts or is not there: kind words, and all comes back."""

import os
import re
import socket
import subprocess
import sys
import time
from itertools import count, repeat
from pathlib import Path

import pytest
from sqlalchemy import select

from bench._server import serving
from stockpile_web import create_app
from stockpile_web.settings import ROOT
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import User
from stockpile_web.storage.transactions import writing
from tests.faults.clients import Client, Place, ask, asking, environ_of
from tests.support import pgtest
from tests.support.live_site import free_port, wait_until
from tests.support.postbox import Postbox

pytestmark = pytest.mark.long

AWAY = 5.0  # Seconds.
SOON = 30.0  # Generous: by then all has come back. Leases last for minutes.


def give_addresses(place: Place) -> None:
    """Let everybody be told by mail that it is their turn."""
    app = create_app(place.environ)
    with app.app_context():
        with writing() as tx:
            for user in tx.scalars(select(User)):
                user.email, user.email_confirmed_at = f"{user.id}@example.org", now()
        db.engine.dispose()
    app.extensions["versions"].close()


def hears(stream: socket.socket, words: bytes, seconds: float) -> bool:
    """Tell whether a stream brings these words in time."""
    deadline, heard = time.monotonic() + seconds, b""
    while words not in heard and (left := deadline - time.monotonic()) > 0:
        stream.settimeout(left)
        try:
            more = stream.recv(65536)
        except TimeoutError:
            return False
        if not more:
            return False
        heard += more
    return words in heard


def test_while_postgres_restarts_pages_say_so_and_then_all_comes_back_by_itself(
    mortal: pgtest.Server, tmp_path: Path, postbox: Postbox, capfd: pytest.CaptureFixture[str]
) -> None:
    site = {**environ_of(tmp_path, mortal.create("games")), **postbox.settings(), "WORKER": "on"}
    place = Place(site)
    give_addresses(place)
    first, second, *_ = place.tables
    with serving("wsgi:app", place.environ, 2) as server:
        port = server.port
        moves = iter(place.moves[first])
        assert ask(port, next(moves)).status == 200
        wait_until(lambda: len(postbox.mails) > 0, SOON)
        fresh = (place.get(f"/table/{second}?look={number}") for number in count())
        said = (place.post(f"/table/{first}/chat", text=f"Hello {number}") for number in count())
        clients = [
            Client(port, repeat(place.get("/static/site.css"))),
            Client(port, fresh),
            Client(port, repeat(place.get("/tables/listed"))),
            Client(port, said),
            *(Client(port, repeat(place.moves[second][0])) for _ in range(6)),
        ]
        stream = socket.create_connection(("127.0.0.1", port))
        stream.sendall(place.get(f"/table/{first}/events"))
        assert hears(stream, b"event: state", SOON)
        capfd.readouterr()
        with asking(clients):
            time.sleep(1)
            mortal.program.stop()
            time.sleep(AWAY)
            mortal.program.start()
            time.sleep(AWAY)
        files, *others = clients
        assert files.statuses == {200}
        assert all(client.statuses <= {200, 303, 503} for client in others)
        assert all(503 in client.statuses for client in others)
        assert all(client.answers[-1].status in (200, 303) for client in others)
        away = next(a for a in others[2].answers if a.status == 503)
        assert "Retry-After" in away.head and b"Send it again" in away.body

        seen = len(postbox.mails)
        for _ in range(3):  # Somebody is asked by one of them.
            assert ask(port, next(moves)).status == 200
        assert hears(stream, b"event: ", SOON)
        wait_until(lambda: len(postbox.mails) > seen, SOON)
        stream.close()
        logged = [capfd.readouterr().err]

        def has_ended() -> bool:
            logged.append(capfd.readouterr().err)
            return "The database answers again" in "".join(logged)

        wait_until(has_ended, SOON)
        logged.append(capfd.readouterr().err)
    log = "".join(logged)
    assert "Traceback" not in log
    lines = [line for line in log.splitlines() if line]
    # Two processes that serve, each with its pages, cache and perhaps live updates; and the worker.
    assert len(lines) <= 16, log
    assert re.search("The database cannot be reached", log)
    assert re.search("The database answers again", log)


def test_without_its_database_the_server_does_not_start_and_says_why_in_one_line(
    tmp_path: Path,
) -> None:
    secret = "not-for-the-log"
    where = f"postgresql://me:{secret}@127.0.0.1:{free_port()}/games"
    started = subprocess.run(
        [sys.executable, "-m", "stockpile_web.cli", "serve", "--port", str(free_port())],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environ_of(tmp_path, where)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert started.returncode == 1
    (line,) = started.stderr.strip().splitlines()
    assert line.startswith("run: The database cannot be opened: ")
    assert secret not in started.stderr
