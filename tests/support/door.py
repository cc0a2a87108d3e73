"""Strangers at the door of the real server, and a prober that plays on meanwhile.

An attack is a context manager: it holds its connections open until the end of its block.
"""

import contextlib
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import cycle
from pathlib import Path
from typing import Self
from urllib.parse import urlencode

from bench import _seed as seed
from bench._load import Answers, ask, drive
from bench._server import Server
from stockpile_web import create_app
from stockpile_web.live.hub import file_limit
from stockpile_web.storage.database import db
from stockpile_web.storage.schema import migrate
from tests.support.live_site import read_answer

HOST = b"Host: localhost\r\n"
FORM = HOST + b"Content-Type: application/x-www-form-urlencoded\r\n"
PATIENCE = 20.0

Attack = Callable[[int], AbstractContextManager[object]]


class Place:
    """A small site: people, tables in mid-game, and what a player asks for."""

    def __init__(self, folder: Path) -> None:
        self.environ = {"STOCKPILE_INSTANCE": str(folder), "SITE_URL": "", "WORKER": "off"}
        app = create_app({**self.environ, "SQLITE_SYNCHRONOUS": "OFF"})
        migrate(app)
        self.people = seed.sign_in(app, 3)
        self.tables = seed.seat(app, self.people, 4)
        with app.app_context():
            db.engine.dispose()

    def requests(self, port: int) -> dict[str, bytes]:
        """Return what a player asks for again and again."""
        person = self.people[0]
        page = f"GET /table/{self.tables[0]} HTTP/1.1\r\nHost: localhost\r\n{person.headers}\r\n"
        _, html = ask(port, page.encode())
        style = re.search(rb'href="(/static/[^"]+\.css[^"]*)"', html)
        assert style
        listed = f"GET /tables/listed HTTP/1.1\r\n{seed.BROWSER}{person.headers}\r\n"
        return {
            "table": person.look(self.tables[0]),
            "list": listed.encode(),
            "style": b"GET %b HTTP/1.1\r\n%b\r\n" % (style[1], HOST),
        }

    def busy(self, port: int, clients: int, seconds: float) -> Answers:
        """Let clients look at tables without a pause."""
        looks = [person.look(table) for person in self.people for table in self.tables]
        return drive(port, [cycle(looks[number % 5 :]) for number in range(clients)], seconds)


class Prober:
    """Asks for a table, a list and a style sheet in turn, over new and over kept connections."""

    def __init__(self, port: int, requests: dict[str, bytes]) -> None:
        self.times: dict[str, list[float]] = {name: [] for name in requests}
        self.failures: list[str] = []
        self._port = port
        self._requests = requests
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._done.set()
        self._thread.join()

    def longest(self) -> float:
        """Return the seconds of the slowest answer."""
        return max(max(times, default=PATIENCE) for times in self.times.values())

    def _run(self) -> None:
        kept = self._connect()
        while not self._done.wait(0.01):
            for name, request in self._requests.items():
                began = time.monotonic()
                try:
                    with self._connect() as fresh:
                        _answer(fresh, request)
                except (OSError, AssertionError) as error:
                    self.failures.append(f"{name}: {error!r}")
                self.times[name].append(time.monotonic() - began)
                began = time.monotonic()
                try:
                    _answer(kept, request)
                except (OSError, AssertionError):  # The server may close it between requests.
                    kept.close()
                    kept = self._connect()
                self.times[name].append(time.monotonic() - began)
        kept.close()

    def _connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self._port), timeout=PATIENCE)


@contextmanager
def connections(port: int, count: int, first_words: bytes = b"") -> Iterator[list[socket.socket]]:
    """Open connections and say the same on each; the server may well close them."""
    file_limit()
    with ExitStack() as stack:
        opened = []
        for number in range(count):
            source = (f"127.0.{1 + number // 250}.{1 + number % 250}", 0)
            connection = stack.enter_context(
                socket.create_connection(("127.0.0.1", port), PATIENCE, source)
            )
            with contextlib.suppress(OSError):
                connection.sendall(first_words)
            opened.append(connection)
        yield opened


def endless_number(port: int) -> AbstractContextManager[object]:
    """A length of 4,301 digits, which Python refuses to read as a number."""
    return connections(
        port, 20, b"POST / HTTP/1.1\r\n%bContent-Length: %b\r\n\r\n" % (FORM, b"9" * 4301)
    )


def tab(port: int) -> AbstractContextManager[object]:
    """A tab after the name of the length, and no body."""
    return connections(
        port, 20, b"POST /table/1/move HTTP/1.1\r\n%bContent-Length:\t9\r\n\r\n" % FORM
    )


def chunked(port: int, count: int = 20) -> AbstractContextManager[object]:
    """Bodies in chunks without an end."""
    head = b"POST /table/1/move HTTP/1.1\r\n%bTransfer-Encoding: chunked\r\n\r\n" % FORM
    return connections(port, count, head + b"5\r\nmove=\r\n")


def half_heads(port: int) -> AbstractContextManager[object]:
    """Heads that stop in the middle."""
    return connections(port, 300, b"GET /table/1 HTTP/1.1\r\nHost: local")


@contextmanager
def trickling(port: int) -> Iterator[None]:
    """Bodies that come a byte a second."""
    head = b"POST /table/1/move HTTP/1.1\r\n%bContent-Length: 1000\r\n\r\n" % FORM
    done = threading.Event()
    with connections(port, 300, head) as opened:

        def trickle() -> None:
            while not done.wait(1):
                for connection in opened:
                    with contextlib.suppress(OSError):
                        connection.send(b"x")

        thread = threading.Thread(target=trickle)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()


def silent(port: int, count: int = 4000) -> AbstractContextManager[object]:
    """Connections on which nothing is ever said."""
    return connections(port, count)


@contextmanager
def large_heads(port: int) -> Iterator[None]:
    """Questions about a table with nearly all the headers that a server takes, each another one."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        for number in range(1100):
            large = b"".join(b"X-%d: %06d%b\r\n" % (n, number, b"x" * 7000) for n in range(4))
            cookie = b"Cookie: other=%06d%b\r\n" % (number, b"y" * 2000)
            _answer(connection, b"GET /table/1 HTTP/1.1\r\n%b%b%b\r\n" % (HOST, large, cookie))
    yield


@contextmanager
def wrong_passwords(port: int, count: int = 30) -> Iterator[None]:
    """Wrong passwords, all at once."""
    head, page = ask(port, b"GET /sign-in HTTP/1.1\r\n%b\r\n" % HOST)
    cookie = re.search(rb"Set-Cookie: ([^;]+)", head)
    token = re.search(rb'name="csrf_token"[^>]*value="([^"]+)"', page)
    assert cookie and token
    with ExitStack() as stack:
        opened = [stack.enter_context(connections(port, 1))[0] for _ in range(count)]
        for number, connection in enumerate(opened):
            fields = {
                "csrf_token": token[1].decode(),
                "name": f"n{number}",
                "password": "wrong one",
            }
            body = urlencode(fields).encode()
            form = b"%bCookie: %b\r\nContent-Length: %d\r\n" % (FORM, cookie[1], len(body))
            connection.sendall(b"POST /sign-in HTTP/1.1\r\n%b\r\n%b" % (form, body))
        for connection in opened:
            assert _answer(connection, b"").startswith((b"HTTP/1.1 422", b"HTTP/1.1 429"))
        yield


@contextmanager
def streams(port: int, count: int = 1000) -> Iterator[list[socket.socket]]:
    """Open pages that watch a table."""
    ask_for = b"GET /table/1/events HTTP/1.1\r\n%b\r\n" % HOST
    with connections(port, count, ask_for) as opened:
        for connection in opened:
            heard = b""
            while b"event: state" not in heard:
                more = connection.recv(4096)
                assert more, heard
                heard += more
        yield opened


@contextmanager
def nothing(port: int) -> Iterator[None]:
    """Nobody: for comparison."""
    yield


def memory(server: Server) -> float:
    """Return the megabytes of all processes once they have had time to give some back."""
    time.sleep(0.2)
    return server.memory()


def _answer(connection: socket.socket, request: bytes) -> bytes:
    """Send a request and return its whole answer."""
    connection.sendall(request)
    return b"\r\n\r\n".join(read_answer(connection))
