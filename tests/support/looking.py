"""Boards and logs as templates draw them, and how far colours stand apart: for any game."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import unescape
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

from werkzeug.datastructures import MultiDict

from stockpile_web.engine import Event, Facts, Game, codec
from stockpile_web.games import GAMES
from stockpile_web.match.moves import read_turns
from stockpile_web.web.board_cache import cached
from stockpile_web.words.events import bare_environment, in_words
from tests.support.clicking import Board
from tests.support.random_play import Sitting

NAMES = ["Ann", "Bob", "Carol", "Dave", "Eve"]
DARK = re.compile(r"@media \(prefers-color-scheme: dark\) \{(.*?)\n\}", re.S)
PRINT = re.compile(r"@media print \{.*?\n\}", re.S)


@cache
def environment() -> Any:
    """Return the templates as the site has them, but with addresses of a fixed shape."""
    env = bare_environment()
    env.filters["clock"] = str
    env.globals.update(
        url_for=_address,
        cached=cached,
        games=GAMES,
    )
    return env


def _address(endpoint: str, **values: Any) -> str:
    steps = urlencode({"step": values.get("step", [])}, doseq=True)
    named = values.get("filename") or values.get("section", "")
    return f"/{endpoint}/{named}{'?' + steps if steps else ''}"


def board(sitting: Sitting, viewer: int | None, since: Sequence[Facts] = ()) -> str:
    """Render the board of a sitting as a viewer sees it."""
    template = environment().get_template(f"games/{sitting.slug}/board.html")
    table = table_of(sitting, viewer, since)
    return str(template.render(table=table, data=sitting.game.data, since=()))


def table_of(sitting: Sitting, viewer: int | None, since: Sequence[Facts] = ()) -> SimpleNamespace:
    """Return what a template is given of a sitting."""
    game, state, seats = sitting.game, sitting.state, sitting.seats
    view, result = game.view(state, viewer), game.result(state)
    moves = [] if viewer is None else game.legal(state, viewer)
    return SimpleNamespace(
        game=sitting.slug,
        view=view,
        moves=moves,
        board=game.board(view, moves, since, result),
        names=NAMES[:seats],
        bots=[False] * seats,
        speakers=[],
        since=since,
        result=result,
        waiting_since=None,
        steps=[],
        match_id=0,
        moves_made=0,
    )


def offered(game: Game, form: Board) -> Iterator[Any]:
    """Yield every move that the controls of a board can send, and every step that is a link."""
    yield from (codec.load(game.Move, step) for step in form.next_steps())
    for move in form.moves() if form.has_button else []:
        for way in form.ways(move):
            fields = MultiDict((choice.name, choice.value) for choice in way)
            yield read_turns(game, fields)[0][-1]
    for control in form.named("before."):
        yield from (
            codec.load(game.Move, choice.value) for choice in control.choices if choice.value
        )


def line_of(slug: str, facts: Facts) -> str:
    """Say what happened in plain text."""
    return " ".join(unescape(in_words(environment(), slug, facts, NAMES).striptags()).split())


def events_of(sitting: Sitting) -> list[Event]:
    """Play a sitting to its end; return all that happens."""
    return [*sitting.events, *(event for turn in sitting.turns() for event in turn.events)]


def theme_of(css: str, name: str) -> list[str]:
    """Return the parts of a sheet that make a theme: dark ones stand in blocks of their own."""
    screen = PRINT.sub("", css)
    light = DARK.sub("", screen)
    return {"light": [light], "dark": [light, *DARK.findall(screen)]}[name]


def colours(css: str) -> dict[str, str]:
    """Return the variables of a rule that are colours."""
    return dict(re.findall(r"(--[a-z-]+): (#[0-9a-f]{3,6});", css))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as the accessibility guidelines define it."""
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
