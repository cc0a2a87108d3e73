"""A player without JavaScript: reads the board's own controls and sends what a browser would."""

from html.parser import HTMLParser
from random import Random

from flask.testing import FlaskClient
from werkzeug.test import TestResponse


class Board(HTMLParser):
    """The controls of the form `board`: hidden fields, radio groups and whether it can be sent."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.hidden: dict[str, str] = {}
        self.radios: dict[str, list[str]] = {}
        self.has_button = False
        self._inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = dict(attrs)
        if tag == "form":
            self._inside = facts.get("id") == "board"
        if not self._inside or "disabled" in facts:
            return
        name, value = facts.get("name") or "", facts.get("value") or ""
        if tag == "button":
            self.has_button = True
        elif tag == "input" and facts.get("type") == "radio":
            self.radios.setdefault(name, []).append(value)
        elif tag == "input":
            self.hidden[name] = value

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = False

    def fill_in(self, chooser: Random) -> dict[str, str]:
        """Choose at random; of several ways to sell a company's cards, at most one."""
        form = dict(self.hidden)
        sold = set()
        for name, values in self.radios.items():
            company = name.split(".")[1] if name.startswith("before.") else name
            form[name] = values[0] if company in sold else chooser.choice(values)
            if name.startswith("before.") and form[name]:
                sold.add(company)
        return form


def make_any_move(client: FlaskClient, match_id: int, chooser: Random) -> TestResponse:
    """Make a random move for a client who is on turn."""
    page = client.get(f"/table/{match_id}")
    assert page.status_code == 200
    board = Board(page.text)
    assert board.has_button, page.text
    form = board.fill_in(chooser)
    answer = client.post(f"/table/{match_id}/move", data=form)
    assert answer.status_code == 303, (answer.status_code, form, answer.text)
    return answer
