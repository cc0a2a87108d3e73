"""Notices to addresses that people type: four kinds, and all that can go wrong on the way."""

import hmac
import json
import socket
from base64 import b64encode
from datetime import timedelta
from email.header import decode_header, make_header
from hashlib import sha256

import pytest
from sqlalchemy import select, update

from stockpile_web.notify.channels import CHANNELS
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Channel, Delivery, Notice, SendJob, User
from stockpile_web.storage.transactions import writing
from tests.support.people import seated
from tests.support.postbox import work

pytestmark = pytest.mark.usefixtures("may_post_here")

KINDS = [kind for kind, way in CHANNELS.items() if way.HINT]


def set_channel(app, client, kind, address, use="always"):
    answer = client.post(f"/notices/channels/{kind}", data={f"{kind}-address": address, "use": use})
    assert answer.status_code == 303, answer.text


def deliveries(app):
    with app.app_context():
        rows = db.session.scalars(select(Delivery).order_by(Delivery.id))
        return [(row.kind, row.accepted, row.answer) for row in rows]


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_webhook_tells_of_the_table_once_and_no_secret(app, sign_up, receiver, kind):
    match_id, (ann, _) = seated(app, sign_up, 2)
    set_channel(app, ann, kind, receiver.url)
    for _ in range(2):
        work(app)
    ((path, headers, body),) = receiver.got
    told = body.decode() + str(headers)
    assert path == "/hook/secret?x=1"
    assert f"/table/{match_id}" in told and "s table" in told
    assert "You are dealt" not in told and "You learn" not in told
    assert deliveries(app) == [(kind, True, "200 thank you")]
    page = ann.get("/notices/choices").text
    assert "200 thank you" in page and "hook/secret" not in page.partition("What was sent")[2]


def test_a_webhook_is_signed_with_the_secret_that_its_owner_is_shown(app, sign_up, receiver):
    _, (ann, _) = seated(app, sign_up, 2)
    set_channel(app, ann, "webhook", receiver.url)
    work(app)
    ((_, headers, body),) = receiver.got
    with app.app_context():
        secret = db.session.scalars(select(Channel.secret)).one()
    assert secret in ann.get("/notices/choices").text
    signed = f"{headers['Webhook-Id']}.{headers['Webhook-Timestamp']}.".encode() + body
    digest = hmac.new(secret.encode(), signed, sha256).digest()
    assert headers["Webhook-Signature"] == f"v1,{b64encode(digest).decode()}"
    assert json.loads(body)["id"] == headers["Webhook-Id"]


def test_a_name_calls_nobody(app, sign_up, receiver):
    _, (ann, _) = seated(app, sign_up, 2)
    with app.app_context(), writing() as tx:
        tx.scalars(select(User).where(User.name == "ann")).one().name = "<!channel>@everyone"
    for kind in ("discord", "slack"):
        set_channel(app, ann, kind, receiver.url)
    work(app)
    bodies = [json.loads(body) for _, _, body in receiver.got]
    assert bodies[0]["allowed_mentions"] == {"parse": []}
    assert "<!channel>" not in bodies[1]["text"] and "&lt;!channel&gt;" in bodies[1]["text"]


def test_a_table_can_be_called_anything_and_nothing_in_it_is_taken_for_a_link(
    app, sign_up, receiver
):
    name = "[Übung](x) *三国* #1 <a>"
    _, (ann, _) = seated(app, sign_up, 2, name=name)
    for kind in ("discord", "slack", "ntfy"):
        set_channel(app, ann, kind, receiver.url)
    work(app)
    (ntfy,) = [(headers, body) for _, headers, body in receiver.got if "Title" in headers]
    told = [json.loads(body) for _, headers, body in receiver.got if "Title" not in headers]
    (discord,) = [body["content"] for body in told if "content" in body]
    (slack,) = [body["text"] for body in told if "text" in body]
    assert r"“\[Übung\](x) \*三国\* \#1 \<a\>”" in discord
    assert "“[Übung](x) *三国* #1 &lt;a&gt;”" in slack
    assert name in ntfy[1].decode()
    assert name in str(make_header(decode_header(ntfy[0]["Title"])))


def outcomes(app):
    with app.app_context():
        ann = select(User.id).where(User.name == "ann").scalar_subquery()
        return set(db.session.scalars(select(Notice.outcome).where(Notice.user_id == ann)))


@pytest.mark.parametrize(
    ("status", "outcome"), [(404, "failed"), (410, "failed"), (429, None), (500, None), (503, None)]
)
def test_what_will_not_change_is_given_up_and_the_rest_tried_again(
    app, sign_up, receiver, status, outcome
):
    _, (ann, _) = seated(app, sign_up, 2)
    set_channel(app, ann, "webhook", receiver.url)
    receiver.status = status
    work(app)
    assert outcomes(app) == {outcome}
    receiver.status = 200
    work(app)
    assert outcomes(app) == {outcome or "sent"}
    assert deliveries(app)[0] == ("webhook", False, f"{status} thank you")


def test_a_redirect_is_not_followed(app, sign_up, receiver):
    _, (ann, _) = seated(app, sign_up, 2)
    set_channel(app, ann, "webhook", receiver.url)
    receiver.status, receiver.headers = 307, {"Location": receiver.url + "&again"}
    work(app)
    assert len(receiver.got) == 1
    assert outcomes(app) == {"failed"}


@pytest.mark.parametrize(
    "address",
    ["http://example.org/", "ftp://example.org", "https://", "https://a@example.org", "x",
     "https://exa mple.org", "https://example.org:99999/", "https://exämple.org/"],
)  # fmt: skip
def test_an_address_that_cannot_be_used_is_refused_when_it_is_typed(app, client, sign_up, address):
    app.config["WEBHOOKS"] = "public"
    sign_up(client, "ann")
    answer = client.post("/notices/channels/ntfy", data={"ntfy-address": address})
    assert answer.status_code == 422 and 'id="ntfy-address-error"' in answer.text
    with app.app_context():
        assert db.session.scalars(select(Channel)).all() == []


def test_a_channel_that_keeps_failing_is_shown_and_the_next_is_used(app, sign_up, receiver):
    _, (ann, _) = seated(app, sign_up, 2)
    set_channel(app, ann, "webhook", "http://127.0.0.1:9/")
    set_channel(app, ann, "ntfy", receiver.url, use="spare")
    for _ in range(3):
        assert receiver.got == []
        assert "keeps failing" not in ann.get("/notices/choices").text
        work(app)
    assert len(receiver.got) == 1
    assert "keeps failing" in ann.get("/notices/choices").text
    work(app)
    assert len(receiver.got) == 1


def test_a_test_goes_through_the_channel_and_the_log_says_what_was_answered(
    app, client, sign_up, receiver
):
    sign_up(client, "ann")
    set_channel(app, client, "ntfy", receiver.url)
    answer = client.post("/notices/channels/ntfy/test")
    assert (answer.status_code, answer.location) == (303, "/notices/choices#log")
    assert receiver.got == []
    page = client.get("/notices/choices").text
    assert "A test by ntfy is on its way" in page and "Look whether it has come" in page
    work(app)
    page = client.get("/notices/choices").text
    assert "The test was taken. ntfy answered: 200 thank you" in page
    assert "on its way" not in page and "Look whether it has come" not in page
    receiver.status = 500
    client.post("/notices/channels/ntfy/test")
    for _ in range(2):  # A test is tried once.
        work(app)
    page = client.get("/notices/log").text
    assert "The test was not taken. ntfy answered: 500 thank you" in page
    assert page.count('class="badge">test<') == 2
    for _ in range(9):
        client.post("/notices/channels/ntfy/test")
    work(app)
    assert len(receiver.got) == 5


def test_the_log_looks_for_the_answer_to_a_test_for_a_minute(app, client, sign_up, receiver):
    sign_up(client, "ann")
    set_channel(app, client, "ntfy", receiver.url)
    assert "hx-trigger" not in client.get("/notices/log").text
    client.post("/notices/channels/ntfy/test")
    assert 'hx-get="/notices/log" hx-trigger="every 2s"' in client.get("/notices/log").text
    with app.app_context(), writing() as tx:  # No worker runs.
        tx.execute(update(SendJob).values(made_at=now() - timedelta(minutes=2)))
    page = client.get("/notices/log").text
    assert "hx-trigger" not in page and "is on its way" in page
    work(app)
    page = client.get("/notices/log").text
    assert "hx-trigger" not in page and "is on its way" not in page


def test_no_request_waits_for_a_hook(app, client, sign_up, monkeypatch):
    sign_up(client, "ann", email="ann@example.org")
    set_channel(app, client, "webhook", "http://127.0.0.1:9/")
    monkeypatch.setattr(socket, "create_connection", lambda *_, **__: 1 / 0)
    for kind in ("webhook", "mail"):
        assert client.post(f"/notices/channels/{kind}/test").status_code == 303


def test_a_channel_that_is_not_set_up_cannot_be_tested(client, sign_up):
    sign_up(client, "ann")
    assert client.post("/notices/channels/slack/test").status_code == 404
    assert client.post("/notices/channels/pigeon/test").status_code == 404


def test_an_address_left_empty_removes_the_channel(app, client, sign_up, receiver):
    sign_up(client, "ann")
    set_channel(app, client, "ntfy", receiver.url)
    set_channel(app, client, "ntfy", "")
    with app.app_context():
        assert db.session.scalars(select(Channel)).all() == []
