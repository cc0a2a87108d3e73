"""An address is confirmed before anything but a link is mailed there."""

import re

import pytest
from sqlalchemy import select

from stockpile_web.notify import recipients
from stockpile_web.storage.database import db
from stockpile_web.storage.models import AccountMail, KeptMail, User
from tests.conftest import PASSWORD
from tests.support.postbox import send_account_mails, text_of

pytestmark = pytest.mark.usefixtures("steady_minute")
ANN = {"name": "Ann", "password": PASSWORD, "email": "ann@example.org"}


def is_mailed(app, name="Ann"):
    with app.app_context():
        user = db.session.scalars(select(User).filter_by(name=name)).one()
        return any(each.kind == "mail" for each in recipients.channels_of(db.session(), user))


def links(app, postbox):
    send_account_mails(app)
    found = [re.findall(r"games\.example\.org(/confirm/\S+)", text_of(m)) for m in postbox.mails]
    return [link for each in found for link in each]


def test_mails_about_matches_go_to_an_address_that_its_owner_has_confirmed(site, postbox):
    client, elsewhere = site.test_client(), site.test_client()
    client.post("/sign-up", data=ANN)
    [link] = links(site, postbox)
    assert postbox.mails[0]["To"] == "ann@example.org"
    assert "not confirmed yet" in client.get("/account").text
    assert "not confirmed yet" in client.get("/notices/choices").text
    assert "ann@example.org" in elsewhere.get(link).text
    assert not is_mailed(site)  # Looking is not confirming.
    # Not its last sign: two bits of that say nothing.
    other = "x" if link[-2] != "x" else "y"
    assert elsewhere.get(link[:-2] + other + link[-1]).status_code == 410
    assert elsewhere.post("/confirm/forged").status_code == 410
    assert elsewhere.post(link).status_code == 303
    assert is_mailed(site)
    assert "not confirmed yet" not in client.get("/account").text
    # Nothing is changed by writing it otherwise; another address is to be confirmed again.
    client.post("/account/email", data={"email": "Ann@Example.org", "email_password": PASSWORD})
    assert is_mailed(site)
    client.post("/account/email", data={"email": "b@example.org", "email_password": PASSWORD})
    assert not is_mailed(site)
    assert elsewhere.post(link).status_code == 410
    second = links(site, postbox)[-1]
    assert [mail["To"] for mail in postbox.mails[1:]] == ["Ann@Example.org", "b@example.org"]
    assert "was just changed" in text_of(postbox.mails[1])
    assert elsewhere.post(second).status_code == 303
    assert is_mailed(site)


def test_nobody_can_have_strangers_flooded_with_mails(site, postbox):
    client = site.test_client()
    client.post("/sign-up", data=ANN)
    answers = [client.post("/account/email/confirm").status_code for _ in range(5)]
    assert answers == [303] * 4 + [429]
    form = {"password": PASSWORD, "new_password": "battery staple"}
    client.post("/account/password", data=form)
    site.test_client().post("/sign-up", data={**ANN, "name": "Bob"})
    assert len(links(site, postbox)) == len(postbox.mails) == 3


def test_whoever_has_come_back_by_a_mailed_link_has_confirmed_the_address(site, postbox):
    client = site.test_client()
    client.post("/sign-up", data=ANN)
    client.post("/sign-out")
    client.post("/reset", data={"name": "ann@example.org"})
    send_account_mails(site)
    (link,) = re.findall(r"(/reset/\S+)", text_of(postbox.mails[-1]))
    client.post(link, data={"new_password": "battery staple"})
    assert is_mailed(site)


def test_without_a_mail_server_nothing_is_to_be_confirmed(app, client):
    client.post("/sign-up", data=ANN)
    with app.app_context():
        assert not db.session.scalars(select(AccountMail)).all()
        assert not db.session.scalars(select(KeptMail)).all()
    assert "not confirmed yet" not in client.get("/account").text
    assert is_mailed(app)
