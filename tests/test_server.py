"""Our gunicorn worker: bytes become whole requests, and connections are split fairly."""

import ast
import inspect
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from importlib import import_module

import pytest
from gunicorn.config import Config
from gunicorn.http.errors import InvalidHeader, InvalidRequestLine, LimitRequestHeaders

from stockpile_web.server import balance, listeners
from stockpile_web.server.balance import SLOTS, Balance
from stockpile_web.server.connection import LARGEST_HEAD, Connection, Refused
from stockpile_web.server.listeners import Listeners, NoFiles
from stockpile_web.server.worker import HASHING, Worker
from stockpile_web.settings import LARGEST_BODY
from tests import live_app
from tests.live_site import Site, serving

THREADS = 2
HEAD = b"Host: localhost\r\n"
LOOK = b"GET /thread HTTP/1.1\r\n" + HEAD + b"\r\n"
MOVE = b"POST /thread HTTP/1.1\r\n" + HEAD + b"Content-Length: 9\r\n\r\nmove=sell"
OLD = b"GET /thread HTTP/1.0\r\n" + HEAD
CONFIG = Config()


def connection() -> Connection:
    return Connection(None, ("127.0.0.1", 1), ("127.0.0.1", 2), 0.0, 0.0)


def requests(*pieces: bytes) -> list[tuple[str, bytes]]:
    """Return method and body of each request in what comes piece by piece."""
    ours, found = connection(), []
    for piece in pieces:
        ours.buffer += piece
        while (request := ours.take_request(CONFIG)) is not None:
            found.append((request.method, request.body.read()))
    return found


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_request_is_given_out_once_it_is_whole_however_it_comes(size):
    stream = LOOK + MOVE + b"\r\n" + LOOK + MOVE
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
    look, move = ("GET", b""), ("POST", b"move=sell")
    assert requests(*pieces) == [look, move, look, move]
    assert requests(LOOK[:-1]) == requests(MOVE[:-1]) == []


@pytest.mark.parametrize(
    "length",
    [b"9" * 4301, b"-1", b"+9", b"9, 9", b"0x9", b"", b"\xb2", b"9\r\nContent-Length: 9"],
)
def test_a_length_that_is_no_number_is_refused_by_gunicorns_parser(length):
    with pytest.raises(InvalidHeader):
        requests(b"POST / HTTP/1.1\r\n%bContent-Length: %b\r\n\r\n" % (HEAD, length))


def test_white_space_around_a_length_is_none_of_our_business():
    head = b"POST / HTTP/1.1\r\n%bContent-Length:\t2 \r\n\r\n" % HEAD
    assert requests(head) == []
    assert requests(head, b"ab") == [("POST", b"ab")]


@pytest.mark.parametrize(
    ("status", "request_"),
    [
        (411, b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"),
        (413, b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (LARGEST_BODY + 1)),
        (413, b"POST / HTTP/1.1\r\nContent-Length: " + b"9" * 4000 + b"\r\n\r\n"),
        (431, b"GET / HTTP/1.1\r\nA: " + b"x" * LARGEST_HEAD),
        (431, b"x" * LARGEST_HEAD),
    ],
)
def test_what_is_too_much_is_refused_unread(status, request_):
    with pytest.raises(Refused) as refused:
        requests(request_)
    assert refused.value.answer().startswith(b"HTTP/1.1 %d " % status)
    assert b"Connection: close" in refused.value.answer()


@pytest.mark.parametrize(
    ("error", "request_"),
    [
        (LimitRequestHeaders, b"GET / HTTP/1.1\r\nA: " + b"x" * 9000 + b"\r\n\r\n"),
        (InvalidRequestLine, b"\x16\x03\x01\r\n\r\n"),
        (InvalidRequestLine, b"\r\n\r\n\r\n"),
        (InvalidRequestLine, b"PRI * HTTP/2.0\r\n\r\n"),
        (InvalidHeader, b"GET / HTTP/1.1\r\nA: \0\r\n\r\n"),
    ],
)
def test_what_gunicorn_refuses_is_refused(error, request_):
    with pytest.raises(error):
        requests(request_)


@pytest.mark.parametrize(("version", "expects"), [("1.1", True), ("1.0", False)])
def test_whoever_waits_for_a_word_before_the_body_is_told(version, expects):
    ours = connection()
    head = f"POST / HTTP/{version}\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
    ours.buffer += head.encode()
    assert ours.take_request(CONFIG) is None
    assert ours.expects_continue() == expects


@pytest.fixture
def shared() -> memoryview:
    return memoryview(bytearray(16 * SLOTS)).cast("d")


def test_a_process_with_more_connections_than_another_is_ahead(shared):
    here, there = Balance(1, shared), Balance(2, shared)
    here.report(0)
    assert not here.is_ahead(5)  # Of nobody.
    there.report(4)
    here.report(5)
    assert here.is_ahead(5) and not here.is_ahead(4) and not there.is_ahead(4)
    there.report(80)
    assert not here.is_ahead(90) and here.is_ahead(91)  # Exact only where there are few.


def test_a_dead_or_hung_process_is_ignored(shared, monkeypatch):
    here, there = Balance(1, shared), Balance(2, shared)
    there.report(0)
    here.report(5)
    monkeypatch.setattr(balance, "_shared", shared)
    balance.clear(2)
    assert not here.is_ahead(5)
    there.report(0)
    assert here.is_ahead(5)
    later = time.monotonic() + balance.SILENT_SECONDS + 1
    monkeypatch.setattr(balance.time, "monotonic", lambda: later)
    here.report(5)
    assert not here.is_ahead(5)


class Poll:
    """What listeners ask of an epoll."""

    def __init__(self) -> None:
        self.files: set[int] = set()

    def register(self, file: int, events: int) -> None:
        self.files.add(file)

    def unregister(self, file: int) -> None:
        self.files.remove(file)


class Listener:
    """A listener at which callers wait in a list."""

    def __init__(self, waiting: list[object]) -> None:
        self.waiting = waiting
        self.sock = self

    def fileno(self) -> int:
        return 9

    def getsockname(self) -> str:
        return "here"

    def accept(self) -> tuple[object, str]:
        if not self.waiting:
            raise BlockingIOError
        caller = self.waiting.pop(0)
        if isinstance(caller, Exception):
            raise caller
        return caller, "there"


def test_a_process_that_is_ahead_stands_back_once_and_then_takes_one(shared):
    here, there, poll = Balance(1, shared), Balance(2, shared), Poll()
    there.report(0)
    listener = Listener(["a", "b", "c", "d"])
    ours = Listeners(poll, [listener], here)
    assert ours.reopen(0.0) is None and poll.files == {9}
    assert [sock for sock, _, _ in ours.accept(9, 0)] == ["a"]
    assert not poll.files and 0 < ours.reopen(time.monotonic()) <= listeners.POLITE_SECONDS
    ours.reopen(time.monotonic() + 1)
    assert poll.files == {9}
    assert [sock for sock, _, _ in ours.accept(9, 1)] == ["b"]
    there.report(5)
    ours.reopen(time.monotonic() + 1)
    assert [sock for sock, _, _ in ours.accept(9, 2)] == ["c", "d"]


def test_without_files_accepting_pauses_and_a_caller_who_has_gone_is_passed_over(shared):
    poll = Poll()
    listener = Listener([OSError(24, "EMFILE"), OSError(103, "ECONNABORTED"), "a"])
    ours = Listeners(poll, [listener], Balance(1, shared))
    ours.reopen(0.0)
    with pytest.raises(NoFiles):
        list(ours.accept(9, 0))
    assert not poll.files
    ours.reopen(time.monotonic() + 1)
    assert list(ours.accept(9, 0)) == [] and poll.files
    assert list(ours.accept(9, 0)) == [("a", "there", "here")]


@pytest.mark.parametrize(("setting", "value"), [("certfile", "x"), ("proxy_protocol", "v1")])
def test_what_this_worker_cannot_do_is_refused_at_start(setting, value):
    config = Config()
    Worker.check_config(config, None)
    config.set(setting, value)
    with pytest.raises(RuntimeError, match="gthread"):
        Worker.check_config(config, None)


def test_every_form_that_hashes_a_password_has_threads_of_its_own(app):
    """The functions of each module that call `passwords.hash_password` or `is_right`, by name."""
    found = set()
    for rule in app.url_map.iter_rules():
        view = inspect.unwrap(app.view_functions[rule.endpoint])
        if "POST" in rule.methods and _hashes(view.__module__, view.__name__):
            found.add(rule.rule)
            assert rule.rule.startswith(HASHING), rule.rule
    assert len(found) >= 6
    assert all(any(rule.startswith(prefix) for rule in found) for prefix in HASHING)


def _hashes(module: str, name: str) -> bool:
    """Tell whether a function hashes, itself or by another one of its module."""
    tree = ast.parse(inspect.getsource(import_module(module)))
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    reached, queue = set(), [name]
    while queue:
        name = queue.pop()
        if name in reached or name not in functions:
            continue
        reached.add(name)
        for node in ast.walk(functions[name]):
            if isinstance(node, ast.Attribute) and node.attr in ("hash_password", "is_right"):
                return True
            if isinstance(node, ast.Name):
                if node.id in ("hash_password", "is_right"):
                    return True
                queue.append(node.id)
    return False


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    url = f"sqlite:///{tmp_path_factory.mktemp('server')}/live.db"
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


def answers(connection: socket.socket, request: bytes, count: int = 1) -> bytes:
    """Send a request and read until `count` bodies, each of which ends with a dot, have come."""
    connection.sendall(request)
    heard = b""
    while heard.count(b"request-") < count or not heard.endswith(b"."):
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
        assert b"request-" in answers(call(), LOOK)
    assert b"HTTP/1.1 200" in answers(connection, MOVE[-5:])
    assert answers(connection, LOOK + MOVE + LOOK, 3).count(b"HTTP/1.1 200") == 3


def test_whoever_has_connected_and_says_nothing_takes_no_thread(call):
    for _ in range(THREADS + 3):
        call()
        call().sendall(LOOK[:10])
    assert b"request-" in answers(call(), LOOK)


def test_whoever_does_not_read_answers_keeps_nobody_waiting_and_gets_them_whole(call):
    deaf = [call() for _ in range(THREADS + 1)]
    for connection in deaf:
        connection.sendall(b"GET /thread?bytes=9000000 HTTP/1.1\r\n" + HEAD + b"\r\n")
    assert b"request-" in answers(call(), LOOK)
    for connection in deaf:
        assert len(answers(connection, b"")) > 9_000_000
        assert b"request-" in answers(connection, LOOK)


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
