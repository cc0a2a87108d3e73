"""The page of rules: its examples come out as it says, and it leaves out nothing that counts."""

import re

import pytest

from stockpile_web.games.stonks.moves import Invest
from stockpile_web.settings import ROOT
from tests.games.stonks.table import choosing, deal, play

PAGE = (ROOT / "templates" / "games" / "stonks" / "rules.html").read_text()
NAMES = ["Ann", "Bob", "Carol", "Dave"]


def section(anchor: str) -> str:
    """Return what a section of the page says, in plain text."""
    (found,) = re.findall(rf'<h2 id="{anchor}">(.*?)(?=<h2 |</article>)', PAGE, re.S)
    return " ".join(re.sub(r"<[^>]*>", "", found).split())


def test_the_examples_of_who_starts_come_out_as_the_page_says() -> None:
    shown = {0: "PA1 PA9 MG1", 1: "RA9 RA8 CO1", 2: "RA4 PA2 MG2"}
    for levels in ("RA1 PA2 MG3 GG4 CO5", "RA1 PA1 MG3 GG4 CO5"):
        state = choosing(shown, levels=levels)
        play(state, Invest("PA1", "PA9"), Invest("RA9", "RA8"), Invest("RA4", "PA2"))
        words = "{} starts" if levels.startswith("RA1 PA2") else "{} would start"
        assert words.format(NAMES[state.leader]) in section("portfolio")


@pytest.mark.parametrize("seats", [3, 5])
def test_the_page_tells_where_small_caps_and_blue_chips_start(seats: int) -> None:
    *values, last = (tile.value for tile in deal(seats, "small_caps")[0].tiles)
    assert f"{', '.join(map(str, values))} and {last}" in section("small-caps")
