"""The table by ear: what a screen reader says of it makes sense without the eye."""

import re
from html.parser import HTMLParser

import pytest

from stockpile_web.games import GAMES
from tests.support.looking import board
from tests.support.random_play import Sitting

EMPTY = {"input", "br", "link", "meta", "img", "hr", "use", "path"}


class Reader(HTMLParser):
    """Reads a page aloud: all but what is hidden from the ear."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._hidden = 0  # How many elements deep in one that is hidden.

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in EMPTY and (self._hidden or ("aria-hidden", "true") in attrs):
            self._hidden += 1

    def handle_endtag(self, tag: str) -> None:
        if tag not in EMPTY and self._hidden:
            self._hidden -= 1

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.words.append(data)


def heard(html: str) -> str:
    reader = Reader()
    reader.feed(html)
    return " ".join(" ".join(reader.words).split())


PLATE = re.compile(r'<span class="plate (\w+)".*?</b></span>', re.DOTALL)


def boards(slug: str) -> list[str]:
    """Return the boards of a whole game, as one player and a spectator see them."""
    sitting = Sitting(slug, 4, frozenset(), "aloud")
    return [board(sitting, viewer) for _ in sitting.turns() for viewer in (0, None)]


@pytest.mark.parametrize("slug", ["stockpile", "stonks"])
def test_the_letters_of_a_company_are_for_the_eye_and_its_name_for_the_ear(slug):
    companies = GAMES[slug].data.COMPANIES
    for html in boards(slug):
        assert not re.search(rf"\b({'|'.join(companies)})\b", heard(html))
        # With its letters in place of each plate, its name comes next.
        for letters, after in re.findall(r"\[(\w\w)\](.{,50})", heard(PLATE.sub(r"[\1]", html))):
            assert companies[letters] in after


def test_a_company_that_has_split_is_named_where_it_lies_in_front_of_a_player():
    split = re.compile(r"(\w+ \w+) ×\d split")
    found = {name for html in boards("stockpile") for name in split.findall(heard(html))}
    assert found and found <= set(GAMES["stockpile"].data.COMPANIES.values())
