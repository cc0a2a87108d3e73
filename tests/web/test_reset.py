"""A forgotten password, and the mail that helps."""

import re
import socket
from datetime import timedelta

import pytest
from sqlalchemy import event, select, update

from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import AccountMail, KeptMail, ResetLink
from stockpile_web.storage.transactions import writing
from stockpile_web.web import rate_limits
from stockpile_web.web.accounts.signing import MOST_SHARING
from tests.conftest import PASSWORD, is_signed_in, sign_in
from tests.support.authenticator import Authenticator, add
from tests.support.authenticator import sign_in as by_passkey
from tests.support.postbox import send_account_mails

pytestmark = pytest.mark.usefixtures("steady_minute")


@pytest.fixture
def link(app, client, sign_up):
    """The path of a link that ann has asked for."""
    sign_up(app.test_client(), "Ann", email="ann@example.org")
    client.post("/reset", data={"name": "ann"})
    return links(app)[-1]


def links(app):
    """Send what is to be sent, and return the paths of all links that were mailed."""
    send_account_mails(app)
    with app.app_context():
        mails = db.session.scalars(select(KeptMail.text).order_by(KeptMail.id)).all()
    return [
        path for mail in mails for path in re.findall(r"http://127.0.0.1:8000(/reset/\S+)", mail)
    ]


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


def test_a_password_that_everybody_tries_first_is_refused_kindly(app, client, link):
    ann = app.test_client()
    sign_in(ann, "Ann")
    for common in ("password", "Passw0rd", "qwertyuiop", "1q2w3e4r"):
        answers = [
            client.post("/sign-up", data={"name": "Bob", "password": common}),
            client.post(link, data={"new_password": common}),
            ann.post("/account/password", data={"password": PASSWORD, "new_password": common}),
        ]
        assert [answer.status_code for answer in answers] == [422] * 3, common
        assert all("a few words of your own" in answer.text for answer in answers)
    assert client.post(link, data={"new_password": "a passw0rd"}).status_code == 303


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


def test_whoever_has_a_passkey_is_reminded_that_it_still_works(app, client, link):
    sign_in(client, "Ann")
    stranger, device = app.test_client(), Authenticator()
    assert add(client, device).status_code == 303
    assert stranger.post(link, data={"new_password": "battery staple"}).status_code == 303
    assert "Your passkeys still work." in stranger.get("/tables").text
    assert by_passkey(app.test_client(), device).status_code == 303


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


def test_no_address_is_flooded_by_many_accounts_that_name_it(app, sign_up):
    names = [f"Eve{number}" for number in range(4)]
    for name in names:
        sign_up(app.test_client(), name, email="ann@example.org")
    answers = set()
    for number, name in enumerate(names * 3):
        browser = {"REMOTE_ADDR": f"192.0.2.{number}"}
        answer = app.test_client().post("/reset", data={"name": name}, environ_base=browser)
        answers.add((answer.status_code, _without_tokens(answer.text)))
    assert len(answers) == 1
    assert len(links(app)) == rate_limits.RESET_TO_ADDRESS.most == MOST_SHARING


@pytest.mark.parametrize("site", ["https://games.example.org", ""])
def test_mails_lead_to_the_address_of_the_site_whatever_the_browser_claims(make_app, sign_up, site):
    app = make_app(SITE_URL=site, SECURE_COOKIES="off")
    admin = app.test_client()
    sign_up(admin, "Ann", email="ann@example.org")
    app.test_client().post("/reset", data={"name": "ann"}, headers={"Host": "evil.example"})
    send_account_mails(app)
    with app.app_context():
        mail = db.session.scalars(select(KeptMail)).one()
    assert "evil" not in mail.text
    assert f"{site or 'http://localhost'}/reset/" in admin.get("/admin/mail").text


def test_with_a_mail_server_mails_are_sent_and_not_kept(site, postbox, sign_up):
    sign_up(site.test_client(), "Ann", email="ann@example.org")
    answer = site.test_client().post("/reset", data={"name": "ann"})
    assert "administrator" not in answer.text
    assert postbox.mails == []
    send_account_mails(site)
    [mail] = postbox.mails
    assert mail["To"] == "ann@example.org"
    assert "https://games.example.org/reset/" in mail.get_content()
    assert mail["Auto-Submitted"] == "auto-generated"
    with site.app_context():
        assert db.session.scalars(select(KeptMail)).all() == []
        assert db.session.scalars(select(AccountMail)).all() == []


def test_no_request_speaks_with_a_mail_server(make_app, sign_up, postbox, monkeypatch):
    site = make_app(**postbox.settings())
    client = site.test_client()
    sign_up(client, "Ann", email="ann@example.org")
    monkeypatch.setattr(socket, "create_connection", lambda *_, **__: 1 / 0)
    assert client.post("/reset", data={"name": "ann"}).status_code == 200
    form = {"password": PASSWORD, "new_password": "battery staple"}
    assert client.post("/account/password", data=form).status_code == 303


def test_a_request_for_a_link_does_the_same_whether_there_is_an_account_or_not(app, sign_up):
    sign_up(app.test_client(), "Ann", email="ann@example.org")
    client = app.test_client()
    client.get("/reset")
    done = [_statements(app, client, name) for name in ("ann", "nobody", "ann@example.org")]
    assert done[0] == done[1] == done[2] != []


def _statements(app, client, name):
    heard = []
    with app.app_context():
        engine = db.engine

    def hear(_connection, _cursor, statement, *_):
        heard.append(statement)

    event.listen(engine, "before_cursor_execute", hear)
    try:
        client.post("/reset", data={"name": name})
    finally:
        event.remove(engine, "before_cursor_execute", hear)
    return [text for text in heard if "DELETE FROM attempt" not in text]  # Once in a window.


def test_the_queue_of_mails_holds_no_link_that_works(app, client, sign_up):
    sign_up(app.test_client(), "Ann", email="ann@example.org")
    client.post("/reset", data={"name": "ann"})
    with app.app_context():
        row = db.session.scalars(select(AccountMail)).one()
        assert row.detail == ""
        assert db.session.scalars(select(ResetLink)).all() == []


def test_no_link_to_a_new_password_is_ever_logged(app, client, sign_up, caplog):
    caplog.set_level("DEBUG")
    sign_up(app.test_client(), "Ann", email="ann@example.org")
    client.post("/reset", data={"name": "ann"})
    (link,) = links(app)
    assert "kept for the administrator" in caplog.text
    assert link.rpartition("/")[2] not in caplog.text and "/reset/" not in caplog.text


def test_a_mail_that_is_refused_is_kept_with_the_reason(site, sign_up):
    sign_up(site.test_client(), "Ann", email="nobody@example.org")
    site.test_client().post("/reset", data={"name": "ann"})
    send_account_mails(site)
    with site.app_context():
        assert "no such person" in db.session.scalars(select(KeptMail)).one().reason


def test_while_the_mail_server_does_not_answer_a_link_is_tried_again_and_then_kept(
    make_app, sign_up, postbox
):
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    site = make_app(**{**postbox.settings(), "SMTP_PORT": str(port)})
    for name in ("Ann", "Bob"):
        sign_up(site.test_client(), name, email=f"{name}@example.org")
    site.test_client().post("/reset", data={"name": "ann"})
    for _ in range(3):
        send_account_mails(site)
    with site.app_context():
        assert db.session.scalars(select(AccountMail.attempts)).all() == [3]
        assert db.session.scalars(select(KeptMail)).all() == []
    site.config["SMTP_PORT"] = postbox.port
    send_account_mails(site)
    [mail] = postbox.mails
    (link,) = re.findall(r"https://games.example.org(/reset/\S+)", mail.get_content())
    assert site.test_client().get(link).status_code == 200
    site.config["SMTP_PORT"] = port
    site.test_client().post("/reset", data={"name": "bob"})
    for _ in range(9):
        send_account_mails(site)
    with site.app_context():
        assert "cannot be reached" in db.session.scalars(select(KeptMail)).one().reason
        assert db.session.scalars(select(AccountMail)).all() == []


def _without_tokens(page):
    return re.sub(r'(csrf_token" value|X-CSRFToken": )"[^"]*"|\?v=\w+', "", page)
