"""Matches begun under older rules: upgraded as the game says, or held, never just continued."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from stockpile_web.games import GAMES, stockpile
from stockpile_web.match.rules_versions import can_be_carried_on
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Move
from stockpile_web.web import board_cache
from tests.support.clicking import make_any_move
from tests.support.hourglass import asked, run_out, seats
from tests.support.people import HX, on_turn, seated

TODAY = stockpile.VERSION
TOMORROW = TODAY + 1


@pytest.fixture
def old(
    app: Flask, sign_up: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> tuple[int, list[FlaskClient]]:
    """A match of two that was begun under today's version, on a server that has tomorrow's."""
    match_id, players = seated(app, sign_up, 2)
    monkeypatch.setattr(stockpile, "VERSION", TOMORROW)
    board_cache.clear()
    return match_id, players


def versions(app: Flask, match_id: int) -> tuple[int, list[int]]:
    with app.app_context():
        moves = db.select(Move.rules_version).filter_by(match_id=match_id).order_by(Move.number)
        match = db.session.get_one(Match, match_id)
        return match.rules_version, list(db.session.scalars(moves))


@pytest.mark.parametrize("path", ["", "/turn/0", "/orders", "/story"])
@pytest.mark.parametrize("headers", [{}, HX], ids=["page", "fragment"])
def test_a_match_without_an_upgrade_is_held_and_says_so(
    app: Flask, old: tuple[int, list[FlaskClient]], path: str, headers: dict[str, str]
) -> None:
    match_id, players = old
    answer = players[0].get(f"/table/{match_id}{path}", headers=headers)
    assert answer.status_code == 409
    assert "older rules of Stockpile" in answer.text
    assert "Nothing is lost" in answer.text
    assert ("<html" in answer.text) is not bool(headers)
    # The page of a turn takes the part that shows it out of the whole page.
    boosted = players[0].get(f"/table/{match_id}{path}", headers={**HX, "HX-Boosted": "true"})
    assert '<div id="turn">' in boosted.text


def test_nothing_is_played_in_a_match_that_is_held(
    app: Flask, old: tuple[int, list[FlaskClient]], monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, players = old
    before = versions(app, match_id)
    form = {"moves_made": "0", "move": '{"move":"Done"}'}
    for player in players:
        answer = player.post(f"/table/{match_id}/move", data=form, headers=HX)
        assert answer.status_code in (409, 422)
    name = asked(app, match_id)[0]
    run_out(app, match_id, name)
    assert versions(app, match_id) == before
    assert seats(app, match_id)[name].deadline_at is not None
    assert players[0].get(f"/table/{match_id}/log").status_code == 200


def test_the_administrator_sees_which_matches_are_held(
    app: Flask, old: tuple[int, list[FlaskClient]]
) -> None:
    match_id, players = old
    page = players[0].get("/admin/held")  # The first account is the administrator's.
    assert f"/table/{match_id}" in page.text
    assert f"version {TODAY}" in page.text
    assert players[1].get("/admin/held").status_code == 404


def test_a_match_with_an_upgrade_goes_on_under_the_new_rules(
    app: Flask, old: tuple[int, list[FlaskClient]], monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, players = old
    seen: list[dict[str, Any]] = []

    def upgrade(state: dict[str, Any]) -> dict[str, Any]:
        seen.append(state)
        return state

    monkeypatch.setitem(stockpile.UPGRADES, TODAY, upgrade)
    assert players[0].get(f"/table/{match_id}").status_code == 200
    assert seen
    assert versions(app, match_id) == (TODAY, [TODAY])  # Looking changes nothing.
    make_any_move(on_turn(app, match_id, players)[0], match_id, Random(1))
    assert versions(app, match_id) == (TOMORROW, [TODAY, TOMORROW])
    seen.clear()
    make_any_move(on_turn(app, match_id, players)[0], match_id, Random(1))
    assert seen == []
    for number in range(3):
        assert players[0].get(f"/table/{match_id}/turn/{number}").status_code == 200
    assert len(seen) == 1  # Of the turn before the upgrade.


def test_a_match_of_newer_rules_is_held_too(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES["stockpile"]
    assert can_be_carried_on(game, game.VERSION)
    assert not can_be_carried_on(game, game.VERSION + 1)
    monkeypatch.setattr(stockpile, "VERSION", 4)
    monkeypatch.setattr(stockpile, "UPGRADES", {2: dict, 3: dict})
    assert can_be_carried_on(game, 2)
    assert not can_be_carried_on(game, 1)
