"""The form for standing orders: it fits every moment of every mix, and sends back what it shows."""

import re
from functools import cache
from html.parser import HTMLParser
from random import Random
from typing import Any

import pytest

from stockpile_web.engine import IllegalMove
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.data import BID_TRACK, COMPANIES
from stockpile_web.games.stockpile.orders.book import (
    ALWAYS,
    ASK,
    CHEAPEST,
    NEVER,
    ROUND,
    WORTH,
    Book,
    Offer,
    coming_round,
    look,
)
from stockpile_web.games.stockpile.orders.reading import read
from stockpile_web.games.stockpile.orders.sheet import BEFORE_BIDS, GUESSED, sheet
from stockpile_web.games.stockpile.view import View
from stockpile_web.words.events import bare_environment
from tests.games.stockpile.table import begin, play, table
from tests.support.option_sets import large
from tests.support.random_play import Sitting

MIXES: list[frozenset[str]] = [frozenset(), *large(stockpile)[:2]]


class Form(HTMLParser):
    """The fields that a browser would send."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self._list = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = {key: value or "" for key, value in attrs}
        kind = facts.get("type")
        if tag == "select":
            self._list = facts["name"]
            self.fields[self._list] = ""
        elif tag == "option" and "selected" in facts:
            self.fields[self._list] = facts["value"]
        elif tag == "input" and (kind == "hidden" or "checked" in facts):
            self.fields[facts["name"]] = facts.get("value", "on")


@cache
def words() -> Any:
    return bare_environment().get_template("games/stockpile/orders.html").module


def some_book(view: View, random: Random) -> Book:
    """Return a book such as a player could leave now; after the last sale little is left to say."""
    if coming_round(view) > view.rounds:
        return Book(round=coming_round(view), dividends=NEVER)
    piles = view.piles if view.phase in BEFORE_BIDS else []
    wanted = [pile for pile in range(len(piles)) if random.random() < 0.6]
    random.shuffle(wanted)
    ways = [ASK, CHEAPEST, *([] if view.phase == "auction" else [WORTH])]
    then = random.choice(ways) if piles else ASK
    sold = {company: random.choice(["", "", "now", 8]) for company in COMPANIES}
    return Book(
        round=coming_round(view),
        offers=[Offer(p, random.randrange(len(BID_TRACK)), look(piles[p])) for p in wanted],
        then=then,
        worth={card: random.randrange(9) for card in (*COMPANIES, *GUESSED)}
        if then == WORTH
        else {},
        anyway=bool(piles) and view.phase not in ("auction", "demand") and random.random() < 0.5,
        now=[company for company, word in sold.items() if word == "now"],
        at={company: 5 for company, word in sold.items() if word == 8},
        rest=random.choice([ASK, ROUND, ALWAYS]),
        dividends=random.choice([ASK, ALWAYS, NEVER]),
        boom=random.choice(["", *COMPANIES]),
        bust=random.choice(["", *COMPANIES]),
    )


@pytest.mark.parametrize("seats", stockpile.SEATS)
@pytest.mark.parametrize("mix", MIXES, ids=lambda keys: str(len(keys)))
def test_the_form_sends_back_what_it_shows(seats: int, mix: frozenset[str]) -> None:
    random, phases = Random(seats), set()
    sitting = Sitting("stockpile", seats, mix, "forms")
    for number, _ in enumerate(sitting.turns()):
        state = sitting.state
        if stockpile.result(state) or (number % 9 and state.phase in phases):
            continue
        phases.add(state.phase)
        view = stockpile.view(state, random.randrange(seats))
        book = some_book(view, random)
        shown = sheet(book, view)
        assert read(Form(words().fields(shown)).fields, view) == book
        told = words().told(shown)
        lines = re.sub(r" <button.*?</button>", "", told)
        assert told.count("<li>") == lines.count(".</li>")
    assert len(phases) > 3


def test_a_book_with_nothing_in_it_is_no_book() -> None:
    state = table(piles="CC | AA | BB")
    begin(state, "demand")
    view = stockpile.view(state, 0)
    assert read(Form(words().fields(sheet(Book(), view))).fields, view) == Book()
    told = words().told(sheet(Book(), view))
    assert told.count("<li>") == 1 and "You are asked about every dividend." in told


def test_orders_are_for_the_next_round_once_a_player_has_sold() -> None:
    state = table(shares={0: "CC", 1: "AA", 2: "BB"}, round=2)
    begin(state, "selling")
    assert [coming_round(stockpile.view(state, seat)) for seat in range(3)] == [2, 2, 2]
    play(state, 0, stockpile.legal(state, 0)[0])
    assert [coming_round(stockpile.view(state, seat)) for seat in range(3)] == [3, 2, 2]
    shown = sheet(Book(round=3, now=["CC"]), stockpile.view(state, 0))
    assert shown.is_next
    assert "next round" in words().told(shown)


def test_a_form_of_the_last_round_is_refused() -> None:
    state = table(piles="CC | AA | BB", round=2)
    begin(state, "demand")
    with pytest.raises(IllegalMove, match="A new round has begun"):
        read({"round": "1"}, stockpile.view(state, 0))


def test_backs_are_counted_and_never_named() -> None:
    state = table(piles="CC (boom) | (AA) (BB) | EE")
    begin(state, "demand")
    piles = sheet(Book(), stockpile.view(state, 0)).piles
    assert [(pile.cards, pile.backs) for pile in piles] == [(["CC"], 1), ([], 2), (["EE"], 0)]
    assert [pile.look for pile in piles] == ["CC ?", "? ?", "EE"]
