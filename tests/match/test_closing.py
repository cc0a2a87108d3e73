"""Closing a match that is played: the host asks, and everybody else who is here must agree."""

import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from stockpile_web import live
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match
from stockpile_web.web import rate_limits
from stockpile_web.web.lobby import seats
from tests.support.hourglass import change_seat, miss_turns
from tests.support.people import close, seated, table

Three = tuple[int, list[FlaskClient]]


@pytest.fixture
def three(app: Flask, sign_up: Callable[..., int]) -> Three:
    """A match of three that has begun; Ann hosts."""
    return seated(app, sign_up, 3)


def status(app: Flask, match_id: int) -> str:
    with app.app_context():
        return db.session.get_one(Match, match_id).status


def do(player: FlaskClient, match_id: int, what: str) -> str:
    answer = player.post(f"/table/{match_id}/seating", data={"do": what}, follow_redirects=True)
    return answer.text


def test_a_match_is_closed_once_all_the_others_agree(app: Flask, three: Three) -> None:
    match_id, (ann, bob, carol) = three
    page = do(ann, match_id, "close")
    assert "You ask to close this table." in page
    assert re.search("(bob and carol|carol and bob) have not answered yet", page)
    assert status(app, match_id) == "playing"
    assert "ann asks to close this table." in bob.get(f"/table/{match_id}").text
    do(bob, match_id, "closing close")
    assert status(app, match_id) == "playing"
    page = ann.get(f"/table/{match_id}").text
    assert "carol has not answered yet. bob agrees." in page
    do(carol, match_id, "closing close")
    assert status(app, match_id) == "closed"
    assert "Play again with the same people" in bob.get(f"/table/{match_id}").text


def test_one_who_would_rather_play_on_ends_the_question(app: Flask, three: Three) -> None:
    match_id, (ann, bob, carol) = three
    do(ann, match_id, "close")
    do(bob, match_id, "closing close")
    do(carol, match_id, "closing play")
    for player in (ann, bob, carol):
        page = player.get(f"/table/{match_id}").text
        assert "The table stays open: carol would rather play on." in page
        assert "asks to close" not in page
    assert "Nobody asks any more" in do(bob, match_id, "closing close")
    assert status(app, match_id) == "playing"
    do(ann, match_id, "close")  # And asked once more: what Bob said before is past.
    do(carol, match_id, "closing close")
    assert status(app, match_id) == "playing"


def test_the_host_may_think_better_of_it(app: Flask, three: Three) -> None:
    match_id, (ann, bob, carol) = three
    do(ann, match_id, "close")
    do(ann, match_id, "closing play")
    assert 'id="closing"' not in bob.get(f"/table/{match_id}").text
    do(bob, match_id, "closing close")
    do(carol, match_id, "closing close")
    assert status(app, match_id) == "playing"


def test_a_match_without_other_people_is_closed_at_once(
    app: Flask, sign_up: Callable[..., int]
) -> None:
    match_id, ann = table(app, sign_up, 3)
    do(ann, match_id, "fill")
    do(ann, match_id, "close")
    assert status(app, match_id) == "closed"


def test_whoever_is_away_for_long_or_lets_a_bot_play_is_not_asked(app: Flask, three: Three) -> None:
    match_id, (ann, bob, carol) = three
    do(carol, match_id, "away")
    miss_turns(app, match_id, "bob")
    do(ann, match_id, "close")
    assert status(app, match_id) == "closed"


def test_if_somebody_leaves_who_has_not_answered_the_host_can_close_without_them(
    app: Flask, three: Three
) -> None:
    match_id, (ann, bob, carol) = three
    do(ann, match_id, "close")
    do(bob, match_id, "closing close")
    change_seat(app, match_id, "carol", missed=3)
    assert 'value="closing close"' in ann.get(f"/table/{match_id}").text
    do(ann, match_id, "closing close")
    assert status(app, match_id) == "closed"


def test_nobody_but_the_host_asks_and_nobody_but_a_player_answers(
    app: Flask, three: Three, sign_up: Callable[..., int]
) -> None:
    match_id, (ann, bob, _) = three
    eve = app.test_client()
    sign_up(eve, "eve")
    address = f"/table/{match_id}/seating"
    assert bob.post(address, data={"do": "close"}).status_code == 403
    do(ann, match_id, "close")
    assert eve.post(address, data={"do": "closing close"}).status_code == 403
    assert 'id="closing"' not in eve.get(f"/table/{match_id}").text
    assert "decide that" in do(bob, match_id, "closing x")
    assert status(app, match_id) == "playing"


def test_the_host_cannot_ask_again_and_again(three: Three, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "ASKS", rate_limits.Limit("ask to close a match", 1, 60))
    match_id, (ann, bob, _) = three
    do(ann, match_id, "close")
    do(bob, match_id, "closing play")
    page = do(ann, match_id, "close")
    assert "You have asked often enough" in page
    assert "asks to close" not in bob.get(f"/table/{match_id}").text


def test_open_pages_are_told_of_the_question_and_of_each_answer(
    three: Three, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, (ann, bob, _) = three
    told: list[int] = []
    monkeypatch.setattr(live, "moved", told.append)
    do(ann, match_id, "close")
    do(bob, match_id, "closing close")
    assert told == [match_id, match_id]


def test_an_open_page_of_a_match_that_is_over_shows_the_rematch(three: Three) -> None:
    match_id, (ann, bob, carol) = three
    close(match_id, ann, bob, carol)
    address = f"/table/{match_id}"
    tag = carol.get(address).headers["ETag"]
    again = ann.post(f"{address}/seating", data={"do": "rematch"}).location
    page = carol.get(address, headers={"If-None-Match": tag, "HX-Request": "true"})
    assert page.status_code == 200
    assert "A rematch with the same people is set up" in page.text
    assert "Join the rematch" in page.text
    assert carol.post(f"{address}/seating", data={"do": "rematch"}).location == again
