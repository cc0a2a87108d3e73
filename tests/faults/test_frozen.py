"""The real server while Postgres takes everything and answers nothing: stopped, or its disk is."""

import time
from functools import partial
from itertools import count, repeat
from pathlib import Path

import pytest

from bench._server import serving
from tests.faults.clients import Client, Place, ask, asking, environ_of
from tests.support import pgtest
from tests.support.live_site import wait_until

pytestmark = pytest.mark.long

FROZEN = 20.0  # Seconds.
# Suspicion, a connection that is tried, and another that whoever asks next tries.
LONGEST = 8.0
SLACK = 3.0  # What a busy machine may add, measured by answers that wait for nothing.
SOON = 30.0


def is_well(client: Client) -> bool:
    return client.answers[-1].status in (200, 303)


def is_done(port: int, move: bytes) -> bool:
    return ask(port, move).status == 200


def test_whoever_waits_for_a_postgres_that_says_nothing_is_told_soon_and_all_comes_back(
    mortal: pgtest.Server, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    place = Place({**environ_of(tmp_path, mortal.create("games")), "WORKER": "on"})
    first, second, *_ = place.tables
    with serving("wsgi:app", place.environ, 2) as server:
        port = server.port
        before = server.processes()
        fresh = [(place.get(f"/table/{second}?look={n}") for n in count(s, 3)) for s in range(3)]
        said = place.post(f"/table/{first}/chat", text="Hello")
        # The same move again and again, as people do: whether it counts is asked below.
        moving = [Client(port, repeat(place.moves[second][0])) for _ in range(6)]
        clients = [
            Client(port, repeat(place.get("/static/site.css"))),
            *moving,
            *(Client(port, some) for some in fresh),
            *(Client(port, repeat(place.get("/tables/listed"))) for _ in range(3)),
            *(Client(port, repeat(said)) for _ in range(2)),
        ]
        talking = [client for client in clients if client not in moving]
        capfd.readouterr()
        with asking(clients):
            time.sleep(2)  # Pools are full.
            with mortal.program.frozen():
                time.sleep(FROZEN)
            wait_until(lambda: all(map(is_well, talking)), SOON)
        files, *others = clients
        assert files.statuses == {200}
        slack = min(SLACK, files.longest)
        for client in others:
            assert client.statuses <= {200, 303, 503}
            assert 503 in client.statuses
            assert client.longest < LONGEST + slack
        wait_until(lambda: ask(port, place.get("/ready")).status == 200, SOON)
        assert server.processes()[:3] == before[:3]
        for table in (first, second):
            for move in place.moves[table][:3]:
                wait_until(partial(is_done, port, move), SOON)
        assert "Traceback" not in capfd.readouterr().err
