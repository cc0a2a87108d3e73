"""Options with a number, from the page of a new table to the rematch: tried on the toy."""

import html
import re

import pytest

from stockpile_web.engine import Option, codec
from stockpile_web.settings import ROOT
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match
from stockpile_web.storage.transactions import writing
from tests.support import toy
from tests.support.people import close, seated, table
from tests.support.toy.site import SLUG, add_toy

FORM = {"game": SLUG, "size": "3", "pace": "day"}
SAID = "“Cards in a hand” is a whole number from 4 to 8, in steps of 2."


@pytest.fixture(autouse=True)
def _toy(app, monkeypatch):
    add_toy(app, monkeypatch)


@pytest.fixture(name="ann")
def _ann(client, sign_up):
    sign_up(client, "ann")
    return client


def tables(app):
    with app.app_context():
        return [match.options for match in db.session.query(Match).order_by(Match.id)]


def hands(app, match_id):
    """Return how many cards each was dealt, whatever bots have laid since."""
    with app.app_context():
        state = codec.load(toy.State, db.session.get_one(Match, match_id).state)
    return [len(hand) + len(laid) for hand, laid in zip(state.hands, state.laid, strict=True)]


def field(page):
    """Return the field of the number, and all that describes it."""
    found = re.search(r'<input id="number\.hand"[^>]*>', page)
    assert found
    described = re.search(r'aria-describedby="([^"]*)"', found[0])
    assert described
    texts = [re.search(rf'id="{re.escape(key)}">(.*?)</p>', page) for key in described[1].split()]
    return found[0], [html.unescape(text[1]) for text in texts if text]


def test_the_page_of_a_new_table_asks_for_a_number_and_says_what_is_usual(ann):
    page = ann.get(f"/tables/new?game={SLUG}").text
    control, described = field(page)
    assert '<label for="number.hand">Cards in a hand</label>' in page
    for part in ('type="number"', 'value="6"', 'min="4"', 'max="8"', 'step="2"'):
        assert part in control
    assert "aria-invalid" not in control
    assert described == [
        "The more there are, the more tens. A number from 4 to 8, in steps of 2, usually 6. "
        "Not with “A short game”."
    ]
    assert page.count('value="hand"') == 0  # It is no rule to add.


def test_a_table_is_played_with_the_number_it_has_chosen_and_shows_it_everywhere(app, sign_up):
    match_id, ann = table(app, sign_up, 3, game=SLUG, listed="on", options=["hand=8"])
    assert tables(app) == ["hand=8"]
    room = ann.get(f"/table/{match_id}").text
    link = re.search(r"/join/[^\"]+", room)
    assert link
    stranger = app.test_client()
    for page in (room, stranger.get(link[0]).text, stranger.get("/tables/listed").text):
        assert '<span class="badge">Cards in a hand 8</span>' in page
    ann.post(f"/table/{match_id}/seating", data={"do": "fill"})
    assert "Played with: Cards in a hand 8" in ann.get(f"/table/{match_id}").text
    assert hands(app, match_id) == [8, 8, 8]


def test_a_form_without_the_field_has_the_usual_number(app, ann):
    assert ann.post("/tables/new", data=FORM).status_code == 303
    assert tables(app) == ["hand=6"]


@pytest.mark.parametrize("typed", ["", " ", "2", "10", "5", "six", "6.5", "-6", "6e0", "9" * 5000])
def test_a_number_that_cannot_be_is_told_at_its_field_and_nothing_is_lost_or_made(app, ann, typed):
    chosen = {**FORM, "number.hand": typed, "name": "Sunday", "listed": "on"}
    answer = ann.post("/tables/new", data=chosen)
    assert answer.status_code == 422
    control, described = field(answer.text)
    assert f'value="{typed}"' in control and 'aria-invalid="true"' in control
    assert described[0] == SAID
    assert f'role="alert">{SAID}' in answer.text  # The top of the page is where it is seen first.
    assert 'value="Sunday"' in answer.text
    assert re.search(r'name="size" value="3"[^>]* checked', answer.text)
    assert re.search(r'name="listed" checked', answer.text)
    assert tables(app) == []


def test_a_number_stays_in_its_field_when_something_else_is_wrong(app, ann):
    answer = ann.post("/tables/new", data={**FORM, "size": "9", "number.hand": "8"})
    assert answer.status_code == 422
    assert 'value="8"' in field(answer.text)[0]


def test_a_number_with_spaces_around_it_is_a_number(app, ann):
    assert ann.post("/tables/new", data={**FORM, "number.hand": " 4 "}).status_code == 303
    assert tables(app) == ["hand=4"]


@pytest.mark.parametrize("typed", ["8", "99", ""])
def test_a_number_that_another_option_makes_meaningless_is_neither_checked_nor_played_nor_shown(
    app, sign_up, typed
):
    form = {"game": SLUG, "options": ["short"], "number.hand": typed}
    match_id, (ann, *_) = seated(app, sign_up, 2, **form)
    assert tables(app) == ["short"]
    page = ann.get(f"/table/{match_id}").text
    assert "Played with: A short game<" in page.replace("\n", "<")
    assert hands(app, match_id) == [3, 3]


@pytest.mark.parametrize("typed", ["8", "99"])
def test_a_number_for_other_numbers_of_players_is_neither_checked_nor_played_nor_shown(
    app, ann, monkeypatch, typed
):
    few = Option("stakes", "Stakes", "For two.", seats=range(2, 3), numbers=range(9), number=1)
    monkeypatch.setattr(toy, "OPTIONS", (*toy.OPTIONS, few))
    page = ann.get(f"/tables/new?game={SLUG}").text
    assert re.search(r'<div data-seats="2">\s*<div class="field">\s*<label for="number.st', page)
    answer = ann.post("/tables/new", data={**FORM, "number.stakes": typed})
    assert answer.status_code == 303
    assert tables(app) == ["hand=6"]
    assert "Stakes" not in ann.get(answer.location).text


def test_the_page_shows_no_number_beside_the_option_that_makes_it_meaningless(ann):
    page = ann.get(f"/tables/new?game={SLUG}").text
    assert re.search(r'value="short" data-rules-out', page)
    assert re.search(r'<div data-unless>\s*<div class="field">\s*<label for="number.hand"', page)
    css = (ROOT / "static" / "pages.css").read_text()
    assert "form:has([data-rules-out]:checked) [data-unless]," in css


def test_the_browser_does_not_stop_at_a_number_that_it_does_not_show(ann):
    page = ann.get(f"/tables/new?game={SLUG}").text
    assert re.search(r'<form class="card" method="post" action="/tables/new" novalidate>', page)


def test_a_rematch_keeps_the_number(app, sign_up):
    match_id, (ann, bob) = seated(app, sign_up, 2, game=SLUG, options=["hand=4"])
    close(match_id, ann, bob)
    again = ann.post(f"/table/{match_id}/seating", data={"do": "rematch"})
    assert again.status_code == 303
    assert tables(app) == ["hand=4", "hand=4"]
    assert "Cards in a hand 4" in ann.get(again.location).text


def test_a_table_that_was_set_up_before_the_game_had_the_number_begins_with_the_usual_one(
    app, sign_up
):
    match_id, ann = table(app, sign_up, 2, game=SLUG)
    with app.app_context(), writing() as session:
        session.get_one(Match, match_id).options = ""
    ann.post(f"/table/{match_id}/seating", data={"do": "fill"})
    assert hands(app, match_id) == [6, 6]
