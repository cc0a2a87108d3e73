"""The button "Take back": to whom it is offered, what it says, and what the log says of it."""

import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from stockpile_web.engine.story import Story, Told
from stockpile_web.games import stockpile
from stockpile_web.web import rate_limits, table
from tests.games.stockpile.ordering import in_order
from tests.games.stockpile.taking_back import DONE, Match3, bid
from tests.support.people import HX, fix_the_deal, seated

BUTTON = re.compile(r"<button[^>]*>Take back</button>")


@pytest.fixture
def demand(app: Flask, sign_up: Callable[..., int], monkeypatch: pytest.MonkeyPatch) -> Match3:
    """A match of three in which the first of them is to bid."""
    fix_the_deal(monkeypatch)
    match = Match3(app, *seated(app, sign_up, 3))
    match.play_to("demand")
    return match


def test_it_is_offered_to_whoever_has_moved_and_to_nobody_else(
    demand: Match3, client: FlaskClient
) -> None:
    ann, bob, carol = in_order(demand)
    assert not BUTTON.search(ann.get(demand.address).text)
    demand.send(ann, bid(1, 2))
    assert len(BUTTON.findall(ann.get(demand.address).text)) == 1
    for other in (bob, carol, client):
        assert not BUTTON.search(other.get(demand.address).text)
    demand.send(bob, bid(0, 0))
    assert not BUTTON.search(ann.get(demand.address).text)
    assert BUTTON.search(bob.get(demand.address).text)


def test_it_says_what_would_be_taken_back(demand: Match3) -> None:
    ann, bob, _ = in_order(demand)
    demand.send(ann, bid(1, 2))
    said = re.search(r'<span id="taken-back">(.*?)</span></p>', ann.get(demand.address).text)
    assert said and "bids $3K on pile 2" in said[1]
    demand.back(ann)
    demand.play_to("selling")
    ann, *_ = in_order(demand)
    demand.send(ann, DONE)
    assert '<span id="taken-back">Your last move.</span>' in ann.get(demand.address).text


def test_it_works_without_javascript(demand: Match3) -> None:
    ann, *_ = in_order(demand)
    demand.send(ann, bid(1, 2))
    page = ann.get(demand.address).text
    found = BUTTON.search(page)
    assert found is not None
    facts = dict(re.findall(r'([\w-]+)="([^"]*)"', found[0]))
    assert f'<form id="{facts["form"]}" method="post"' in page
    answer = ann.post(facts["formaction"], data={facts["name"]: facts["value"]})
    assert (answer.status_code, answer.location) == (303, demand.address)
    assert demand.waiting() == [ann]


def test_by_htmx_it_is_answered_with_the_board_as_it_was(demand: Match3) -> None:
    ann, *_ = in_order(demand)
    demand.send(ann, bid(1, 2))
    form = {"moves_made": demand.made(ann)}
    answer = ann.post(f"{demand.address}/take-back", data=form, headers=HX)
    assert answer.status_code == 200
    assert '<form id="board"' in answer.text and "<html" not in answer.text
    assert not BUTTON.search(answer.text)
    assert answer.text == ann.get(demand.address, headers=HX).text


def test_all_read_of_it_in_the_log_and_can_look_at_each_of_its_turns(
    demand: Match3, client: FlaskClient
) -> None:
    ann, *_ = in_order(demand)
    demand.send(ann, bid(1, 2))
    number = demand.match().version - 1
    demand.back(ann)
    words = f"{demand.name(ann)} takes back move {number}."
    for browser in (*demand.players, client):
        for page in (demand.address, f"{demand.address}/log"):
            text = browser.get(page).text
            assert words in text
            assert "bids $3K on pile 2" in text
        for turn in (number - 1, number, number + 1):
            assert browser.get(f"{demand.address}/turn/{turn}").status_code == 200
    assert words in client.get(f"{demand.address}/turn/{number + 1}").text


def test_what_comes_too_late_is_refused_in_words_with_the_fresh_table(demand: Match3) -> None:
    ann, bob, _ = in_order(demand)
    demand.send(ann, bid(1, 2))
    page = demand.made(ann)
    demand.send(bob, bid(0, 0))
    for headers in ({}, HX):
        form = {"moves_made": page}
        answer = ann.post(f"{demand.address}/take-back", data=form, headers=headers)
        assert answer.status_code == 422
        assert "somebody else has acted" in answer.text
        assert 'id="board"' in answer.text


@pytest.mark.usefixtures("steady_minute")
def test_nobody_can_move_and_take_back_for_ever(
    demand: Match3, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "TAKING_BACK", rate_limits.Limit("take back", 2, 60))
    ann, *_ = in_order(demand)
    for _ in range(2):
        demand.send(ann, bid(1, 2))
        assert demand.back(ann).status_code == 303
    demand.send(ann, bid(1, 2))
    before = demand.match().version
    answer = demand.back(ann)
    assert answer.status_code == 422
    assert "too much for now" in answer.text
    assert demand.match().version == before


def test_the_story_is_told_without_what_was_taken_back(
    demand: Match3, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []

    def listen(turns: list[Told]) -> Story:
        heard[:] = [facts["kind"] for turn in turns for facts in turn.facts]
        return Story([], [], [])

    monkeypatch.setattr(stockpile, "story", listen)
    ann, *_ = in_order(demand)
    for act, bids in ((lambda: demand.send(ann, bid(1, 2)), 1), (lambda: demand.back(ann), 0)):
        act()
        assert client.get(f"{demand.address}/story").status_code == 200
        assert heard.count("bid_placed") == bids and "round_began" in heard
        assert "taken_back" not in heard
