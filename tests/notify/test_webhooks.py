"""Notices to addresses that people type: four kinds, and all that can go wrong on the way."""

import hmac
import json
import socket
import time
from base64 import b64encode
from datetime import timedelta
from hashlib import sha256

import pytest
from sqlalchemy import select, update

from stockpile_web.notify.channels import WAYS, Failed, post
from stockpile_web.notify.lanes import SLOW
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Channel, Delivery, Notice, SendJob, User
from stockpile_web.storage.transactions import writing
from tests.support.people import seated
from tests.support.postbox import work
from tests.support.receiver import receiving

KINDS = [kind for kind, way in WAYS.items() if way.HINT]


@pytest.fixture
def receiver():
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def app(app):
    """The application, allowed to post to this machine."""
    app.config["WEBHOOKS"] = "any"
    return app


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
    assert f"/table/{match_id}" in told and f"table {match_id} (Stockpile)" in told
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


def failure(app, address, timeout=SLOW.timeout):
    with app.app_context(), pytest.raises(Failed) as failed:
        post.post(address, b"x", {}, SLOW._replace(timeout=timeout))
    return str(failed.value), failed.value.for_good


def test_a_silent_a_slow_a_closed_and_a_garbled_server_hold_up_nobody(app, receiver):
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"127.0.0.1:{mute.getsockname()[1]}"
        assert failure(app, f"http://{address}/", 0.3) == ("No answer in time.", False)
        assert failure(app, f"https://{address}/", 0.3) == ("No answer in time.", False)
    assert failure(app, f"http://{address}/")[0].startswith("Cannot be reached")
    began = time.monotonic()
    receiver.drip = True
    with app.app_context():
        brief = SLOW._replace(timeout=1)
        post.post(receiver.url, b"x", {}, brief)  # It has said 200, and is cut off after that.
    assert time.monotonic() - began < 5
    receiver.drip = False
    secure = receiver.url.replace("http:", "https:")
    assert failure(app, secure)[0].startswith("Not safe to connect")
    assert failure(app, "http://no-such-host.invalid/")[0] == (
        "There is no host no-such-host.invalid."
    )


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "0.0.0.0", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1%eth0", "fd00::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "64:ff9b::7f00:1", "ff02::1",
    ],
)  # fmt: skip
def test_private_addresses_are_known_in_every_disguise(address):
    assert not post.is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700::1111", "64:ff9b::101:101"])
def test_public_addresses_are_let_through(address):
    assert post.is_public(address)


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost", "2130706433", "0x7f.1"])
def test_nothing_is_posted_into_a_private_network(app, receiver, host):
    app.config["WEBHOOKS"] = "public"
    said, for_good = failure(app, f"https://{host}:{receiver.server.server_port}/")
    assert "private network" in said and for_good
    assert receiver.got == []


def test_a_name_that_leads_to_one_private_address_among_others_is_refused(app, monkeypatch):
    app.config["WEBHOOKS"] = "public"
    found = [(2, 1, 6, "", (ip, 443)) for ip in ("1.1.1.1", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    assert "private network" in failure(app, "https://example.org/")[0]


def test_the_connection_goes_to_the_address_that_was_checked(app, receiver, monkeypatch):
    """A name that is looked up twice could lead elsewhere the second time."""
    real, asked = socket.getaddrinfo, []

    def look_up(host, *rest, **further):
        asked.append(host)
        return real("127.0.0.1" if host == "games.example" else host, *rest, **further)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    address = f"games.example:{receiver.server.server_port}"
    with app.app_context():
        assert post.post(f"http://{address}/", b"x", {}, SLOW) == "200 thank you"
    assert asked == ["games.example", "127.0.0.1"]
    assert receiver.got[0][1]["Host"] == address


def _leads_to(monkeypatch, *addresses):
    """Let the name games.example have these addresses."""
    real = socket.getaddrinfo

    def look_up(host, port, *rest, **further):
        if host == "games.example":
            return [(2, 1, 6, "", (address, port)) for address in addresses]
        return real(host, port, *rest, **further)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


def test_if_one_address_of_a_host_does_not_answer_the_next_one_is_tried(app, receiver, monkeypatch):
    _leads_to(monkeypatch, "127.0.0.2", "127.0.0.3", "127.0.0.1")
    with app.app_context():
        address = f"http://games.example:{receiver.server.server_port}/"
        assert post.post(address, b"x", {}, SLOW) == "200 thank you"
    assert len(receiver.got) == 1


def test_all_addresses_together_have_one_time_limit(app, monkeypatch):
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        port = full.getsockname()[1]
        fillers = [socket.socket() for _ in range(4)]
        for filler in fillers:  # Until no connection is taken any more.
            filler.setblocking(False)
            filler.connect_ex(("127.0.0.1", port))
        _leads_to(monkeypatch, *["127.0.0.1"] * 3)
        began = time.monotonic()
        assert failure(app, f"http://games.example:{port}/", 1) == ("No answer in time.", False)
        assert time.monotonic() - began < 3
        for filler in fillers:
            filler.close()


def test_a_name_that_nobody_answers_for_is_given_up_in_time(app, monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(3))
    began = time.monotonic()
    assert failure(app, "http://games.example/", 0.3) == ("No answer in time.", False)
    assert time.monotonic() - began < 2


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
