"""The lanes before Flask: an answer is given again while nothing has changed, and never after."""

import threading

import pytest
from argon2.exceptions import VerificationError
from sqlalchemy import delete

from stockpile_web.storage.models import Device
from stockpile_web.storage.transactions import writing
from stockpile_web.web.accounts import passwords
from tests.conftest import sign_in
from tests.web.test_table import form_of, three

HX = {"HX-Request": "true"}

# On Postgres there are none: several threads may wait for it at once.
on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

__all__ = ["three"]


@pytest.fixture
def asked(app, monkeypatch):
    """What Flask itself is asked from now on."""
    lanes, addresses = app.extensions["lanes"], []
    answer = lanes._app

    def listen(environ, start_response):
        addresses.append(environ["PATH_INFO"])
        return answer(environ, start_response)

    monkeypatch.setattr(lanes, "_app", listen)
    return addresses


@on_sqlite
def test_the_same_question_is_answered_again_without_flask(three, asked):
    match_id, ann, _ = three
    first = ann.get(f"/table/{match_id}", headers=HX)
    again = ann.get(f"/table/{match_id}", headers=HX)
    assert (again.status_code, again.data) == (200, first.data)
    assert dict(again.headers) == dict(first.headers)
    known = {**HX, "If-None-Match": first.headers["ETag"]}
    assert [ann.get(f"/table/{match_id}", headers=known).status_code for _ in range(2)] == [304] * 2
    assert len(asked) == 2


def test_everybody_gets_an_answer_of_their_own(three):
    match_id, ann, (bob, carol) = three
    answers = {player.get(f"/table/{match_id}", headers=HX).text for player in (ann, bob, carol)}
    assert len(answers) == 3
    assert ann.get(f"/table/{match_id}").text != ann.get(f"/table/{match_id}", headers=HX).text


def test_after_a_move_nobody_gets_an_old_answer(three):
    match_id, ann, (bob, _) = three
    before = bob.get(f"/table/{match_id}", headers=HX)
    ann.post(f"/table/{match_id}/move", data=form_of(ann, match_id))
    after = bob.get(f"/table/{match_id}", headers=HX)
    assert after.text != before.text and after.headers["ETag"] != before.headers["ETag"]


def test_a_move_in_another_process_is_noticed_too(three, make_app):
    match_id, ann, (bob, _) = three
    before = bob.get(f"/table/{match_id}", headers=HX)
    elsewhere = make_app().test_client()
    elsewhere.set_cookie("session", ann.get_cookie("session").value)
    assert elsewhere.post(f"/table/{match_id}/move", data=form_of(ann, match_id)).status_code == 303
    assert bob.get(f"/table/{match_id}", headers=HX).text != before.text


def test_whoever_was_signed_out_elsewhere_is_shown_no_more(three, app):
    match_id, ann, _ = three
    ann.get(f"/table/{match_id}")
    assert "Sign out" in ann.get(f"/table/{match_id}").text
    with app.app_context(), writing() as tx:  # As "sign out everywhere" on another device does.
        tx.execute(delete(Device))
    assert "Sign out" not in ann.get(f"/table/{match_id}").text


@on_sqlite
def test_an_answer_grows_old(three, asked, monkeypatch):
    match_id, ann, _ = three
    ann.get(f"/table/{match_id}", headers=HX)
    monkeypatch.setattr("stockpile_web.lanes.time.monotonic", lambda: 10.0**9)
    ann.get(f"/table/{match_id}", headers=HX)
    assert len(asked) == 2


def test_others_pass_while_a_password_is_checked(app, client, monkeypatch):
    answers = []

    class Slow:
        """Checks passwords until somebody else has been answered."""

        memory_cost = time_cost = 8

        def verify(self, kept, password):
            other = threading.Thread(target=lambda: answers.append(app.test_client().get("/")))
            other.start()
            other.join(20)
            raise VerificationError

    monkeypatch.setattr(passwords, "_hasher", Slow)
    sign_in(client, "nobody")
    assert [answer.status_code for answer in answers] == [200]
