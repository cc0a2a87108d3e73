"""The administrator's pages."""

import re
from datetime import timedelta

from sqlalchemy import update

from stockpile_web.notify.smtp import KEEP, send_mail
from stockpile_web.storage import audit
from stockpile_web.storage.database import now
from stockpile_web.storage.models import Audit
from stockpile_web.storage.transactions import writing
from stockpile_web.web.admin.site import LINES_ON_A_PAGE
from tests.conftest import PASSWORD, sign_in


def test_the_administrator_reads_kept_mails_newest_first(app, client, sign_up):
    sign_up(client, "Ann")
    with app.app_context():
        send_mail("bob@example.org", "First <b>", "text")
        send_mail("bob@example.org", "Second", "text")
    page = client.get("/admin/mail").text
    assert page.index("Second") < page.index("First &lt;b&gt;")


def test_for_everybody_else_the_page_is_not_there(app, client, sign_up):
    sign_up(app.test_client(), "Ann")
    as_stranger = client.get("/admin/mail")
    sign_up(client, "Bob")
    as_player = client.get("/admin/mail")
    nowhere = client.get("/admin/nowhere")
    assert [as_stranger.status_code, as_player.status_code, nowhere.status_code] == [404] * 3
    assert "mail" not in as_player.text.lower()


def test_only_the_newest_mails_are_kept(app, client, sign_up, monkeypatch):
    monkeypatch.setattr("stockpile_web.notify.smtp.KEEP", 3)
    sign_up(client, "Ann")
    with app.app_context():
        for number in range(5):
            send_mail("bob@example.org", f"Number {number}", "text")
    page = client.get("/admin/mail").text
    assert [f"Number {number}" in page for number in range(5)] == [False, False, True, True, True]
    assert KEEP >= 100


def test_the_administrator_reads_who_did_what_to_an_account(app, client, sign_up):
    sign_up(client, "Ann")
    bob, phone = app.test_client(), app.test_client()
    sign_up(bob, "Bob")
    sign_in(phone, "Bob")
    form = {"password": PASSWORD, "new_password": "battery staple"}
    bob.post("/account/password", data=form)
    bob.post("/account/email", data={"email": "b@example.org", "email_password": "battery staple"})
    bob.post("/account/devices/sign-out", data={"others": "on"})
    page = client.get("/admin/audit?name=BOB").text
    told = [
        "signed out on other devices", "changed the e-mail address", "changed the password",
        "signed in: A browser", "signed in: A browser", "made an account",
    ]  # fmt: skip
    assert re.findall(r"<td>Bob</td><td>([^<]+)</td>", _plain(page)) == told
    assert "Ann" not in re.findall(r"<td>([^<]+)</td><td>", _plain(page))
    assert "b@example.org" not in page and "battery" not in page
    everybody = _plain(client.get("/admin/audit").text)
    assert "<td>Ann</td><td>made an account: as administrator</td>" in everybody
    bob.post("/account/delete", data={"password": "battery staple"})
    everybody = _plain(client.get("/admin/audit").text)
    assert "<td>Bob</td>" not in everybody
    assert "<td>former player</td><td>deleted the account</td>" in everybody
    assert app.test_client().get("/admin/audit").status_code == 404


def test_the_log_of_accounts_comes_in_parts_and_what_is_old_is_forgotten(app, client, sign_up):
    ann = sign_up(client, "Ann")
    with app.app_context(), writing() as tx:
        for number in range(LINES_ON_A_PAGE):
            audit.note(tx, ann, "report", f"number {number}")
    page = client.get("/admin/audit?name=ann").text
    assert page.count("<tr><td>") == LINES_ON_A_PAGE
    (earlier,) = re.findall(r'href="(/admin/audit\?before=[^"]+)"', page)
    assert client.get(earlier.replace("&amp;", "&")).text.count("<tr><td>") == 2
    with app.app_context(), writing() as tx:
        tx.execute(update(Audit).values(at=now() - audit.KEPT_FOR - timedelta(days=1)))
    sign_in(app.test_client(), "Ann")
    assert client.get("/admin/audit").text.count("<tr><td>") == 1


def _plain(page):
    return re.sub("[\u2066\u2069]", "", page)
