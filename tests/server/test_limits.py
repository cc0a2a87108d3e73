"""Our gunicorn worker in a thread of the tests, with limits short enough to be waited for."""

import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import SimpleNamespace

import pytest
from gunicorn.config import Config  # type: ignore[import-untyped]
from gunicorn.glogging import Logger  # type: ignore[import-untyped]
from gunicorn.workers.base import Worker as BaseWorker  # type: ignore[import-untyped]

from stockpile_web.server import connections, worker
from tests.support.live_site import wait_until

LOOK = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
LARGE = 20_000_000


class Served(ExitStack):
    """A worker that serves a small application, and whoever calls it."""

    def __init__(self, **settings: object) -> None:
        super().__init__()
        listener = self.enter_context(socket.create_server(("127.0.0.1", 0)))
        listener.setblocking(False)
        # gunicorn's own listeners are a wrapper around a socket.
        wrapped = SimpleNamespace(
            sock=listener,
            fileno=listener.fileno,
            getsockname=listener.getsockname,
            close=listener.close,
        )
        self.port = listener.getsockname()[1]
        self.free, self.beats = threading.Event(), 0
        self.free.set()
        config = Config()
        for name, value in settings.items():
            config.set(name, value)
        self.worker = worker.Worker(1, os.getppid(), [wrapped], None, 30, config, Logger(config))
        self.worker.wsgi = self.application
        self.worker.notify = self.beat
        self.callback(self.worker.tmp.close)
        self.worker.PIPE = os.pipe()
        for file in self.worker.PIPE:
            self.callback(os.close, file)
        self.worker.init_process()
        thread = threading.Thread(target=self.worker.run)
        thread.start()
        self.callback(thread.join)
        self.callback(setattr, self.worker, "alive", False)
        self.callback(self.free.set)

    def beat(self) -> None:
        self.beats += 1

    def application(self, environ, start_response):
        self.free.wait(20)
        body = b"x" * (LARGE if environ["PATH_INFO"] == "/large" else 10)
        if environ["PATH_INFO"] == "/broken":
            raise ValueError("a mistake of the application")
        start_response("200 OK", [("Content-Length", str(len(body)))])
        return [body]

    def call(self, words: bytes = b"") -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        self.enter_context(connection)
        connection.sendall(words)
        return connection


@pytest.fixture
def serve(monkeypatch) -> Iterator[Callable[..., Served]]:
    """Start a worker with gunicorn's settings."""
    monkeypatch.setattr(BaseWorker, "init_process", lambda self: None)  # Signals and hooks.
    for name in ("TICK", "HEAD", "BODY", "ANSWER", "LINGER", "STOP"):
        monkeypatch.setattr(worker, f"{name}_SECONDS", 0.1)
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(Served(**settings))


def rest(connection: socket.socket) -> bytes:
    """Read until the server hangs up."""
    heard = b""
    try:
        while more := connection.recv(65536):
            heard += more
    except ConnectionResetError:
        pass
    return heard


@pytest.mark.parametrize("words", [LOOK[:9], LOOK[:-4] + b"\r\nContent-Length: 9\r\n\r\nhalf"])
def test_whoever_sends_half_a_request_is_told_that_it_took_too_long(serve, words):
    assert rest(serve().call(words)).startswith(b"HTTP/1.1 408 ")


def test_whoever_says_nothing_is_cut_off_without_a_word(serve):
    site = serve(keepalive=1)
    kept = site.call(LOOK)
    assert rest(site.call()) == b""
    assert rest(kept).count(b"HTTP/1.1 200") == 1


def test_whoever_does_not_take_an_answer_is_cut_off(serve):
    deaf = serve().call(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
    time.sleep(1)
    assert 0 < len(rest(deaf)) < LARGE


def test_when_there_are_too_many_the_silent_have_to_go(serve, monkeypatch):
    monkeypatch.setattr(worker, "HEAD_SECONDS", 20)
    site = serve(worker_connections=5)
    silent = [site.call() for _ in range(8)]
    speaking = site.call(LOOK)
    assert speaking.recv(4096).startswith(b"HTTP/1.1 200 ")
    assert rest(silent[0]) == b""
    assert len(site.worker._connections) <= 5


def test_whoever_holds_too_much_memory_has_to_go(serve, monkeypatch):
    monkeypatch.setattr(worker, "BODY_SECONDS", 20)
    monkeypatch.setattr(connections, "MOST_HELD", 100_000)
    site = serve()
    head = b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n"
    small = site.call(head % 600 + b"x")
    large = [site.call(head % 60_000 + b"x" * 59_999) for _ in range(2)]
    wait_until(lambda: len(site.worker._connections) == 2)
    small.sendall(b"x" * 599)
    assert small.recv(4096).startswith(b"HTTP/1.1 200 ")
    large[0].close()


def test_a_request_that_never_ends_stops_the_heartbeat(serve):
    site = serve(timeout=1, threads=2)
    site.free.clear()
    site.call(LOOK)
    wait_until(lambda: site.beats > 0)
    wait_until(lambda: site.worker._pools.longest() > 1)
    beats = site.beats
    time.sleep(0.5)
    assert site.beats <= beats + 1
    site.free.set()
    wait_until(lambda: site.beats > beats + 1)


def test_an_error_that_the_application_lets_out_becomes_a_proper_answer(serve, caplog):
    heard = rest(serve().call(b"GET /broken HTTP/1.1\r\nHost: localhost\r\n\r\n"))
    assert heard.startswith(b"HTTP/1.1 500 ") and b"mistake" not in heard


def test_a_stream_that_failed_after_all_is_not_handed_over(serve):
    received: list[object] = []
    site = serve()

    def fail(environ, start_response):
        environ["stockpile.hand_over"](received.append)
        start_response("503 Service Unavailable", [("Content-Length", "0")])
        return []

    site.worker.wsgi = fail
    connection = site.call(LOOK)
    assert connection.recv(4096).startswith(b"HTTP/1.1 503 ") and not received
    site.worker.wsgi = site.application
    connection.sendall(LOOK)
    assert connection.recv(4096).startswith(b"HTTP/1.1 200 ")


def test_after_enough_requests_the_process_ends(serve):
    site = serve(max_requests=3)
    kept = site.call()
    for count in range(3):
        kept.sendall(LOOK)
        connection = b"close" if count == 2 else b"keep-alive"
        assert b"Connection: " + connection in kept.recv(4096)
    wait_until(lambda: not site.worker.alive)


def test_whoever_has_connected_before_the_server_stops_is_answered_and_the_silent_are_let_go(
    serve, monkeypatch
):
    for name in ("HEAD", "STOP"):
        monkeypatch.setattr(worker, f"{name}_SECONDS", 5)
    site = serve(graceful_timeout=20)
    kept, late = site.call(LOOK), site.call()
    assert kept.recv(4096).startswith(b"HTTP/1.1 200 ")
    wait_until(lambda: len(site.worker._connections) == 2)
    site.worker.alive = False
    assert rest(kept) == b""  # They have had their answer, and know how to connect anew.
    late.sendall(LOOK)
    assert rest(late).startswith(b"HTTP/1.1 200 ")


def test_whoever_hangs_up_early_leaves_nothing_behind(serve):
    site = serve()
    for words in (b"", LOOK[:9], LOOK, b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n"):
        site.call(words).close()
    wait_until(lambda: len(site.worker._connections) == 0)
