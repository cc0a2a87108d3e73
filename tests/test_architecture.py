"""docs/architecture.md tells the truth about a move."""

import re
import sys
from collections.abc import Callable
from inspect import getfile
from types import FrameType
from typing import Any

import pytest
from flask import Flask

from stockpile_web.games import GAMES
from stockpile_web.settings import ROOT
from tests.support.known import FIRST
from tests.support.people import HX, on_turn, seated
from tests.web.test_table import form_of

PAGE = (ROOT / "docs" / "architecture.md").read_text()
OURS = str(ROOT / "stockpile_web") + "/"
RULES = getfile(GAMES[FIRST].legal)
PLAYERS = 5
MOST_FILES = 42
MOST_CROSSINGS = 325


class Trace:
    """Which of our files are entered, in their order, and how often the rules are asked."""

    def __init__(self) -> None:
        self.files: list[str] = []
        self.crossings = 0
        self.asked: list[int] = []  # Of which seat each time.
        self._last = ""

    def __call__(self, frame: FrameType, event: str, _arg: Any) -> None:
        name = frame.f_code.co_filename
        if event != "call" or not name.startswith(OURS):
            return
        file = name.removeprefix(OURS)
        if name == RULES and frame.f_code.co_name == "legal":
            self.asked.append(frame.f_locals["seat"])
        file = "games/" if file.startswith("games/") else file
        if file not in self.files:
            self.files.append(file)
        self.crossings += file != self._last
        self._last = file


@pytest.fixture
def trace(app: Flask, sign_up: Callable[..., int]) -> Trace:
    """What happens in a move at a table of five, after one that has warmed everything up."""
    match_id, players = seated(app, sign_up, PLAYERS)
    for seed in range(2):
        player = on_turn(app, match_id, players)[0]
        form = form_of(player, match_id, seed)
        traced = Trace()
        sys.setprofile(traced)
        try:
            answer = player.post(f"/table/{match_id}/move", data=form, headers=HX)
        finally:
            sys.setprofile(None)
        assert answer.status_code == 200
    return traced


def steps() -> list[str]:
    """Return the files of the page's list, in their order."""
    section = PAGE.partition("### A move, file by file")[2].partition("\nTools used")[0]
    return re.findall(r"^\d+\. `([^`]+)`", section, re.M)


def tools() -> set[str]:
    """Return the files that the page names as tools."""
    section = PAGE.partition("\nTools used on the way:")[2].partition("\n\n")[0]
    return set(re.findall(r"`([^`]+)`", section))


def test_a_move_enters_the_files_of_the_page_in_the_order_of_the_page(trace: Trace) -> None:
    assert len(steps()) >= 12
    assert [file for file in trace.files if file not in tools()] == steps()


def test_a_move_does_not_grow(trace: Trace) -> None:
    assert len(trace.files) <= MOST_FILES
    assert trace.crossings <= MOST_CROSSINGS


def test_the_rules_are_asked_once_for_each_seat_and_move(trace: Trace) -> None:
    mover, *after = trace.asked  # What the mover may do, then what everybody may.
    assert sorted(after) == list(range(PLAYERS)), f"seat {mover} has moved"


@pytest.mark.parametrize("name", sorted({*steps(), *tools()} - {"web/response_cache.py"}))
def test_every_file_that_the_page_names_is_there(name: str) -> None:
    assert (ROOT / "stockpile_web" / name).exists()


def test_every_room_is_on_the_page() -> None:
    found = {path.stem for path in (ROOT / "stockpile_web").iterdir() if path.is_dir()}
    rooms = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.M))
    assert found - {"__pycache__"} <= rooms
