"""Programs of people: a token, made on the page as its owner would, and requests that bring it."""

import re
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.conftest import PASSWORD

SECRET = re.compile(r'id="secret" readonly value="(spw_[\w-]{43})"')


def make_token(
    browser: FlaskClient, name: str = "My bot", scope: str = "play", lasts: str = ""
) -> str:
    """Make a token of whoever is signed in, and return it."""
    form = {"name": name, "scope": scope, "lasts": lasts, "password": PASSWORD}
    page = browser.post("/account/tokens", data=form)
    found = SECRET.search(page.text)
    assert found, page.text
    return found[1]


class Program:
    """A program that brings a token, and no cookie."""

    def __init__(self, app: Flask, token: str) -> None:
        self.client = app.test_client(use_cookies=False)
        self.headers = {"Authorization": f"Bearer {token}"}

    def get(self, path: str, **headers: str) -> TestResponse:
        """Ask for something."""
        return self.client.get(f"/api/v1{path}", headers={**self.headers, **headers})

    def post(self, path: str, body: Any = None) -> TestResponse:
        """Send JSON, or nothing at all."""
        sent = {} if body is None else {"json": body}
        return self.client.post(f"/api/v1{path}", headers=self.headers, **sent)

    def table(self, match_id: int) -> dict[str, Any]:
        """Look at a table."""
        answer = self.get(f"/tables/{match_id}")
        assert answer.status_code == 200, answer.text
        return dict(answer.get_json())


def program_of(app: Flask, browser: FlaskClient, scope: str = "play") -> Program:
    """Return a program of whoever is signed in."""
    return Program(app, make_token(browser, f"To {scope}", scope))
