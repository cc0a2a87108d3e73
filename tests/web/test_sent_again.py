"""Forms of several transactions: what is said when one ends on the way, and sending it again."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select
from werkzeug.test import TestResponse

from stockpile_web.match import seating, tallies
from stockpile_web.match.turn import Turn
from stockpile_web.storage.database import Away, Busy, db, now
from stockpile_web.storage.models import Match, User, Vacation
from stockpile_web.storage.models.audit import Audit
from stockpile_web.web import table
from stockpile_web.web.accounts import confirming, hours, signing
from stockpile_web.web.breaker import Breaker
from tests.conftest import PASSWORD
from tests.support.known import FIRST
from tests.support.people import seated
from tests.support.playing import play
from tests.web.test_busy import resent

BusyOnce = Callable[..., list[Any]]


@pytest.fixture
def busy_once(app: Flask, monkeypatch: pytest.MonkeyPatch) -> BusyOnce:
    """Makes a function meet a lock when it is first called; returns what it is called with."""

    def make(owner: Any, name: str, trouble: type[Busy] = Busy) -> list[Any]:
        real, calls = getattr(owner, name), list[Any]()

        def act(*args: Any, **kwargs: Any) -> Any:
            calls.append(args)
            if len(calls) == 1:
                raise trouble
            return real(*args, **kwargs)

        monkeypatch.setattr(owner, name, act)
        return calls

    return make


@pytest.fixture
def ann(client: FlaskClient, sign_up: Callable[..., int]) -> FlaskClient:
    sign_up(client, "ann")
    return client


def must_have_begun(answer: TestResponse, app: Flask) -> None:
    """See what is said of a form that ended on the way; then the lock is gone."""
    assert answer.status_code == 503
    assert "A part of what you sent was done" in answer.text
    app.extensions["breaker"] = Breaker()


def count(app: Flask, kind: type[Any]) -> int:
    with app.app_context():
        return db.session.scalar(select(func.count()).select_from(kind)) or 0


def test_a_vacation_that_was_stored_is_announced_by_sending_it_again(
    app: Flask, ann: FlaskClient, busy_once: BusyOnce
) -> None:
    calls = busy_once(hours, "hours_changed")
    day = now().date() + timedelta(days=9)
    form = {"first_day": str(day), "last_day": str(day)}
    must_have_begun(ann.post("/account/vacations", data=form), app)
    answer = ann.post("/account/vacations", data=form, follow_redirects=True)
    assert "Your vacation is announced" in answer.text
    assert len(calls) == 2 and count(app, Vacation) == 1


def test_a_vacation_that_was_taken_back_is_taken_back_by_sending_it_again(
    app: Flask, ann: FlaskClient, busy_once: BusyOnce
) -> None:
    day = now().date() + timedelta(days=9)
    ann.post("/account/vacations", data={"first_day": str(day), "last_day": str(day)})
    with app.app_context():
        end = f"/account/vacations/{db.session.scalar(select(Vacation.id))}/end"
    calls = busy_once(hours, "hours_changed")
    must_have_begun(ann.post(end), app)
    assert ann.post(end).status_code == 303
    assert len(calls) == 2 and count(app, Vacation) == 0


def test_an_account_that_was_left_half_deleted_is_deleted_by_sending_it_again(
    app: Flask, sign_up: Callable[..., int], busy_once: BusyOnce
) -> None:
    match_id, players = seated(app, sign_up, 2)
    busy_once(tallies, "forget")  # The seat is a bot's by then.
    form = {"password": PASSWORD}
    must_have_begun(players[1].post("/account/delete", data=form), app)
    answer = players[1].post("/account/delete", data=form, follow_redirects=True)
    assert "Your account is deleted" in answer.text
    with app.app_context():
        bob = db.session.scalars(select(User).order_by(User.id.desc())).first()
        assert bob is not None and bob.deleted_at and bob.name is None
        told = select(func.count()).where(Audit.user_id == bob.id, Audit.event == "deleted")
        assert db.session.scalar(told) == 1


def test_a_stranger_who_tries_a_game_sends_it_again_as_the_guest_they_are_by_now(
    app: Flask, client: FlaskClient, busy_once: BusyOnce
) -> None:
    app.config["WTF_CSRF_ENABLED"] = True
    page = client.get("/").text
    found = re.search('name="csrf_token" value="([^"]+)"', page)
    assert found
    busy_once(seating, "start_with_bots")
    answer = client.post(f"/try/{FIRST}", data={"csrf_token": found[1]})
    must_have_begun(answer, app)
    assert count(app, Match) == 0  # No table is left behind.
    again = client.post(f"/try/{FIRST}", data=resent(answer.text))
    assert again.status_code == 303 and "/table/" in again.location
    assert (count(app, Match), count(app, User)) == (1, 1)


def test_a_turn_that_could_not_be_played_on_leaves_no_table_behind(
    app: Flask, sign_up: Callable[..., int], busy_once: BusyOnce
) -> None:
    match_id, players = seated(app, sign_up, 2)
    play(app, match_id)
    busy_once(Turn, "resume")
    before = count(app, Match)
    address = f"/table/{match_id}/turn/1/play-on"
    answer = players[0].post(address, data={"seat": "0"})
    assert answer.status_code == 503 and "was not done" in answer.text
    assert count(app, Match) == before
    app.extensions["breaker"] = Breaker()
    assert players[0].post(address, data=resent(answer.text)).status_code == 303
    assert count(app, Match) == before + 1


@pytest.mark.parametrize(
    ("owner", "name"), [(confirming, "ask"), (signing, "sign_in_on_this_device")]
)
def test_whoever_cannot_be_signed_in_at_once_hears_that_they_have_an_account(
    app: Flask, client: FlaskClient, busy_once: BusyOnce, owner: Any, name: str
) -> None:
    busy_once(owner, name)
    form = {"name": "ann", "password": PASSWORD}
    answer = client.post("/sign-up", data=form, follow_redirects=True)
    assert answer.status_code == 200 and "Your account is made" in answer.text
    assert client.post("/sign-in", data=form).status_code == 303


def test_that_somebody_has_tried_is_no_part_of_what_they_sent(
    app: Flask, sign_up: Callable[..., int], busy_once: BusyOnce
) -> None:
    match_id, players = seated(app, sign_up, 2)
    busy_once(table, "changing")
    answer = players[0].post(f"/table/{match_id}/take-back")  # Tries are counted.
    assert answer.status_code == 503 and "was not done" in answer.text


@pytest.mark.parametrize(
    ("trouble", "said"), [(Busy, "was not done"), (Away, "was most likely not done: look")]
)
def test_a_program_is_told_whether_what_it_sent_may_have_been_done(
    app: Flask, make_app: Callable[..., Flask], trouble: type[Busy], said: str
) -> None:
    site = make_app(PROPAGATE_EXCEPTIONS=False)

    def fail() -> str:
        raise trouble

    site.add_url_rule("/api/v1/odd", "odd", fail, methods=["POST"])
    answer = site.test_client().post("/api/v1/odd")
    assert answer.status_code == 503 and answer.json is not None
    assert said in answer.json["error"]["message"]
