"""While the database is locked or away: what people are told, and how they go on."""

import html
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event, func, select, text, update
from werkzeug.datastructures import MultiDict

from stockpile_web.settings import UPLOAD_PATH
from stockpile_web.storage.database import Away, Busy, db, file_of, now
from stockpile_web.storage.models import ApiToken, Attempt, Device, Match
from stockpile_web.storage.transactions import reading, writing
from stockpile_web.web import auth, breaker, busy
from stockpile_web.web.api import limits
from stockpile_web.web.breaker import Breaker
from tests.support.people import HX, on_turn, seated
from tests.support.programs import program_of
from tests.web.test_table import form_of

Three = tuple[int, list[FlaskClient]]
FIELD = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)">')


@pytest.fixture
def three(app: Flask, sign_up: Callable[..., int]) -> Three:
    return seated(app, sign_up, 3)


@contextmanager
def locked(app: Flask, match_id: int) -> Iterator[None]:
    """Hold what a change of this match needs, as another program might."""
    with ExitStack() as stack, app.app_context():
        if file := file_of(db.engine):
            program = stack.enter_context(closing(sqlite3.connect(file, isolation_level=None)))
            program.execute("BEGIN IMMEDIATE")
        else:
            other = stack.enter_context(db.engine.connect()).execution_options(writes=True)
            other.execute(select(Match.id).where(Match.id == match_id).with_for_update())
            stack.callback(other.rollback)
        yield


def resent(page: str) -> MultiDict[str, str]:
    """Return what the button of a page sends."""
    assert "Send it again</button>" in page
    return MultiDict(
        (html.unescape(name), html.unescape(value)) for name, value in FIELD.findall(page)
    )


def test_a_move_that_met_a_lock_is_sent_again_by_a_button_and_made_once(
    app: Flask, three: Three
) -> None:
    match_id, players = three
    player = on_turn(app, match_id, players)[0]
    form = form_of(player, match_id)
    with locked(app, match_id):
        answer = player.post(f"/table/{match_id}/move", data=form)
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert answer.headers["Cache-Control"] == "no-store"
    assert "was not done" in answer.text
    assert resent(answer.text) == form
    time.sleep(breaker.REST_SECONDS)
    for _ in range(2):  # A second press counts once.
        again = player.post(f"/table/{match_id}/move", data=resent(answer.text))
        assert again.status_code == 303
    with app.app_context():
        version = db.session.scalar(select(Match.version).where(Match.id == match_id))
    assert version == 2  # The deal, and one move.


def test_htmx_is_told_in_a_sentence_and_keeps_its_page(app: Flask, three: Three) -> None:
    match_id, players = three
    with locked(app, match_id):
        answer = players[0].post(f"/table/{match_id}/chat", data={"text": "Hi"}, headers=HX)
    assert answer.status_code == 503
    assert answer.mimetype == "text/plain"
    assert answer.text == "Busy just now. What you sent was not done. Please send it again."


def test_whoever_comes_while_one_tries_is_told_at_once_and_one_success_ends_it(
    app: Flask, three: Three, caplog: pytest.LogCaptureFixture
) -> None:
    match_id, players = three
    say = {"text": "Hi"}
    with locked(app, match_id):
        assert players[0].post(f"/table/{match_id}/chat", data=say).status_code == 503
    # Nothing is locked any more, but whoever is too quick is not let through to find out.
    assert players[1].post(f"/table/{match_id}/chat", data=say).status_code == 503
    assert players[1].get(f"/table/{match_id}").status_code == 200
    time.sleep(breaker.REST_SECONDS)
    assert players[1].post(f"/table/{match_id}/chat", data=say).status_code == 303
    assert players[2].post(f"/table/{match_id}/chat", data=say).status_code == 303
    told = [line.message for line in caplog.records if line.name == breaker.__name__]
    assert ["locked" in told[0], "again" in told[1]] == [True, True] and len(told) == 2


def test_a_form_that_wrote_nothing_does_not_end_the_trouble(app: Flask, three: Three) -> None:
    match_id, players = three
    with locked(app, match_id):
        players[0].post(f"/table/{match_id}/chat", data={"text": "Hi"})
    time.sleep(breaker.REST_SECONDS)
    too_long = players[0].post(f"/table/{match_id}/chat", data={"text": "x" * 501})
    assert too_long.status_code == 422
    assert app.extensions["breaker"].troubles
    assert players[0].post(f"/table/{match_id}/chat", data={"text": "Hi"}).status_code == 303
    assert not app.extensions["breaker"].troubles


def test_a_move_that_the_rules_refuse_ends_the_trouble(app: Flask, three: Three) -> None:
    match_id, players = three
    player = on_turn(app, match_id, players)[0]
    form = form_of(player, match_id)
    with locked(app, match_id):
        assert player.post(f"/table/{match_id}/move", data=form).status_code == 503
    time.sleep(breaker.REST_SECONDS)
    stale = MultiDict({**form, "moves_made": "9"})
    assert player.post(f"/table/{match_id}/move", data=stale).status_code == 409
    assert not app.extensions["breaker"].troubles


def test_whoever_has_waited_for_a_thread_for_long_does_not_wait_for_a_lock_as_well(
    app: Flask, three: Three
) -> None:
    match_id, players = three
    queued = {"server.arrived": time.monotonic() - 2 * busy.QUEUED_SECONDS}
    look = f"/table/{match_id}/log"
    assert players[0].get(look, environ_overrides=queued).status_code == 200
    app.extensions["breaker"].failed("another page", Busy())
    assert players[0].get(look, environ_overrides=queued).status_code == 503
    assert players[0].get(look).status_code == 200


def test_no_password_is_shown_again(app: Flask, client: FlaskClient) -> None:
    app.extensions["breaker"].failed("accounts.sign_in of all", Busy())
    app.extensions["breaker"].failed(busy.FORMS, Busy())
    answer = client.post("/sign-in", data={"name": "ann", "password": "hunter222"})
    assert answer.status_code == 503
    assert "hunter222" not in answer.text and "<form" not in answer.text
    assert "Go back" in answer.text


def test_no_file_is_sent_again(app: Flask, three: Three) -> None:
    app.extensions["breaker"].failed("imports.bring_in of all", Busy())
    app.extensions["breaker"].failed(busy.FORMS, Busy())
    form = {"file": (BytesIO(b"{}"), "match.json"), "why": "to read it"}
    answer = three[1][0].post(UPLOAD_PATH, data=form)
    assert answer.status_code == 503
    assert "<form" not in answer.text and "Go back" in answer.text


def test_the_page_repeats_the_token_that_was_sent_and_gives_no_other(
    app: Flask, make_app: Callable[..., Flask], three: Three
) -> None:
    match_id, players = three
    guarded = make_app(WTF_CSRF_ENABLED=True)
    browser = guarded.test_client()
    cookie = players[0].get_cookie("session")
    assert cookie is not None
    browser.set_cookie("session", cookie.value)
    found = re.search('name="csrf_token"[^>]* value="([^"]+)"', browser.get("/account").text)
    assert found
    guarded.extensions["breaker"].failed(busy.FORMS, Busy())
    guarded.extensions["breaker"].failed(f"match {match_id}", Busy())
    form = {"csrf_token": found[1], "text": "Hi"}
    answer = browser.post(f"/table/{match_id}/chat", data=form)
    assert answer.status_code == 503 and resent(answer.text).to_dict() == form
    forged = browser.post(f"/table/{match_id}/chat", data={"csrf_token": "forged", "text": "Hi"})
    assert forged.status_code == 400 and "Send it again" not in forged.text


@pytest.mark.parametrize("is_form", [True, False], ids=["form", "page"])
def test_a_database_that_is_away_is_said_without_asking_it(
    app: Flask, three: Three, monkeypatch: pytest.MonkeyPatch, is_form: bool
) -> None:
    match_id, players = three
    asked = []

    def gone(*_: Any) -> None:
        asked.append(1)
        raise Away

    with app.app_context():
        event.listen(db.engine, "checkout", gone)
    try:
        if is_form:
            answer = players[0].post(f"/table/{match_id}/chat", data={"text": "Hi"})
        else:
            answer = players[0].get(f"/table/{match_id}/log")
    finally:
        with app.app_context():
            event.remove(db.engine, "checkout", gone)
    assert answer.status_code == 503
    assert "<h1>Back in a moment</h1>" in answer.text
    assert ("Send it again" in answer.text) == is_form
    assert ("Try again" in answer.text) == (not is_form)
    assert len(asked) == 1  # Not once more for the page that says so.


def test_an_error_that_is_ours_stays_an_error(app: Flask, make_app: Callable[..., Flask]) -> None:
    odd = make_app(TESTING=False)

    @odd.get("/no-such-table")
    def broken() -> str:
        return str(reading().execute(text("SELECT 1 FROM no_such_table")))

    assert odd.test_client().get("/no-such-table").status_code == 500
    assert not odd.extensions["breaker"].troubles


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_that_a_device_is_in_use_is_noted_later_and_keeps_nobody_from_a_page(
    app: Flask, three: Three
) -> None:
    match_id, players = three
    long_ago = now() - 2 * auth.SEEN_EVERY
    with app.app_context(), writing() as tx:
        tx.execute(update(Device).values(seen_at=long_ago))
    with locked(app, match_id):
        for player in players:  # The first finds out; the others know.
            assert player.get("/tables").status_code == 200
    with app.app_context():
        assert set(db.session.scalars(select(Device.seen_at))) == {long_ago}
    app.extensions["breaker"] = Breaker()
    assert players[0].get("/tables").status_code == 200
    with app.app_context():
        assert max(db.session.scalars(select(Device.seen_at))) > long_ago + timedelta(minutes=1)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_programs_read_on_uncounted_and_are_counted_as_soon_as_can_be(
    app: Flask, three: Three
) -> None:
    match_id, players = three
    program = program_of(app, players[0], "read")
    with locked(app, match_id):
        answers = [program.get("/me") for _ in range(limits.BATCH + 5)]
    assert {answer.status_code for answer in answers} == {200}
    with app.app_context():
        assert db.session.scalar(select(ApiToken.used_at)) is None
    app.extensions["breaker"] = Breaker()
    before = _tries(app)
    assert program.get("/me").status_code == 200
    with app.app_context():
        assert db.session.scalar(select(ApiToken.used_at)) is not None
    assert _tries(app) == before + 2 * limits.BATCH  # Of the token, and of its person.


def _tries(app: Flask) -> int:
    with app.app_context():
        return db.session.scalar(select(func.sum(Attempt.count))) or 0


def test_what_nobody_asks_for_any_more_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Breaker()
    found.failed("a", Busy())
    found.failed("b", Away())
    found.failed("c", Away())
    assert isinstance(found.refusal("b"), Away) and found.refusal("d") is None
    monkeypatch.setattr(breaker, "REST_SECONDS", 0.0)
    found.failed("b", Away())
    assert found.refusal("b") is None  # It tries,
    assert isinstance(found.refusal("b"), Away)  # nobody else does meanwhile,
    found.passed("b", has_asked=True)
    assert [*found.troubles] == ["a"]  # and what is back is back for all.
    monkeypatch.setattr(breaker, "FORGET_SECONDS", 0.0)
    assert found.refusal("a") is None and not found.troubles
