"""A player without JavaScript: reads the board's own controls and sends what a browser would."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import product
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

from stockpile_web.engine import codec
from tests.support.known import known

Facts = dict[str, str]
WAYS_BACK = ("one-back", "begin-again")  # Links to a turn with fewer steps.


@dataclass(frozen=True)
class Choice:
    """A value that can be sent under a name, with what the page says of it."""

    name: str
    value: str
    facts: Facts


@dataclass
class Control:
    """A hidden field, a group of radios, a checkbox or a list: one of its choices is sent."""

    name: str
    choices: list[Choice] = field(default_factory=list)

    def ways(self) -> list[list[Choice]]:
        return [[choice] for choice in self.choices if choice.value]


@dataclass
class Group:
    """Controls of which so many are to be chosen: a fieldset with `data-choose`."""

    least: int
    most: int
    controls: list[Control] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.controls[0].name

    def ways(self) -> list[list[Choice]]:
        return [way for way, count in self._ways(self.controls) if count >= self.least]

    def _ways(self, controls: list[Control]) -> Iterator[tuple[list[Choice], int]]:
        """Yield what can be chosen of `controls`, with its number, never more than the most."""
        if not controls:
            yield [], 0
            return
        for rest, count in self._ways(controls[1:]):
            for choice in controls[0].choices:
                number = int(choice.facts.get("data-count", "1")) if choice.value else 0
                if count + number <= self.most:
                    yield ([choice, *rest] if choice.value else rest), count + number


class Board(HTMLParser):
    """The controls of the form `board` in their order, and whether it can be sent.

    A turn in steps goes on by links, too: `steps` has where each leads.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.parts: list[Control | Group] = []
        self.has_button = False
        self.steps: list[str] = []
        self._inside = '<form id="board"' not in html  # A board alone is all form.
        self._fieldsets: list[Group | None] = []
        self._by_key: dict[str, Control] = {}
        self._list = Control("")
        link = re.search(r'href="/rules/(\w+)', html)  # Of a page, not of a board alone.
        self._game = link[1] if link else ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = {key: value or "" for key, value in attrs}
        name = facts.get("name", "")
        if tag == "form":
            self._inside = facts.get("id") == "board"
        elif not self._inside:
            return
        elif tag == "a" and "data-step" in facts and facts.get("id") not in WAYS_BACK:
            self.steps.append(facts["href"])
        elif tag == "button":
            self._press(facts)
        elif tag == "fieldset":
            least, _, most = facts.get("data-choose", "").partition(" ")
            self._fieldsets.append(Group(int(least), int(most)) if least else None)
        elif tag == "select":
            self._list = self._control(name, name)
        elif tag == "option":
            self._offer(self._list, facts)
        elif tag == "input":
            self._fill(facts)

    def _press(self, facts: Facts) -> None:
        """Note a button: one that completes a turn in steps is a move by itself."""
        self.has_button |= facts.get("type") != "button"
        if (name := facts.get("name")) in ("move", "now"):
            self._offer(self._control(name, name), facts)

    def _fill(self, facts: Facts) -> None:
        """Note a field: of a checkbox there are two choices."""
        name = facts.get("name", "")
        if facts.get("type") != "checkbox":
            self._offer(self._control(name, name), facts)
            return
        control = self._control(facts["id"], name)
        self._offer(control, {"value": ""})
        self._offer(control, facts)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = False
        elif tag == "fieldset" and self._inside:
            self._fieldsets.pop()

    def _control(self, key: str, name: str) -> Control:
        if key in self._by_key:
            return self._by_key[key]
        self._by_key[key] = control = Control(name)
        group = self._fieldsets[-1] if self._fieldsets else None
        if group is None or name == "move":
            self.parts.append(control)
        else:
            if not group.controls:
                self.parts.append(group)
            group.controls.append(control)
        return control

    def _offer(self, control: Control, facts: Facts) -> None:
        control.choices.append(Choice(control.name, facts["value"], facts))

    def named(self, beginning: str) -> list[Control]:
        """Return the controls whose name begins so."""
        return [control for control in self._by_key.values() if control.name.startswith(beginning)]

    def moves(self) -> list[Choice]:
        """Return the moves between which there is to choose before their parts."""
        found = [self._by_key[name] for name in ("move", "now") if name in self._by_key]
        return [choice for control in found for choice in control.choices]

    def next_steps(self) -> list[str]:
        """Return the steps that are open, each the last one of the turn to which its link leads."""
        return [parse_qs(urlsplit(link).query)["step"][-1] for link in self.steps]

    def ways(self, move: Choice) -> Iterator[list[Choice]]:
        """Yield every way to fill in the parts of a move as the page asks for it."""
        for way in product(*self._parts(move)):
            chosen = [move, *(choice for part in way for choice in part)]
            if _are_apart(chosen):
                yield chosen

    def _parts(self, move: Choice) -> list[list[list[Choice]]]:
        """Return what can be chosen for each part that counts for a move; one `now` is whole."""
        if move.name == "now":
            return []
        words = codec.load(dict[str, Any], move.value).values()
        begin = ("part.", *(f"for.{word}." for word in words))
        return [part.ways() for part in self.parts if part.name.startswith(begin)]

    def _go_together(self, before: list[Any], move: Choice) -> bool:
        return known(self._game).go_together(before, codec.load(dict[str, Any], move.value))

    def fill_in(self, chooser: Random) -> MultiDict[str, str]:
        """Choose at random, as far as the rules let it go together."""
        move = chooser.choice(self.moves())
        parts = self._parts(move)
        chosen: list[Choice] = []
        while not chosen or not _are_apart(chosen):
            chosen = [move, *(choice for part in parts for choice in chooser.choice(part))]
        before: list[Any] = []
        for control in self.named("before.") if move.name == "move" else ():
            choice = chooser.choice(control.choices)
            more = [codec.load(dict[str, Any], choice.value)] if choice.value else []
            if more and self._go_together([*before, *more], move):
                before += more
                chosen.append(choice)
        for control in (*self.named("moves_made"), *self.named("step")):
            chosen += control.choices
        return MultiDict((choice.name, choice.value) for choice in chosen)


def _are_apart(chosen: list[Choice]) -> bool:
    """Tell whether no two choices are of the same place: `data-apart` names it."""
    places = [choice.facts["data-apart"] for choice in chosen if "data-apart" in choice.facts]
    return len(places) == len(set(places))


def make_any_move(client: FlaskClient, match_id: int, chooser: Random) -> TestResponse:
    """Make a random move for a client who is on turn, with the steps that lead to it."""
    board = _open(client, f"/table/{match_id}")
    while board.steps:
        way = chooser.randrange(len(board.steps) + len(board.moves()))
        if way >= len(board.steps):
            break
        board = _open(client, board.steps[way])
    assert board.has_button
    form = board.fill_in(chooser)
    answer = client.post(f"/table/{match_id}/move", data=form)
    assert answer.status_code == 303, (answer.status_code, form, answer.text)
    return answer


def _open(client: FlaskClient, address: str) -> Board:
    page = client.get(address)
    assert page.status_code == 200
    return Board(page.text)
