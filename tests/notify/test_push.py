"""Pushes: turned on browser by browser, sealed, and ended by whoever no longer wants them."""

import json
import socket

import pytest
from sqlalchemy import select

from stockpile_web.notify.channels import push
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Delivery, Notice, PushDevice, User
from tests.conftest import sign_in
from tests.support.people import on_turn, seated
from tests.support.postbox import send_what_is_queued, short_time_limits, work
from tests.support.push_service import Browser
from tests.support.receiver import receiving


@pytest.fixture
def service():
    with receiving() as receiver:
        receiver.status, receiver.text = 201, ""
        yield receiver


@pytest.fixture
def app(app):
    """The application, allowed to post to this machine."""
    app.config["WEBHOOKS"] = "any"
    return app


def turn_on(client, service, path="ann"):
    """Do what a page does when "Turn on here" is pressed; return the browser's keys."""
    browser = Browser()
    answer = client.post("/notices/push", data=browser.form(f"{service.base}/{path}"))
    assert answer.status_code == 204, answer.text
    return browser


def deliveries(app):
    with app.app_context():
        rows = db.session.scalars(select(Delivery).order_by(Delivery.id))
        return [(row.kind, row.place, row.accepted, row.answer) for row in rows]


def outcomes(app, name):
    with app.app_context():
        theirs = select(Notice.outcome).join(User).where(User.name == name)
        return set(db.session.scalars(theirs))


def devices(app):
    with app.app_context():
        return db.session.scalars(select(PushDevice.endpoint).order_by(PushDevice.id)).all()


def test_a_push_says_which_table_waits_to_the_browser_it_is_for_alone(app, sign_up, service):
    match_id, players = seated(app, sign_up, 2)
    (mover,) = on_turn(app, match_id, players)
    browser = turn_on(mover, service)
    for _ in range(2):
        work(app)
    ((path, headers, sealed),) = service.got
    news = browser.news(sealed)
    assert path == "/ann"
    assert news["title"] == "Your turn at “ann’s table” (Stockpile)"
    assert news["body"] == "It is your turn at “ann’s table” (Stockpile)."
    assert news["link"] == f"/table/{match_id}"
    assert headers["Content-Encoding"] == "aes128gcm" and headers["TTL"] == "86400"
    assert headers["Authorization"].startswith("vapid t=") and headers["Urgency"] == "normal"
    assert headers["Topic"] == news["tag"] and len(headers["Topic"]) <= 32
    assert "table" not in str(headers)
    assert deliveries(app) == [("push", "your devices", True, "A browser: 201")]


def test_every_device_is_told_and_one_that_has_ended_its_subscription_is_removed(
    app, sign_up, service
):
    _, (ann, _) = seated(app, sign_up, 2)
    phone = app.test_client()
    sign_in(phone, "ann")
    turn_on(ann, service, "laptop")
    turn_on(phone, service, "phone")
    service.status = 410
    ann.post("/notices/channels/push/test")
    send_what_is_queued(app)
    assert devices(app) == []
    assert [path for path, _, _ in service.got] == ["/laptop", "/phone"]
    assert deliveries(app)[-1][2:] == (False, "A browser: 410 (removed); A browser: 410 (removed)")
    service.status = 201
    turn_on(phone, service, "phone")
    work(app)
    assert [path for path, _, _ in service.got][2:] == ["/phone"]
    assert outcomes(app, "ann") == {"sent"}


@pytest.mark.parametrize(
    ("status", "outcome"), [(400, "failed"), (403, "failed"), (429, None), (500, None)]
)
def test_what_a_push_service_refuses_is_logged_and_what_may_change_is_tried_again(
    app, sign_up, service, status, outcome
):
    _, (ann, _) = seated(app, sign_up, 2)
    turn_on(ann, service)
    service.status, service.text = status, "not now"
    work(app)
    assert outcomes(app, "ann") == {outcome}
    assert deliveries(app)[-1][2:] == (False, f"A browser: {status} not now")
    assert len(devices(app)) == 1


def test_a_push_service_that_cannot_be_reached_does_not_answer_or_has_a_false_certificate(
    app, sign_up, service, tmp_path, monkeypatch
):
    short_time_limits(monkeypatch)
    _, (ann, _) = seated(app, sign_up, 2)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        address = f"http://127.0.0.1:{mute.getsockname()[1]}/x"
        ann.post("/notices/push", data=Browser().form(address))
        work(app)
    monkeypatch.undo()
    work(app)
    service.speak_tls(tmp_path)
    turn_on(ann, service)
    for _ in range(3):
        work(app)
    said = [answer for _, _, _, answer in deliveries(app)]
    assert said[0] == "A browser: No answer in time."
    assert said[1].startswith("A browser: Cannot be reached")
    assert said[2] == "A browser: Not safe to connect: CERTIFICATE_VERIFY_FAILED"
    assert service.got == [] and outcomes(app, "ann") == {None}
    page = ann.get("/notices/choices").text
    assert "CERTIFICATE_VERIFY_FAILED" in page and "keeps failing" in page


def test_one_browser_is_listed_once_and_can_be_removed(app, sign_up, client, service):
    sign_up(client, "ann")
    assert "Turn on here" in client.get("/notices/choices").text
    for _ in range(2):
        turn_on(client, service)
    page = client.get("/notices/choices").text
    assert "Turn on here" not in page and page.count(">this device<") == 1
    (number,) = (row for row in _numbers(app))
    stranger = app.test_client()
    sign_up(stranger, "bob")
    stranger.post(f"/notices/push/{number}/remove")
    assert len(devices(app)) == 1
    client.post(f"/notices/push/{number}/remove")
    assert devices(app) == []
    assert "Turn on here" in client.get("/notices/choices").text


def _numbers(app):
    with app.app_context():
        return db.session.scalars(select(PushDevice.id)).all()


def test_who_signs_out_gets_no_more_pushes_there(app, sign_up, client, service):
    sign_up(client, "ann")
    turn_on(client, service)
    client.post("/sign-out")
    assert devices(app) == []


def test_a_browser_tells_only_whoever_is_signed_in_there_now(app, sign_up, client, service):
    sign_up(client, "ann")
    turn_on(client, service, "one-browser")
    other = app.test_client()
    sign_up(other, "bob")
    turn_on(other, service, "one-browser")
    with app.app_context():
        names = select(User.name).join(PushDevice, PushDevice.user_id == User.id)
        assert db.session.scalars(names).all() == ["bob"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": "https://10.0.0.1 /"}, {"endpoint": "ftp://push.example/x"}, {"endpoint": ""},
        {"endpoint": "https://push.example/" + "x" * 1000}, {"public_key": "x"}, {"auth": "y"},
        {"public_key": ""}, {"auth": "A" * 23},
    ],
)  # fmt: skip
def test_what_no_browser_would_give_is_refused_in_words(app, client, sign_up, wrong):
    sign_up(client, "ann")
    answer = client.post("/notices/push", data={**Browser().form("https://push.example"), **wrong})
    assert answer.status_code == 422 and answer.text.endswith((".", "://"))
    assert devices(app) == []


def test_nothing_is_pushed_into_a_private_network(app, sign_up, client, service):
    sign_up(client, "ann")
    turn_on(client, service)
    app.config["WEBHOOKS"] = "public"
    client.post("/notices/channels/push/test")
    send_what_is_queued(app)
    assert service.got == [] and "must begin with https" in deliveries(app)[-1][3]
    with app.app_context():
        assert (
            client.post("/notices/push", data=Browser().form("http://127.0.0.1:1/x")).status_code
            == 422
        )


def test_nobody_turns_it_on_at_more_than_ten_places(app, sign_up, service):
    sign_up(app.test_client(), "ann")
    for number in range(11):
        client = app.test_client()
        sign_in(client, "ann")
        form = Browser().form(f"{service.base}/{number}")
        assert client.post("/notices/push", data=form).status_code == (204 if number < 10 else 422)
    assert len(devices(app)) == 10


def test_a_browser_that_is_refused_takes_pushes_from_nobody_else(app, sign_up, service):
    sign_up(app.test_client(), "ann")
    for number in range(10):
        client = app.test_client()
        sign_in(client, "ann")
        client.post("/notices/push", data=Browser().form(f"{service.base}/{number}"))
    bob, ann = app.test_client(), app.test_client()
    sign_up(bob, "bob")
    turn_on(bob, service, "shared")
    sign_in(ann, "ann")
    refused = ann.post("/notices/push", data=Browser().form(f"{service.base}/shared"))
    assert refused.status_code == 422
    assert len(devices(app)) == 11
    with app.app_context():
        names = select(User.name).join(PushDevice, PushDevice.user_id == User.id)
        assert "bob" in db.session.scalars(names).all()


def test_a_key_of_a_browser_that_is_none_ends_that_subscription(app, sign_up, client, service):
    sign_up(client, "ann")
    form = {**Browser().form(service.url), "public_key": "B" + "A" * 86}
    assert client.post("/notices/push", data=form).status_code == 204
    client.post("/notices/channels/push/test")
    send_what_is_queued(app)
    assert devices(app) == [] and service.got == []


def test_the_key_of_the_site_is_made_once_and_can_be_set(make_app, tmp_path):
    app = make_app()
    with app.app_context():
        pair, public = push.own_keys()
        assert push.own_keys() == (pair, public) and pair.endswith(f".{public}")
    other = make_app(PUSH_KEY=pair, STOCKPILE_INSTANCE=str(tmp_path / "other"))
    with other.app_context():
        assert push.own_keys() == (pair, public)
    assert not (tmp_path / "other" / "push_key").exists()


def test_the_site_can_be_put_among_a_phone_s_apps(client, sign_up):
    sign_up(client, "ann")
    for address in ("/tables", "/notices/choices"):
        assert 'rel="manifest" href="/app.webmanifest"' in client.get(address).text
    answer = client.get("/app.webmanifest")
    assert answer.mimetype == "application/manifest+json"
    manifest = json.loads(answer.text)
    assert (manifest["scope"], manifest["start_url"]) == ("/", "/tables")
    assert {icon["sizes"] for icon in manifest["icons"]} == {"192x192", "512x512", "any"}
    for icon in manifest["icons"]:
        with client.get(icon["src"]) as found:
            assert (found.status_code, found.mimetype) == (200, icon["type"])
    with client.get("/service-worker.js") as script:
        assert script.mimetype == "text/javascript" and "showNotification" in script.text
