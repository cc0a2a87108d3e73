"""Our gunicorn worker under the real gunicorn: HTTP as clients speak it."""

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.support import live_app
from tests.support.live_site import Site, serving

THREADS = 2
THREAD = re.compile(rb"(?:read|write)-\d")  # Its name, which is said in the answer.
HEAD = b"Host: localhost\r\n"
LOOK = b"GET /thread HTTP/1.1\r\n" + HEAD + b"\r\n"
MOVE = b"POST /thread HTTP/1.1\r\n" + HEAD + b"Content-Length: 9\r\n\r\nmove=sell"
OLD = b"GET /thread HTTP/1.0\r\n" + HEAD


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    url = f"sqlite:///{tmp_path_factory.mktemp('server')}/live.db"
    live_app.create_tables(url)
    site = Site(url, threads=THREADS)
    with serving(site):
        yield site


@pytest.fixture
def call(site) -> Iterator[Callable[[], socket.socket]]:
    """Opens connections, which the end of the test closes."""
    with ExitStack() as room:

        def call() -> socket.socket:
            address = ("127.0.0.1", site.port)
            return room.enter_context(socket.create_connection(address, timeout=20))

        yield call


def answers(connection: socket.socket, request: bytes, count: int = 1) -> bytes:
    """Send a request and read until `count` bodies, each of which ends with a dot, have come."""
    connection.sendall(request)
    heard = b""
    # The cheap question first: of a long answer that is read slowly the server would despair.
    while not heard.endswith(b".") or len(THREAD.findall(heard)) < count:
        more = connection.recv(65536)
        assert more, heard
        heard += more
    return heard


def rest(connection: socket.socket) -> bytes:
    """Read until the server hangs up."""
    heard = b""
    while more := connection.recv(65536):
        heard += more
    return heard


def test_requests_that_come_in_pieces_or_together_are_answered_in_order(call):
    connection = call()
    for piece in (MOVE[:20], MOVE[20:-5]):
        connection.sendall(piece)
        assert b"read-" in answers(call(), LOOK)
    assert b"HTTP/1.1 200" in answers(connection, MOVE[-5:])
    assert answers(connection, LOOK + MOVE + LOOK, 3).count(b"HTTP/1.1 200") == 3


def test_whoever_has_connected_and_says_nothing_takes_no_thread(call):
    for _ in range(THREADS + 3):
        call()
        call().sendall(LOOK[:10])
    assert b"read-" in answers(call(), LOOK)


def test_whoever_does_not_read_answers_keeps_nobody_waiting_and_gets_them_whole(call):
    deaf = [call() for _ in range(THREADS + 1)]
    for connection in deaf:
        connection.sendall(b"GET /thread?bytes=9000000 HTTP/1.1\r\n" + HEAD + b"\r\n")
    assert b"read-" in answers(call(), LOOK)
    for connection in deaf:
        assert len(answers(connection, b"")) > 9_000_000
        assert b"read-" in answers(connection, LOOK)


@pytest.mark.parametrize(
    ("request_", "connection_", "is_kept"),
    [
        (LOOK, b"keep-alive", True),
        (LOOK.replace(b"Host", b"Connection: close\r\nHost"), b"close", False),
        (OLD + b"\r\n", b"close", False),
        (OLD + b"Connection: keep-alive\r\n\r\n", b"keep-alive", True),
    ],
)
def test_a_connection_is_kept_if_both_sides_like(call, request_, connection_, is_kept):
    connection = call()
    assert b"Connection: %b\r\n" % connection_ in answers(connection, request_)
    if is_kept:
        assert answers(connection, LOOK)
    else:
        assert rest(connection) == b""


def test_asking_for_the_head_alone_gives_no_body(call):
    connection = call()
    connection.sendall(LOOK.replace(b"GET", b"HEAD"))
    heard = connection.recv(65536)
    assert heard.endswith(b"\r\n\r\n") and b"Content-Length" in heard
    assert answers(connection, LOOK).count(b"HTTP/1.1 200") == 1


def test_whoever_expects_a_word_gets_it_and_then_the_answer(call):
    connection = call()
    connection.sendall(MOVE[:-9].replace(b"Host", b"Expect: 100-continue\r\nHost"))
    assert connection.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
    heard = answers(connection, MOVE[-9:])
    assert heard.startswith(b"HTTP/1.1 200") and b"100" not in heard.partition(b"\r\n\r\n")[0]


@pytest.mark.parametrize(
    ("status", "request_"),
    [
        (400, b"POST / HTTP/1.1\r\nContent-Length: " + b"9" * 4301 + b"\r\n\r\n"),
        (400, b"\x16\x03\x01\r\n\r\n"),
        (411, b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n"),
        (413, b"POST / HTTP/1.1\r\nContent-Length: 100000\r\n\r\n" + b"x" * 90_000),
        (431, b"GET / HTTP/1.1\r\n" + b"A: xxxxxxxx\r\n" * 4000),
    ],
)
def test_what_is_refused_is_answered_and_the_connection_closed(call, status, request_):
    connection = call()
    connection.sendall(request_)
    assert rest(connection).startswith(b"HTTP/1.1 %d " % status)


def test_an_error_of_the_application_is_answered_and_logged(call):
    assert b"500" in answers_anything(call(), b"GET /thread?bytes=x HTTP/1.1\r\n" + HEAD + b"\r\n")


def answers_anything(connection: socket.socket, request: bytes) -> bytes:
    connection.sendall(request)
    return connection.recv(65536)


def test_streams_work_without_our_worker_too(tmp_path):
    """gunicorn's own threads are the way to do without our worker."""
    url = f"sqlite:///{tmp_path}/live.db"
    live_app.create_tables(url)
    site = Site(url, options=("--worker-class", "gthread"))
    with serving(site), socket.create_connection(("127.0.0.1", site.port), timeout=20) as viewer:
        viewer.sendall(b"GET /table/1/events HTTP/1.1\r\n" + HEAD + b"\r\n")
        heard = b""
        while b"data: 0.0" not in heard:
            heard += viewer.recv(4096)
        site.move(1)
        while b"data: 1.0" not in heard:
            heard += viewer.recv(4096)
