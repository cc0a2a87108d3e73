"""The gunicorn worker: who asks about a table is answered where it is heard; nobody has to wait."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from gunicorn.workers.gthread import ThreadWorker

from stockpile_web import serving as serving_
from stockpile_web.serving import (
    AT_ONCE,
    HUNG_UP,
    PROCESSES,
    Server,
    can_be_sent,
    forget,
    is_quick,
)
from tests.support import live_app
from tests.support.live_site import Site, serving

THREADS = 2
HEAD = b"Host: localhost\r\nAccept-Encoding: gzip, br\r\n"
TABLE = b"GET /table/1/thread HTTP/1.1\r\n" + HEAD + b"\r\n"
ELSEWHERE = b"GET /thread HTTP/1.1\r\n" + HEAD + b"\r\n"
MOVE = b"POST /table/1/thread HTTP/1.1\r\n" + HEAD + b"Content-Length: 9\r\n\r\nmove=sell"


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    url = f"sqlite:///{tmp_path_factory.mktemp('serving')}/live.db"
    live_app.create_tables(url)
    site = Site(url, threads=THREADS)
    with serving(site):
        yield site


@pytest.fixture
def call(site) -> Iterator:
    """Opens connections, which the end of the test closes."""
    with ExitStack() as room:

        def call() -> socket.socket:
            address = ("127.0.0.1", site.port)
            return room.enter_context(socket.create_connection(address, timeout=20))

        yield call


def answer(connection: socket.socket, request: bytes) -> bytes:
    """Send a request and return the body of its answer."""
    connection.sendall(request)
    heard = b""
    while not heard.endswith(b"."):
        more = connection.recv(65536)
        assert more, heard
        heard += more
    return heard.partition(b"\r\n\r\n")[2]


@pytest.mark.parametrize("request_", [TABLE, MOVE], ids=["look", "move"])
def test_what_is_asked_of_a_table_is_answered_by_the_thread_that_hears_it(call, request_):
    connection = call()
    for _ in range(3):
        assert answer(connection, request_) == b"MainThread."


def test_anything_else_is_left_to_the_other_threads(call):
    assert answer(call(), ELSEWHERE).startswith(b"ThreadPool")


def test_a_request_that_comes_in_pieces_keeps_nobody_waiting(call):
    slow, other = call(), call()
    for piece in (MOVE[:20], MOVE[20:-5]):
        slow.sendall(piece)
        assert answer(other, TABLE) == b"MainThread."
    assert answer(slow, MOVE[-5:]).startswith(b"ThreadPool")


def test_whoever_has_connected_and_says_nothing_takes_no_thread(call):
    began = time.monotonic()
    for _ in range(THREADS + 3):
        call()
    assert answer(call(), ELSEWHERE).startswith(b"ThreadPool")
    assert time.monotonic() - began < 4  # gunicorn's own threads would wait for them for 5 s.


def test_whoever_does_not_read_answers_keeps_nobody_waiting(call):
    deaf, other = call(), call()
    large = b"GET /table/1/thread?bytes=100000 HTTP/1.1\r\n" + HEAD + b"\r\n"
    for _ in range(20):
        deaf.sendall(large)
        for _ in range(2):  # With the second one, the large one has been heard for certain.
            assert answer(other, TABLE) == b"MainThread."


def test_there_is_room_for_an_answer_once_earlier_ones_are_taken():
    here, there = socket.socketpair()
    with here, there:
        assert can_be_sent(here)
        here.setblocking(False)
        with pytest.raises(BlockingIOError):
            while True:
                here.send(bytes(1000))
        assert not can_be_sent(here)
        while not can_be_sent(here):
            assert there.recv(100_000)


def test_two_requests_at_once_on_one_connection_are_both_answered(call):
    connection = call()
    connection.sendall(TABLE + TABLE)
    heard = b""
    while heard.count(b"Thread") < 2:
        heard += connection.recv(65536)


@pytest.mark.parametrize(
    "request_",
    [
        b"?",
        TABLE[:-1],
        MOVE[:-1],
        ELSEWHERE,
        TABLE.replace(b"gzip", b"zip"),
        TABLE.replace(b"Host", b"GET /table/1 HTTP/1.1\r\nHost").replace(b"/table/1/", b"/"),
        MOVE.replace(b"Content-Length: 9", b"Transfer-Encoding: chunked"),
        MOVE.replace(b"Host", b"expect: 100-continue\r\nHost"),
        TABLE.replace(b"Host", b"Upgrade: h2c\r\nHost"),
        b"\x16\x03\x01" + bytes(range(256)),
    ],
)
def test_what_might_take_a_while_is_not_quick(request_):
    assert is_quick(TABLE) and is_quick(MOVE) and is_quick(HUNG_UP)
    assert not is_quick(request_)


@pytest.fixture
def worker(monkeypatch):
    """A process of age 1 that accepts from a list, without gunicorn."""
    loads = [0] * PROCESSES

    def accept(worker, waiting):
        if waiting:
            worker.nr_conns += 1
            waiting.pop()

    monkeypatch.setattr(ThreadWorker, "accept", accept)
    monkeypatch.setattr(serving_, "_loads", loads)
    worker = object.__new__(Server)
    worker.age, worker.nr_conns, worker.loads = 1, 0, loads
    return worker


@pytest.mark.parametrize(
    ("waiting", "taken"), [(0, 0), (5, 5), (AT_ONCE * 2, AT_ONCE)], ids=["none", "some", "many"]
)
def test_all_who_have_come_are_taken_at_once_but_not_for_ever(worker, waiting, taken):
    worker.accept(list(range(waiting)))
    assert worker.nr_conns == taken


def test_a_process_with_fewer_connections_is_waited_for(worker, monkeypatch):
    worker.nr_conns, worker.loads[2], waits = 3, 2 + 1, []

    def sleep(seconds):
        waits.append(seconds)
        worker.loads[2] += len(waits) > 4  # The other one has accepted.

    monkeypatch.setattr(time, "sleep", sleep)
    worker._let_others_be_first()
    assert len(waits) == 5


def test_a_process_that_does_not_come_is_not_waited_for_long(worker):
    worker.nr_conns, worker.loads[2] = 3, 1
    worker._let_others_be_first()
    worker.accept([1])
    assert worker.nr_conns == 4


def test_a_process_that_has_ended_is_not_waited_for(worker, monkeypatch):
    worker.nr_conns, worker.loads[2] = 3, 1
    forget(2)
    monkeypatch.setattr(time, "sleep", lambda seconds: pytest.fail("it waited"))
    worker._let_others_be_first()
