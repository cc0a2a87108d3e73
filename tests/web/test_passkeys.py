"""Passkeys: added, used, removed, and all that must not open an account."""

import json
import subprocess
import sys
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import AccountMail, Attempt, Audit, Device, Passkey
from stockpile_web.web import rate_limits
from stockpile_web.web.accounts import my_passkeys, passkeys, signing
from tests.conftest import PASSWORD, is_signed_in
from tests.support.authenticator import PRESENT, Authenticator, add, ask, sign_in

UNKNOWN = signing.UNKNOWN_PASSKEY


@pytest.fixture
def ann(client, sign_up):
    sign_up(client, "ann")
    return client


@pytest.fixture
def device(ann):
    """A device with a passkey of Ann's."""
    device = Authenticator()
    assert add(ann, device).status_code == 303
    return device


def keys(app):
    with app.app_context():
        return db.session.scalars(select(Passkey).order_by(Passkey.id)).all()


def is_refused(answer):
    return answer.status_code == 422 and UNKNOWN in answer.text


def test_a_passkey_signs_in_without_a_name(app, device):
    stranger = app.test_client()
    answer = sign_in(stranger, device)
    assert (answer.status_code, answer.location) == (303, "/tables")
    assert "Settings of" in stranger.get("/account").text and is_signed_in(stranger)


def test_it_is_listed_with_when_it_was_last_used(app, ann, device):
    page = ann.get("/account").text
    assert "Phone" in page and "not used yet" in page
    sign_in(app.test_client(), device)
    page = ann.get("/account").text
    assert "last used" in page and "not used yet" not in page


def test_whoever_has_none_is_told_so_and_a_passkey_without_a_name_is_called_by_its_browser(
    app, ann
):
    assert "You have none yet." in ann.get("/account").text
    add(ann, Authenticator(), name="  ")
    assert "You have none yet." not in ann.get("/account").text
    assert [key.name for key in keys(app)] == ["A browser"]


def test_whoever_comes_by_an_invitation_goes_on_to_the_table(app, device):
    stranger = app.test_client()
    form = {"passkey": device.sign(ask(stranger)), "next": "/rules/stockpile"}
    assert stranger.post("/sign-in/passkey", data=form).location == "/rules/stockpile"
    other = app.test_client()
    form = {"passkey": device.sign(ask(other)), "next": "//evil.example"}
    assert other.post("/sign-in/passkey", data=form).location == "/tables"


def test_the_password_goes_on_working(app, ann, device):
    form = {"name": "ann", "password": PASSWORD}
    assert app.test_client().post("/sign-in", data=form).status_code == 303


def test_a_device_that_counts_is_believed_while_its_count_grows(app, ann):
    device = Authenticator(count=2**32 - 10)
    add(ann, device)
    for _ in range(2):
        assert sign_in(app.test_client(), device).status_code == 303
    assert keys(app)[0].sign_count == 2**32 - 8
    device.count -= 5  # As a copy of it would, that was made before.
    assert is_refused(sign_in(app.test_client(), device))


def test_one_that_does_not_count_is_believed_too(app, device):
    for _ in range(2):
        assert sign_in(app.test_client(), device).status_code == 303
    assert keys(app)[0].sign_count == 0


@pytest.mark.parametrize(
    "origin", ["http://localhost:1", "https://localhost", "http://evil.example"]
)
def test_what_was_signed_for_another_site_is_refused(app, device, origin):
    device.origin = origin
    assert is_refused(sign_in(app.test_client(), device))
    device.origin = "http://localhost"
    assert sign_in(app.test_client(), device).status_code == 303


def test_a_device_that_did_not_ask_its_owner_is_refused(app, ann, device):
    device.flags = PRESENT
    assert is_refused(sign_in(app.test_client(), device))
    careless = Authenticator()
    careless.flags = PRESENT
    assert add(ann, careless).status_code == 422
    assert len(keys(app)) == 1


def test_another_key_under_the_same_name_is_refused(app, device):
    forger = Authenticator()
    forger._id, forger.handle = device._id, device.handle
    assert is_refused(sign_in(app.test_client(), forger))


def test_a_key_that_names_another_account_is_refused(app, device):
    device.handle = "AAAA"
    assert is_refused(sign_in(app.test_client(), device))


def test_what_one_browser_was_asked_no_other_can_answer(app, device):
    asked, other = app.test_client(), app.test_client()
    signed = device.sign(ask(asked))
    assert is_refused(other.post("/sign-in/passkey", data={"passkey": signed}))
    ask(other)
    assert is_refused(other.post("/sign-in/passkey", data={"passkey": signed}))
    assert asked.post("/sign-in/passkey", data={"passkey": signed}).status_code == 303


def test_an_answer_counts_once_even_with_a_copied_cookie(app, device):
    client, thief = app.test_client(), app.test_client()
    signed = device.sign(ask(client))
    thief.set_cookie("session", client.get_cookie("session").value)
    assert client.post("/sign-in/passkey", data={"passkey": signed}).status_code == 303
    assert is_refused(thief.post("/sign-in/passkey", data={"passkey": signed}))


def test_a_challenge_ends_after_minutes(app, device, monkeypatch):
    client = app.test_client()
    signed = device.sign(ask(client))
    later = now() + passkeys.VALID_FOR + timedelta(seconds=1)
    monkeypatch.setattr(passkeys, "now", lambda: later)
    assert is_refused(client.post("/sign-in/passkey", data={"passkey": signed}))


def test_a_removed_passkey_is_refused_in_the_words_for_one_that_never_was(app, ann, device):
    answer = ann.post("/account/passkeys/1/remove", data={"password": PASSWORD})
    assert answer.status_code == 303 and keys(app) == []
    removed = sign_in(app.test_client(), device)
    never = sign_in(app.test_client(), Authenticator())
    assert is_refused(removed) and is_refused(never)
    words = [answer.text.split("<main")[1].split("csrf")[0] for answer in (removed, never)]
    assert words[0] == words[1]


def test_what_a_browser_is_asked_to_sign_is_the_same_for_everybody(app, device):
    mine, other = (ask(app.test_client()) for _ in range(2))
    assert mine.pop("challenge") != other.pop("challenge")
    assert mine == other and mine["allowCredentials"] == []
    assert mine["userVerification"] == "required"


def test_removing_one_takes_the_password_or_a_passkey(app, ann, device):
    other = Authenticator()
    add(ann, other, "Laptop")
    page = ann.get("/account/passkeys/1/remove")
    assert "Phone" in page.text
    wrong = ann.post("/account/passkeys/1/remove", data={"password": "wrong"})
    assert wrong.status_code == 422 and "not your password" in wrong.text
    stranger = {"passkey": Authenticator().sign(ask(ann))}
    refused = ann.post("/account/passkeys/1/remove", data=stranger)
    assert refused.status_code == 422 and my_passkeys.NOT_MINE in refused.text
    assert len(keys(app)) == 2
    signed = {"passkey": other.sign(ask(ann))}
    assert ann.post("/account/passkeys/1/remove", data=signed).status_code == 303
    assert [key.name for key in keys(app)] == ["Laptop"]
    assert ann.post("/account/passkeys/1/remove", data={"password": PASSWORD}).status_code == 404


def test_nobody_removes_somebody_elses_nor_by_their_own(app, device, sign_up):
    bob, his = app.test_client(), Authenticator()
    sign_up(bob, "bob")
    add(bob, his)
    for answer in (
        bob.get("/account/passkeys/1/remove"),
        bob.post("/account/passkeys/1/remove", data={"password": PASSWORD}),
    ):
        assert answer.status_code == 404
    # A passkey of Ann's proves nothing about Bob.
    answer = bob.post("/account/passkeys/2/remove", data={"passkey": device.sign(ask(bob))})
    assert answer.status_code == 422
    assert len(keys(app)) == 2


def test_adding_one_takes_the_password(app, ann):
    form = {"passkey_name": "Phone", "passkey_password": "wrong"}
    refused = ann.post("/account/passkeys/ask", data=form)
    assert (refused.status_code, refused.text) == (422, "This is not your password.")
    # What is signed in order to sign in adds nothing.
    made = Authenticator().make({**ask(ann), "rp": {"id": "localhost"}, "user": {"id": "AAAA"}})
    answer = ann.post("/account/passkeys", data={"passkey_name": "Phone", "passkey": made})
    assert answer.status_code == 422 and my_passkeys.NOT_MADE in answer.text
    assert keys(app) == []


def test_a_key_that_somebody_has_nobody_else_adds(app, device, sign_up):
    bob = app.test_client()
    sign_up(bob, "bob")
    assert add(bob, device).status_code == 422
    assert len(keys(app)) == 1


def test_a_name_that_is_too_long_is_refused_and_so_is_one_passkey_too_many(app, ann, monkeypatch):
    form = {"passkey_name": "x" * 41, "passkey_password": PASSWORD}
    assert ann.post("/account/passkeys/ask", data=form).status_code == 422
    assert ann.post("/account/passkeys", data=form).status_code == 422
    monkeypatch.setattr(passkeys, "MOST_OF_ONE", 1)
    late = Authenticator()
    form = {"passkey_name": "Late", "passkey_password": PASSWORD}
    made = late.make(ann.post("/account/passkeys/ask", data=form).get_json())
    other = app.test_client()
    other.post("/sign-in", data={"name": "ann", "password": PASSWORD})
    assert add(other, Authenticator(), "First").status_code == 303
    # Asked for while there was room, made when there was none.
    answer = ann.post("/account/passkeys", data={"passkey_name": "Late", "passkey": made})
    assert answer.status_code == 422 and my_passkeys.TOO_MANY in answer.text
    refused = ann.post("/account/passkeys/ask", data=form)
    assert (refused.status_code, refused.text) == (422, my_passkeys.TOO_MANY)
    assert [key.name for key in keys(app)] == ["First"]


def test_tries_are_counted_as_those_of_passwords_are(app, ann, device, steady_minute):
    stranger = app.test_client()
    for _ in range(rate_limits.PASSWORD_FROM_ADDRESS.most):
        assert stranger.post("/sign-in/passkey", data={"passkey": "{}"}).status_code == 422
    assert sign_in(stranger, device).status_code == 429
    for _ in range(rate_limits.PASSWORD_ASKED_AGAIN.most):
        assert ann.post("/account/passkeys/1/remove", data={"passkey": "{}"}).status_code == 422
    signed = {"passkey": device.sign(ask(ann))}
    assert ann.post("/account/passkeys/1/remove", data=signed).status_code == 429
    form = {"passkey_name": "Phone", "passkey_password": PASSWORD}
    refused = ann.post("/account/passkeys/ask", data=form)
    assert refused.status_code == 429 and refused.text.startswith("Too many tries.")


def test_what_turned_out_right_is_not_counted(app, device):
    sign_in(app.test_client(), device)
    with app.app_context():
        address = rate_limits._key(rate_limits.PASSWORD_FROM_ADDRESS, "127.0.0.1")
        assert db.session.scalar(select(Attempt.count).where(Attempt.key == address)) == 0


def test_its_owner_is_told_and_the_log_notes_it(app, site, sign_up_with_mail):
    ann, device = site.test_client(), Authenticator(site.config["SITE_URL"])
    sign_up_with_mail(ann, "ann")
    assert add(ann, device).status_code == 303
    sign_in(site.test_client(), device)
    ann.post("/account/passkeys/1/remove", data={"password": PASSWORD})
    with app.app_context():
        mails = db.session.scalars(select(AccountMail.detail)).all()
        assert mails == ["the list of passkeys"] * 2
        lines = select(Audit.event, Audit.detail).order_by(Audit.id)
        assert db.session.execute(lines).all()[1:] == [
            ("signed in", "A browser"),
            ("passkey added", ""),
            ("signed in", "A browser by a passkey"),
            ("passkey removed", ""),
        ]


def test_a_deleted_account_leaves_no_passkey(app, ann, device):
    ann.post("/account/delete", data={"password": PASSWORD})
    assert keys(app) == []
    assert is_refused(sign_in(app.test_client(), device))


def test_a_new_password_leaves_passkeys_as_they_are(app, ann, device):
    form = {"password": PASSWORD, "new_password": "battery staple"}
    assert ann.post("/account/password", data=form).status_code == 303
    assert sign_in(app.test_client(), device).status_code == 303


def test_a_guest_adds_one_once_the_game_is_kept(app, client):
    client.post("/try/stockpile")
    assert client.post("/account/passkeys/ask").status_code == 403
    client.post("/keep", data={"name": "ann", "password": PASSWORD})
    assert add(client, device := Authenticator()).status_code == 303
    guest = app.test_client()
    guest.post("/try/stockpile")
    assert sign_in(guest, device).status_code == 303
    assert "Settings of" in guest.get("/account").text


def test_whoever_is_signed_in_already_goes_on(app, ann, device):
    assert sign_in(ann, device).location == "/tables"
    with app.app_context():
        assert db.session.scalar(select(func.count()).select_from(Device)) == 1


@pytest.mark.parametrize(
    "sent", ["", "{}", "[]", "null", "\ud7ff", '{"id": 1}', "deep", "odd keys", "long"]
)
def test_whatever_is_sent_as_a_passkey_is_refused_and_nothing_breaks(app, ann, device, sent):
    client = app.test_client()
    genuine = json.loads(device.sign(ask(client)))
    if sent == "deep":
        sent = "[" * 5000
    if sent == "long":
        sent = json.dumps({**genuine, "rawId": "A" * 20_000, "id": "A" * 20_000})
    if sent == "odd keys":
        genuine["response"].update(authenticatorData="AA", clientDataJSON="AA", userHandle="AA")
        sent = json.dumps(genuine)
    assert is_refused(client.post("/sign-in/passkey", data={"passkey": sent}))
    form = {"passkey_name": "Phone", "passkey_password": PASSWORD}
    ann.post("/account/passkeys/ask", data=form)
    answer = ann.post("/account/passkeys", data={"passkey_name": "Phone", "passkey": sent})
    assert answer.status_code == 422 and my_passkeys.NOT_MADE in answer.text


@pytest.mark.parametrize(
    ("site", "host", "name", "address", "can_be"),
    [
        ("", "games.example.org", "games.example.org", "http://games.example.org", True),
        ("", "localhost:8000", "localhost", "http://localhost:8000", True),
        ("", "127.0.0.1:8000", "127.0.0.1", "http://127.0.0.1:8000", False),
        ("", "[::1]:8000", "::1", "http://::1:8000", False),
        ("https://Games.example.org:443/", "games.example.org", "games.example.org",
         "https://games.example.org", True),
        ("https://games.example.org", "evil.example", "games.example.org",
         "https://games.example.org", False),
        ("https://bücher.example", "xn--bcher-kva.example", "xn--bcher-kva.example",
         "https://xn--bcher-kva.example", True),
    ],
)  # fmt: skip
def test_a_passkey_belongs_to_the_address_of_the_site(app, site, host, name, address, can_be):
    app.config["SITE_URL"] = site
    with app.test_request_context("/sign-in", headers={"Host": host}):
        assert passkeys.can_be_used_here() is can_be
        assert (passkeys.relying_party(), passkeys.origin()) == (name, address)
    page = app.test_client().get("/sign-in", headers={"Host": host}).text
    assert ("passkeys.js" in page) is ("Sign in with a passkey" in page) is can_be


def test_without_a_script_the_pages_are_as_they_were(ann):
    page = ann.get("/account").text
    assert 'data-passkey="/account/passkeys/ask" hidden' in page


def test_the_library_is_loaded_by_the_first_passkey_and_not_at_start():
    seen = "import sys, wsgi; print('webauthn' in sys.modules, 'flask' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
