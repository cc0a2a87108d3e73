"""A turn that is built on the page: links that take a step more or one back, and one form."""

import re
from collections.abc import Callable
from html import unescape
from random import Random

import pytest
from flask import Flask
from flask.testing import FlaskClient

from stockpile_web.engine.steps import MOST_STEPS
from stockpile_web.web.steps import NOT_OPEN_ANY_MORE
from tests.support.clicking import Board, make_any_move
from tests.support.people import HX, seated
from tests.support.toy.moves import LAY, PASS, Pick
from tests.support.toy.table import TURN, Tens, deal

TOKEN = re.compile(r'(csrf_token" value=|X-CSRFToken": )"[^"]*"')
PICK = '{"move":"Pick","number":3}'


@pytest.fixture
def tens(app: Flask, sign_up: Callable[..., int], monkeypatch: pytest.MonkeyPatch) -> Tens:
    """A match of three people; Ann is to lay a ten."""
    return Tens(app, *seated(app, sign_up, 3, **deal(monkeypatch, app)))


def link(page: str, label: str) -> str:
    """Return where a link leads."""
    found = re.search(rf'<a[^>]* href="([^"#]*)#board"[^>]*>{label}</a>', page)
    assert found, label
    return unescape(found[1])


def steps_in(page: str) -> list[str]:
    """Return the steps that the form carries."""
    return [choice.value for control in Board(page).named("step") for choice in control.choices]


def test_whoever_reads_the_controls_finds_every_step_and_what_completes_the_turn(
    tens: Tens,
) -> None:
    ann = tens.players[0]
    page = Board(ann.get(tens.address).text)
    assert page.next_steps() == [f'{{"move":"Pick","number":{number}}}' for number in (3, 4, 6, 7)]
    assert [move.value for move in page.moves()] == ['{"move":"Pass"}']
    page = Board(ann.get(page.steps[0]).text)
    assert page.next_steps() == ['{"move":"Pick","number":7}'] and not page.moves()
    page = Board(ann.get(page.steps[0]).text)
    assert page.next_steps() == [] and [move.value for move in page.moves()] == ['{"move":"Lay"}']


def test_turns_in_steps_are_played_at_random(tens: Tens) -> None:
    ann, chooser = tens.players[0], Random(3)
    make_any_move(ann, tens.id, chooser)
    assert len(tens.moves()) > 0 and tens.seat(0).moves_made == 1


def test_a_whole_turn_is_built_by_links_and_one_form_without_scripts(tens: Tens) -> None:
    ann = tens.players[0]
    page = ann.get(tens.address).text
    assert "Pick 3" in page and "Pass</button>" in page and "Begin again" not in page
    page = ann.get(link(page, "Pick 3")).text
    assert "You have picked 3: 3 of 10." in page and "Pass</button>" not in page
    page = ann.get(link(page, "Pick 7")).text
    assert "Pick " not in page and "Lay them</button>" in page
    assert steps_in(page) == ['{"move":"Pick","number":3}', '{"move":"Pick","number":7}']
    form = {"moves_made": "0", "step": steps_in(page), "move": '{"move":"Lay"}'}
    assert ann.post(f"{tens.address}/move", data=form).status_code == 303
    assert tens.state().laid[0] == [3, 7]


def test_one_step_back_and_all_of_them(tens: Tens) -> None:
    ann = tens.players[0]
    page = tens.look(ann, Pick(3), Pick(7)).text
    back = ann.get(link(page, "Back")).text
    assert steps_in(back) == [PICK]
    assert steps_in(ann.get(link(back, "Back")).text) == []
    again = ann.get(link(page, "Begin again")).text
    assert steps_in(again) == [] and "pick cards that add up to ten" in again


def test_building_a_turn_changes_nothing_and_shows_nobody_anything(
    tens: Tens, client: FlaskClient
) -> None:
    ann, bob, carol = tens.players
    before = tens.all_of_it()
    seen = [TOKEN.sub("", each.get(tens.address).text) for each in (bob, carol, client)]
    assert "You have picked" in tens.look(ann, Pick(3)).text
    assert tens.all_of_it() == before
    assert [TOKEN.sub("", each.get(tens.address).text) for each in (bob, carol, client)] == seen
    for other in (bob, carol, client):
        page = tens.look(other, Pick(3)).text
        assert NOT_OPEN_ANY_MORE in page and steps_in(page) == []
    assert steps_in(ann.get(tens.address).text) == []


def test_no_cache_keeps_a_turn_that_is_being_built(tens: Tens) -> None:
    ann = tens.players[0]
    for headers in (None, HX):
        plain = ann.get(tens.address, headers=headers)
        tag = plain.headers["ETag"]
        built = tens.look(ann, Pick(3), headers={**(headers or {}), "If-None-Match": tag})
        assert built.status_code == 200
        assert "ETag" not in built.headers
        assert built.headers["Cache-Control"] == "private, no-cache"
        assert steps_in(built.text) == [PICK]
        assert steps_in(ann.get(tens.address, headers=headers).text) == []


def test_htmx_gets_the_table_alone(tens: Tens) -> None:
    answer = tens.look(tens.players[0], Pick(3), headers=HX)
    assert "<html" not in answer.text and 'id="board"' in answer.text
    assert 'hx-get="/table/' in answer.text
    assert "HX-Request" in answer.headers["Vary"]


def test_steps_that_are_not_open_any_more_give_the_table_as_it_stands(tens: Tens) -> None:
    ann, bob, _ = tens.players
    for steps in ([Pick(9)], [Pick(3), Pick(4)], [Pick(7), Pick(7)]):
        answer = tens.look(ann, *steps)
        assert answer.status_code == 200
        assert NOT_OPEN_ANY_MORE in answer.text and steps_in(answer.text) == []
    tens.send(ann, *TURN)
    assert NOT_OPEN_ANY_MORE in tens.look(ann, Pick(4)).text
    assert steps_in(tens.look(bob, Pick(5)).text)


def test_steps_of_an_earlier_turn_are_not_taken_in_the_next(tens: Tens) -> None:
    ann, bob, carol = tens.players
    page = ann.get(tens.address).text
    old = link(page, "Pick 4")
    assert steps_in(ann.get(old).text)
    tens.send(ann, *TURN)
    tens.send(bob, PASS)
    tens.send(carol, PASS)
    assert steps_in(tens.look(ann, Pick(4)).text)
    assert NOT_OPEN_ANY_MORE in ann.get(old).text


@pytest.mark.parametrize("step", ["", "x", "[]", "{}", '{"move":"Lay"}', "[" * 300, '{"move":1}'])
def test_what_is_no_step_is_answered_in_words(tens: Tens, step: str) -> None:
    answer = tens.ask(tens.players[0], [step])
    assert answer.status_code == 422
    assert "These are no steps of a turn" in answer.text
    assert 'id="board"' in answer.text


def test_too_many_steps_and_too_long_ones_are_answered_in_words(tens: Tens) -> None:
    for texts in ([PICK] * (MOST_STEPS + 1), [PICK + " " * 1000]):
        answer = tens.ask(tens.players[0], texts)
        assert answer.status_code == 422
        assert f"at most {MOST_STEPS} steps" in answer.text


def test_a_form_that_is_refused_keeps_the_steps_that_are_open(tens: Tens) -> None:
    ann = tens.players[0]
    answer = tens.send(ann, Pick(3), LAY)
    assert answer.status_code == 422
    assert steps_in(answer.text) == [PICK]
    stale = tens.send(ann, Pick(3), Pick(7), LAY, moves_made="7")
    assert stale.status_code == 409
    assert steps_in(stale.text) == []


def test_whoever_talks_meanwhile_keeps_their_steps(tens: Tens) -> None:
    ann = tens.players[0]
    said = {"text": "Just a moment", "step": [PICK], "moves_made": "0"}
    answer = ann.post(f"{tens.address}/chat", data=said, headers=HX)
    assert "Just a moment" in answer.text and steps_in(answer.text) == [PICK]
    page = ann.get(tens.address).text
    for form in ("say-form", "read-form"):
        assert re.search(rf'<form id="{form}"[^>]* hx-include="#steps"', page)


def test_news_asks_for_the_steps_that_are_on_the_page_and_for_nothing_without(tens: Tens) -> None:
    """htmx sends what lies in the element that `hx-include` names with its question for news."""
    ann = tens.players[0]
    page = tens.look(ann, Pick(3)).text
    asks = re.search(
        r'<div hidden id="ask-for-news" hx-get="[^"?]*"[^>]*hx-include="#([^"]*)"', page
    )
    assert asks
    for shown, names in ((page, ["step", "moves_made"]), (ann.get(tens.address).text, [])):
        included = re.search(rf'<div id="{asks[1]}" hidden>(.*?)</div>', shown, re.S)
        assert included and re.findall(r'name="(\w+)"', included[1]) == names
        assert shown.count('name="moves_made"') == 1
    answer = tens.ask(ann, steps_in(page), HX, moves_made="0")
    assert steps_in(answer.text) == [PICK]
