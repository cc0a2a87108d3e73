"""The real server without a proxy: strangers may do what they like, and players play on.

The bounds are generous, as other work on the machine must not break them: the server that these
tests were made for stood still for a minute, or for ever. `./run bench door` tells exact figures.
"""

import os
import re
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from http.client import HTTPConnection
from pathlib import Path

import pytest

from bench._server import Server, serving
from tests.support import door
from tests.support.live_site import wait_until

LONGEST = 5.0  # Seconds that anybody may wait.
HELD = 1.0  # Seconds for which an attack goes on.
MOST_GROWTH = 60.0  # Megabytes of both processes, caches of pages among them.

ATTACKS: dict[str, door.Attack] = {
    "lengths of 4,301 digits": door.endless_number,
    "a tab after Content-Length": door.tab,
    "3 endless chunked bodies": partial(door.chunked, count=3),
    "20 endless chunked bodies": door.chunked,
    "300 half heads": door.half_heads,
    "300 bodies, a byte a second": door.trickling,
    "2,000 silent connections": partial(door.silent, count=2000),
    "1,100 large heads": door.large_heads,
    "30 wrong passwords": door.wrong_passwords,
    "1,000 streams": door.streams,
}


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> door.Place:
    return door.Place(tmp_path_factory.mktemp("door"))


@pytest.fixture(scope="module")
def server(place) -> Iterator[Server]:
    with serving("wsgi:app", place.environ, 2) as server:
        yield server


def hold(place: door.Place, server: Server, attack: door.Attack) -> None:
    """Play on under an attack, and see that nobody waits."""
    wait_until(lambda: len(server.processes()) == 3)  # One answers before the other is there.
    processes = server.processes()
    prober = door.Prober(server.port, place.requests(server.port))
    with prober, attack(server.port):
        time.sleep(HELD)
        wait_until(lambda: all(len(times) >= 4 for times in prober.times.values()))
    assert prober.failures == []
    assert prober.longest() < LONGEST
    assert server.processes() == processes  # None was ended and begun anew.


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS.keys())
def test_players_play_on_whatever_strangers_do(place, server, attack):
    hold(place, server, attack)


def test_whoever_only_looks_goes_on_while_another_program_holds_the_database(place, server):
    @contextmanager
    def locked(port: int) -> Iterator[None]:
        file = f"{place.environ['STOCKPILE_INSTANCE']}/stockpile.db"
        move = place.people[0].send(place.tables[0], {"moves_made": "0", "move": "{}"})
        with closing(sqlite3.connect(file, isolation_level=None)) as program:
            program.execute("BEGIN IMMEDIATE")
            with door.connections(port, 20, move):
                yield

    hold(place, server, locked)


def test_memory_comes_back_after_large_heads_and_wrong_passwords(place, server):
    place.busy(server.port, 8, 1)
    before = door.memory(server)
    for attack in (door.large_heads, partial(door.wrong_passwords, count=10)):
        with attack(server.port):
            pass
    assert door.memory(server) - before < MOST_GROWTH


def test_nobody_among_many_busy_clients_waits_for_long(place, server):
    answers = place.busy(server.port, 24, 2)
    assert len(answers.times) > 24
    assert max(answers.times) < LONGEST


def test_with_few_files_the_silent_make_room_for_those_who_speak(place):
    with serving("wsgi:app", place.environ, 2, files=1024) as server:
        hold(place, server, partial(door.silent, count=2000))


def test_busy_connections_are_split_evenly_over_the_processes(place, server):
    wait_until(lambda: len(server.processes()) == 3)
    with ExitStack() as stack:
        kept = [
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=20))
            for _ in range(8)
        ]
        time.sleep(0.5)
        here = {connection.getsockname()[1] for connection in kept}
        held = [_ports_of(process, server.port) & here for process in server.processes()[1:]]
    assert sum(map(len, held)) == 8
    assert all(3 <= len(ports) <= 5 for ports in held)


def test_the_server_stops_soon_and_finishes_what_has_begun(place):
    with serving("wsgi:app", place.environ, 1) as server, ExitStack() as stack:
        opened = stack.enter_context(door.streams(server.port, 300))
        stack.enter_context(door.half_heads(server.port))
        connection = HTTPConnection("127.0.0.1", server.port, timeout=20)
        for is_last in (False, True):
            connection.request("GET", "/")
            if is_last:
                began = time.monotonic()
                server.process.terminate()
            answer = connection.getresponse()
            assert answer.status == 200 and answer.read()
        connection.close()
        server.process.wait(30)
        assert time.monotonic() - began < 5
        for stream in opened:
            heard = b""
            while more := stream.recv(65536):
                heard += more
            assert heard.endswith(b"0\r\n\r\n")


def _ports_of(process: int, port: int) -> set[int]:
    """Return the other ends of a process's connections to `port`."""
    inodes = set()
    for file in os.listdir(f"/proc/{process}/fd"):
        try:
            found = re.fullmatch(r"socket:\[(\d+)\]", os.readlink(f"/proc/{process}/fd/{file}"))
        except OSError:
            continue
        if found:
            inodes.add(found[1])
    table = Path(f"/proc/{process}/net/tcp").read_text()
    rows = [line.split() for line in table.splitlines()][1:]
    return {
        int(row[2].rpartition(":")[2], 16)
        for row in rows
        if row[9] in inodes and int(row[1].rpartition(":")[2], 16) == port
    }
