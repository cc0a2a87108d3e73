"""A forgotten password, and the mail that helps."""

import re
import socket
from datetime import timedelta

import pytest
from aiosmtpd.controller import Controller
from sqlalchemy import select, update

from stockpile_web.notify.smtp import send_mail
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import KeptMail, ResetLink
from stockpile_web.storage.transactions import writing
from tests.conftest import is_signed_in, sign_in

pytestmark = pytest.mark.usefixtures("steady_minute")


@pytest.fixture
def link(app, client, sign_up):
    """The path of a link that ann has asked for."""
    sign_up(app.test_client(), "Ann", email="ann@example.org")
    client.post("/reset", data={"name": "ann"})
    return links(app)[-1]


def links(app):
    with app.app_context():
        mails = db.session.scalars(select(KeptMail.text).order_by(KeptMail.id)).all()
    return [path for mail in mails for path in re.findall(r"http://localhost(/reset/\S+)", mail)]


def test_the_link_sets_a_new_password_once(client, link):
    assert "new_password" in client.get(link).text
    answer = client.post(link, data={"new_password": "battery staple"})
    assert answer.status_code == 303
    assert is_signed_in(client)
    client.post("/sign-out")
    assert sign_in(client, "Ann").status_code == 422
    assert sign_in(client, "Ann", "battery staple").status_code == 303
    client.post("/sign-out")
    assert client.get(link).status_code == 410
    assert client.post(link, data={"new_password": "third password"}).status_code == 410
    assert sign_in(client, "Ann", "battery staple").status_code == 303


def test_looking_at_the_link_uses_nothing_up(client, link):
    for _ in range(3):
        assert client.get(link).status_code == 200
    assert not is_signed_in(client)
    assert client.post(link, data={"new_password": "short"}).status_code == 422
    assert client.post(link, data={"new_password": "battery staple"}).status_code == 303


def test_a_new_password_signs_out_all_other_devices(app, client, link):
    other = app.test_client()
    sign_in(other, "Ann")
    client.post(link, data={"new_password": "battery staple"})
    assert not is_signed_in(other)
    assert is_signed_in(client)


def test_a_new_password_uses_up_every_other_link(app, client, link):
    client.post("/reset", data={"name": "Ann"})
    second = links(app)[-1]
    client.post(link, data={"new_password": "battery staple"})
    assert client.get(second).status_code == 410


def test_the_link_works_for_an_hour(app, client, link):
    with app.app_context(), writing() as tx:
        tx.execute(update(ResetLink).values(expires_at=now() - timedelta(seconds=1)))
    assert client.get(link).status_code == 410
    assert client.post(link, data={"new_password": "battery staple"}).status_code == 410


def test_a_made_up_link_is_refused(client):
    assert client.get("/reset/made-up").status_code == 410
    assert client.post("/reset/made-up", data={"new_password": "battery staple"}).status_code == 410


def test_the_database_does_not_hold_what_the_link_holds(app, link):
    with app.app_context():
        kept = db.session.scalars(select(ResetLink.token_hash)).one()
    assert link.rpartition("/")[2] not in kept


def test_the_answer_is_the_same_whether_there_is_an_account_or_not(app, client, sign_up):
    sign_up(app.test_client(), "Ann", email="ann@example.org")
    sign_up(app.test_client(), "Bob")
    pages = [
        client.post("/reset", data={"name": name})
        for name in ("ann", "ann@example.org", "bob", "nobody", "no@example.org", "")
    ]
    assert len({(page.status_code, _without_tokens(page.text)) for page in pages}) == 1
    assert len(links(app)) == 2


def test_after_a_new_password_the_account_waits_no_longer(app, client, link):
    for _ in range(11):
        answer = sign_in(client, "Ann", "wrong horse")
    assert answer.status_code == 429
    client.post(link, data={"new_password": "battery staple"})
    assert sign_in(app.test_client(), "Ann", "battery staple").status_code == 303


def test_nobody_is_flooded_with_mails(app, client, sign_up):
    sign_up(app.test_client(), "Ann", email="ann@example.org")
    answers = [client.post("/reset", data={"name": "ann"}).status_code for _ in range(11)]
    assert answers == [200] * 10 + [429]
    assert len(links(app)) == 3


def test_mails_lead_to_the_address_of_the_site_whatever_the_browser_claims(make_app, sign_up):
    app = make_app(SITE_URL="https://games.example.org")
    sign_up(app.test_client(), "Ann", email="ann@example.org")
    app.test_client().post("/reset", data={"name": "ann"}, headers={"Host": "evil.example"})
    with app.app_context():
        mail = db.session.scalars(select(KeptMail)).one()
    assert "https://games.example.org/reset/" in mail.text
    assert "evil" not in mail.text


class Postbox:
    """A mail server that keeps what it gets, and refuses one address."""

    def __init__(self):
        self.mails = []

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody@"):
            return "550 no such person"
        envelope.rcpt_tos.append(address)
        return "250 fine"

    async def handle_DATA(self, server, session, envelope):
        self.mails.append((envelope.rcpt_tos, envelope.content.decode()))
        return "250 kept"


@pytest.fixture
def smtp_app(make_app):
    """An application with a mail server, and the server's postbox."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]  # The controller cannot choose a free one itself.
    postbox = Postbox()
    controller = Controller(postbox, hostname="127.0.0.1", port=port)
    controller.start()
    yield (
        make_app(
            SMTP_HOST="127.0.0.1",
            SMTP_PORT=str(port),
            SMTP_SECURITY="none",
            SMTP_FROM="Stockpile Web <games@example.org>",
            SITE_URL="https://games.example.org",
        ),
        postbox,
    )
    controller.stop()


def test_with_a_mail_server_mails_are_sent_and_not_kept(smtp_app, sign_up):
    app, postbox = smtp_app
    sign_up(app.test_client(), "Ann", email="ann@example.org")
    answer = app.test_client().post("/reset", data={"name": "ann"})
    assert "administrator" not in answer.text
    [(to, content)] = postbox.mails
    assert to == ["ann@example.org"]
    assert "https://games.example.org/reset/" in content
    assert "Auto-Submitted: auto-generated" in content
    with app.app_context():
        assert db.session.scalars(select(KeptMail)).all() == []


def test_a_mail_has_text_and_html(smtp_app):
    app, postbox = smtp_app
    with app.app_context():
        send_mail("ann@example.org", "Your turn — Überfahrt", "plain", "<p>rich</p>")
    [(_, content)] = postbox.mails
    assert "multipart/alternative" in content
    assert "<p>rich</p>" in content


def test_a_mail_that_is_refused_is_kept_with_the_reason(smtp_app):
    app, _ = smtp_app
    with app.app_context():
        send_mail("nobody@example.org", "Hello", "text")
        assert "no such person" in db.session.scalars(select(KeptMail)).one().reason


def test_without_the_mail_server_answering_the_mail_is_kept(make_app):
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    app = make_app(
        SMTP_HOST="127.0.0.1", SMTP_PORT=str(port), SMTP_FROM="a@b.org", SITE_URL="http://b.org"
    )
    with app.app_context():
        send_mail("ann@example.org", "Hello", "text")
        assert db.session.scalars(select(KeptMail)).one().subject == "Hello"


def _without_tokens(page):
    return re.sub(r'(csrf_token" value|X-CSRFToken": )"[^"]*"|\?v=\w+', "", page)
