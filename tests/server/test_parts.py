"""The parts of our gunicorn worker: bytes become requests, connections are split fairly."""

import ast
import inspect
import time
from importlib import import_module
from typing import Any

import pytest
from gunicorn.config import Config  # type: ignore[import-untyped]
from gunicorn.http.errors import (  # type: ignore[import-untyped]
    InvalidHeader,
    InvalidRequestLine,
    LimitRequestHeaders,
)

from stockpile_web.server import balance, listeners
from stockpile_web.server.balance import SLOTS, Balance
from stockpile_web.server.connection import LARGEST_HEAD, Connection, Refused
from stockpile_web.server.listeners import Listeners, NoFiles
from stockpile_web.server.pools import HASHING
from stockpile_web.server.worker import Worker
from stockpile_web.settings import LARGEST_BODY, LARGEST_UPLOAD

HEAD = b"Host: localhost\r\n"
LOOK = b"GET /thread HTTP/1.1\r\n" + HEAD + b"\r\n"
MOVE = b"POST /thread HTTP/1.1\r\n" + HEAD + b"Content-Length: 9\r\n\r\nmove=sell"
CONFIG = Config()


def connection() -> Connection:
    sock: Any = None  # What is tested reads from the buffer alone.
    return Connection(sock, ("127.0.0.1", 1), ("127.0.0.1", 2), 0.0, 0.0)


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


def test_one_page_takes_files():
    body = b"x" * LARGEST_UPLOAD
    head = b"POST /import HTTP/1.1\r\n%bContent-Length: %d\r\n\r\n" % (HEAD, len(body))
    assert requests(head, body) == [("POST", body)]


@pytest.mark.parametrize(
    ("status", "request_"),
    [
        (411, b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"),
        (413, b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (LARGEST_BODY + 1)),
        (413, b"POST /import HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (LARGEST_UPLOAD + 1)),
        (413, b"POST /import/x HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % LARGEST_UPLOAD),
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
def shared() -> "memoryview[float]":
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
    monkeypatch.setattr(time, "monotonic", lambda: later)
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


def listening(poll: Any, waiting: list[object], balance: Balance) -> Any:
    """Return listeners on which callers come who are no sockets but words."""
    return Listeners(poll, [Listener(waiting)], balance)


def test_a_process_that_is_ahead_stands_back_once_and_then_takes_one(shared):
    here, there, poll = Balance(1, shared), Balance(2, shared), Poll()
    there.report(0)
    ours = listening(poll, ["a", "b", "c", "d"], here)
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
    waiting = [OSError(24, "EMFILE"), OSError(103, "ECONNABORTED"), "a"]
    ours = listening(poll, waiting, Balance(1, shared))
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
    assert len(found) >= 7
    assert all(any(rule.startswith(prefix) for rule in found) for prefix in HASHING)


def _hashes(module: str, name: str) -> bool:
    """Tell whether a function hashes, itself or by another one of its module or a room's."""
    space = vars(import_module(module))
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
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                other = space.get(node.value.id)
                name = other.__name__ if inspect.ismodule(other) else ""
                if ".web.accounts" in name and _hashes(name, node.attr):
                    return True
            if isinstance(node, ast.Name):
                if node.id in ("hash_password", "is_right"):
                    return True
                queue.append(node.id)
    return False
