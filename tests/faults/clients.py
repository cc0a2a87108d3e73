"""A small site on either database, and clients that go on asking while something is wrong."""

import socket
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from bench import _seed as seed
from stockpile_web import create_app
from stockpile_web.storage.database import db
from stockpile_web.storage.schema import migrate
from tests.support.live_site import read_answer

PATIENCE = 60.0


class Place:
    """People, tables in mid-game, and what they ask for."""

    def __init__(self, environ: dict[str, str]) -> None:
        self.environ = {"SITE_URL": "", "WORKER": "off", **environ}
        app = create_app({**self.environ, "SQLITE_SYNCHRONOUS": "OFF"})
        migrate(app)
        self.people = seed.sign_in(app, 3)
        self.tables = seed.seat(app, self.people, 4)
        self.moves = {table: seed.requests(app, self.people, table) for table in self.tables}
        with app.app_context():
            db.engine.dispose()
        app.extensions["versions"].close()

    def get(self, path: str) -> bytes:
        """Ask for a page as the first of the people."""
        head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{self.people[0].headers}\r\n"
        return head.encode()

    def post(self, path: str, **fields: str) -> bytes:
        """Send a form as a browser without scripts does."""
        token, cookie = self.people[0].headers.splitlines()
        body = urlencode({"csrf_token": token.partition(": ")[2], **fields})
        kind = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}"
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\n{cookie}\r\n{kind}\r\n\r\n"
        return f"{head}{body}".encode()


class Answer(NamedTuple):
    """What came back, and how many seconds it took."""

    status: int
    seconds: float
    head: str
    body: bytes


def ask(port: int, request: bytes) -> Answer:
    """Send one request over a new connection."""
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        connection.sendall(request)
        head, body = read_answer(connection)
    status = int(head.split(b" ", 2)[1])
    return Answer(status, time.monotonic() - began, head.decode(), body)


@dataclass
class Client:
    """Asks the same again and again, or one thing after the other."""

    port: int
    requests: Iterable[bytes]
    pause: float = 0.1
    answers: list[Answer] = field(default_factory=list)

    def run(self, done: threading.Event) -> None:
        """Ask until it is done."""
        for request in self.requests:
            self.answers.append(ask(self.port, request))
            if done.wait(self.pause):
                return

    @property
    def longest(self) -> float:
        """The seconds of the slowest answer."""
        return max(answer.seconds for answer in self.answers)

    @property
    def statuses(self) -> set[int]:
        """How the server answered."""
        return {answer.status for answer in self.answers}


@contextmanager
def asking(clients: Iterable[Client]) -> Iterator[None]:
    """Let clients ask until the end of the block; each gets its last answer."""
    done = threading.Event()
    with ExitStack() as stack:
        for client in clients:
            thread = threading.Thread(target=client.run, args=(done,))
            thread.start()
            stack.callback(thread.join)
        stack.callback(done.set)
        yield


def environ_of(folder: Path, database_url: str = "") -> dict[str, str]:
    """Return the settings of a site in `folder`."""
    environ = {"STOCKPILE_INSTANCE": str(folder)}
    return {**environ, "DATABASE_URL": database_url} if database_url else environ
