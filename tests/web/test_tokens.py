"""Tokens for programs: made, shown once, kept as a hash, limited, revoked, and ended by others."""

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import ApiToken, Audit
from stockpile_web.storage.transactions import writing
from stockpile_web.web.accounts.reset import new_link
from stockpile_web.web.accounts.tokens import MOST
from tests.conftest import PASSWORD
from tests.support.postbox import send_account_mails, text_of
from tests.support.programs import SECRET, Program, make_token

FORM = {"name": "My bot", "scope": "play", "lasts": "", "password": PASSWORD}


def works(app, token):
    return Program(app, token).get("/me").status_code == 200


@pytest.fixture
def ann(client, sign_up):
    """Somebody with an account, in a browser."""
    sign_up(client, "ann")
    return client


def test_a_token_is_shown_once_and_kept_as_a_hash(app, ann):
    assert "You have none" in ann.get("/account/tokens").text
    token = make_token(ann)
    page = ann.get("/account/tokens")
    assert "My bot" in page.text and token[:8] in page.text and token not in page.text
    assert page.headers["Cache-Control"] == "no-store"
    with app.app_context():
        kept = db.session.scalars(select(ApiToken)).one()
        values = [str(getattr(kept, column.key)) for column in ApiToken.__table__.c]
    assert not any(token[8:] in value for value in values)
    assert works(app, token)


def test_the_settings_lead_to_the_tokens(ann):
    assert 'href="/account/tokens"' in ann.get("/account").text


def test_whoever_borrows_a_browser_cannot_make_a_token(app, ann):
    page = ann.post("/account/tokens", data={**FORM, "password": "wrong"})
    assert page.status_code == 422 and "This is not your password." in page.text
    assert not SECRET.search(page.text)


@pytest.mark.parametrize("name", ["", "  ", "x" * 41, "a\u202eb"])
def test_a_token_has_a_name_by_which_its_owner_knows_it(ann, name):
    page = ann.post("/account/tokens", data={**FORM, "name": name})
    assert page.status_code == 422 and 'id="name-error"' in page.text


def test_two_tokens_of_one_person_have_different_names(ann):
    make_token(ann)
    page = ann.post("/account/tokens", data=FORM)
    assert page.status_code == 422 and "has this name already" in page.text


@pytest.mark.parametrize("field", [{"scope": "admin"}, {"lasts": "9999"}])
def test_a_form_that_is_none_of_ours_makes_no_token(ann, field):
    assert ann.post("/account/tokens", data={**FORM, **field}).status_code == 400


def test_nobody_has_more_tokens_than_they_can_overlook(app, ann):
    tokens = [make_token(ann, f"bot {number}") for number in range(MOST)]
    page = ann.post("/account/tokens", data={**FORM, "name": "one more"})
    assert page.status_code == 422 and f"{MOST} tokens already" in page.text
    with app.app_context(), writing() as tx:  # One that has ended makes room.
        tx.execute(update(ApiToken).where(ApiToken.name == "bot 3").values(ends_at=now()))
    assert works(app, make_token(ann, "one more"))
    assert not works(app, tokens[3]) and works(app, tokens[4])


def test_a_token_ends_when_its_time_is_over(app, ann):
    token = make_token(ann, lasts="30")
    assert works(app, token)
    with app.app_context(), writing() as tx:
        kept = tx.scalars(select(ApiToken)).one()
        assert kept.ends_at and timedelta(days=29) < kept.ends_at - now() < timedelta(days=31)
        kept.ends_at = now()
    assert not works(app, token)
    assert "has ended" in ann.get("/account/tokens").text


def test_a_revoked_token_is_worth_nothing(app, ann):
    token, other = make_token(ann), make_token(ann, "Another")
    with app.app_context():
        number = db.session.scalar(select(ApiToken.id).where(ApiToken.name == "My bot"))
    assert ann.post(f"/account/tokens/{number}/revoke").status_code == 303
    assert not works(app, token) and works(app, other)


def test_nobody_revokes_the_token_of_somebody_else(app, ann, sign_up):
    token, bob = make_token(ann), app.test_client()
    sign_up(bob, "bob")
    with app.app_context():
        number = db.session.scalar(select(ApiToken.id))
    bob.post(f"/account/tokens/{number}/revoke")
    assert works(app, token)


def test_a_new_password_ends_all_tokens(app, ann):
    token = make_token(ann)
    form = {"password": PASSWORD, "new_password": "battery staple"}
    assert ann.post("/account/password", data=form).status_code == 303
    assert not works(app, token)


def test_a_password_chosen_by_a_link_ends_all_tokens(app, ann):
    token = make_token(ann)
    with app.test_request_context(), writing() as tx:
        link = new_link(tx, 1)
    answer = app.test_client().post(link, data={"new_password": "battery staple"})
    assert answer.status_code == 303
    assert not works(app, token)


def test_a_deleted_account_has_no_tokens(app, ann):
    token = make_token(ann)
    assert ann.post("/account/delete", data={"password": PASSWORD}).status_code == 303
    assert not works(app, token)
    with app.app_context():
        assert db.session.scalars(select(ApiToken)).all() == []


def test_guests_have_no_tokens(app):
    guest = app.test_client()
    guest.post("/try/stockpile")
    assert guest.get("/account/tokens").status_code == 403
    assert guest.post("/account/tokens", data=FORM).status_code == 403


def test_making_and_revoking_a_token_stand_in_the_audit_log(app, ann):
    make_token(ann)
    ann.post("/account/tokens/1/revoke")
    with app.app_context():
        noted = db.session.scalars(select(Audit).order_by(Audit.id.desc()).limit(2)).all()
    assert [(line.event, line.detail) for line in noted] == [
        ("token revoked", ""),
        ("token", "to play"),
    ]


def test_whoever_has_an_address_is_told_that_a_token_was_made(site, postbox, sign_up_with_mail):
    browser = site.test_client()
    sign_up_with_mail(browser, "ann")
    make_token(browser)
    send_account_mails(site)
    (mail,) = postbox.mails
    assert "list of tokens for programs of your account" in " ".join(text_of(mail).split())


def test_when_a_token_was_last_used_is_kept_to_the_hour(app, ann):
    token = make_token(ann)
    assert "never used" in ann.get("/account/tokens").text
    assert works(app, token)
    assert "last used" in ann.get("/account/tokens").text
    with app.app_context(), writing() as tx:
        kept = tx.scalars(select(ApiToken)).one()
        kept.used_at = before = now() - timedelta(minutes=30)
    assert works(app, token)
    with app.app_context():
        assert db.session.scalar(select(ApiToken.used_at)) == before
