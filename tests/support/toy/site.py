"""The toy on the site: among the games, with its templates beside those of the others."""

from pathlib import Path

import pytest
from flask import Flask
from jinja2 import FileSystemLoader

from stockpile_web.engine import Game
from stockpile_web.games import GAMES
from stockpile_web.words import events
from tests.support import toy

SLUG = "tens"
TOY: Game = toy
TEMPLATES = Path(__file__).parent / "templates"


def add_toy(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let people play the toy in `app`, until the test is over."""
    monkeypatch.setitem(GAMES, SLUG, TOY)
    loader = app.jinja_loader
    assert isinstance(loader, FileSystemLoader)
    monkeypatch.setattr(loader, "searchpath", [*loader.searchpath, str(TEMPLATES)])
    known = events.log_templates
    own = (f"games/{SLUG}/log.html", "table/_events.html")
    monkeypatch.setattr(events, "log_templates", lambda game: own if game == SLUG else known(game))
