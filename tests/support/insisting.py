"""Players over HTTP who send what was not answered once more, until it is."""

import re
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from http.cookies import SimpleCookie
from random import Random
from typing import NamedTuple
from urllib.parse import urlencode

from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from stockpile_web.match.moves import _digest
from tests.support.clicking import Board
from tests.support.faults import Host

PATIENCE = 240.0  # Seconds that a server may be away.
HANGS_UP = 0.05  # Share of all forms whose first answer is not waited for.
PAUSE = 0.1  # Seconds between two looks at a table where others are to move.
TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')


class Answer(NamedTuple):
    """What came back."""

    status: int
    text: str


class Browser:
    """The browser of somebody who is signed in; each request goes to any of the hosts."""

    def __init__(self, hosts: Sequence[Host], client: FlaskClient, chance: Random) -> None:
        self._hosts = hosts
        self._chance = chance
        self.cookies: SimpleCookie = SimpleCookie()
        cookie = client.get_cookie("session")
        assert cookie is not None
        self.cookies["session"] = cookie.value
        self.broken = 0  # Requests whose answer was lost, or said to send them again.

    def look(self, path: str) -> str:
        """Return a page, which must be there."""
        answer = self._insist(path, None)
        assert answer.status == 200, f"{path}: {answer}"
        return answer.text

    def send(self, path: str, form: MultiDict[str, str], token: str) -> int:
        """Send a form until it is answered; return the status.

        Now and then the network is lost before the answer comes, and it is sent once more.
        """
        body = _written(form, token)
        if self._chance.random() < HANGS_UP:
            with suppress(OSError), self._asking(self._chance.choice(self._hosts), path, body):
                self.broken += 1
        return self._insist(path, body).status

    def send_once(self, path: str, form: MultiDict[str, str], token: str) -> int:
        """Send a form, and return the status whatever it is."""
        return self.ask(self._chance.choice(self._hosts), path, _written(form, token)).status

    def ask(self, host: Host, path: str, body: str | None = None) -> Answer:
        """Ask one host once."""
        with self._asking(host, path, body) as connection:
            answer = connection.getresponse()
            text = answer.read().decode()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            self.cookies.load(cookie)
        return Answer(answer.status, text)

    @contextmanager
    def _asking(self, host: Host, path: str, body: str | None) -> Iterator[HTTPConnection]:
        """Send a request, and hang up in the end."""
        cookies = "; ".join(f"{each.key}={each.value}" for each in self.cookies.values())
        headers = {"Cookie": cookies, "Connection": "close"}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        with closing(HTTPConnection("127.0.0.1", host.port, timeout=30)) as connection:
            connection.request("GET" if body is None else "POST", path, body, headers)
            yield connection

    def _insist(self, path: str, body: str | None) -> Answer:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                answer = self.ask(self._chance.choice(self._hosts), path, body)
                if answer.status < 500:
                    return answer
            except (OSError, HTTPException):
                pass
            assert time.monotonic() < deadline, f"{path} was never answered"
            self.broken += 1
            time.sleep(0.1)


def _written(form: MultiDict[str, str], token: str) -> str:
    return urlencode([*form.items(multi=True), ("csrf_token", token)])


class Player(threading.Thread):
    """Makes random moves at one table until told that all is over.

    What was acknowledged is in `accepted`: the fingerprint of each form, in their order.
    """

    def __init__(self, name: str, browser: Browser, match_id: int, chance: Random) -> None:
        super().__init__(name=name, daemon=True)
        self.browser, self.match_id = browser, match_id
        self.accepted: list[str] = []
        self.problem: BaseException | None = None
        self.done = threading.Event()
        self._chance = chance

    def run(self) -> None:
        try:
            while not self.done.wait(PAUSE):
                while self.move():
                    pass
        except BaseException as problem:  # noqa: BLE001 (whoever waits for it raises it)
            self.problem = problem

    def move(self) -> bool:
        """Make a move if one is asked for."""
        page = self.browser.look(f"/table/{self.match_id}")
        board = Board(page)
        if not board.has_button or not board.moves():
            return False
        form, token = board.fill_in(self._chance), TOKEN.findall(page)[0]
        status = self.browser.send(f"/table/{self.match_id}/move", form, token)
        assert status in (303, 409), (status, form)
        if status == 303:
            self.note(form)
        return True

    def note(self, form: MultiDict[str, str]) -> None:
        """Note that a form was acknowledged."""
        self.accepted.append(_digest(form))
