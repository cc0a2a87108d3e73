"""Telegram: a chat is linked by opening it, told of tables, and left alone when it wants to be."""

import re
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from stockpile_web.notify import telegram_links
from stockpile_web.notify.channels import telegram as telegram_channel
from stockpile_web.settings import BadSetting, read_settings
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Channel, ChatLink, Delivery, Notice, SendJob, User
from stockpile_web.storage.transactions import writing
from tests.support.people import on_turn, seated
from tests.support.postbox import work
from tests.support.receiver import receiving
from tests.support.telegram import TOKEN, Telegram


@pytest.fixture
def telegram():
    return Telegram()


@pytest.fixture
def server(telegram):
    with receiving() as receiver:
        receiver.answer = telegram.answer
        yield receiver


@pytest.fixture
def app(app, server):
    """The application, with a bot."""
    app.config["TELEGRAM_TOKEN"], app.config["TELEGRAM_API"] = TOKEN, server.base
    return app


def open_link(app, client):
    """Press the button and return the code of the link that is shown soon."""
    assert client.post("/notices/telegram/link").status_code == 303
    assert "Telegram is asked for a link" in client.get("/notices/choices").text
    listen(app)
    page = client.get("/notices/choices").text
    found = re.search(r"https://t\.me/stockpile_bot\?start=([\w-]+)", page)
    assert found
    return found[1]


def listen(app):
    with app.app_context(), writing() as tx:
        due = update(ChatLink).where(ChatLink.listen_at < now() + timedelta(seconds=5))
        tx.execute(due.values(listen_at=now()))
    telegram_links.poll_updates(app)


def due(app):
    with app.app_context():
        return db.session.scalar(select(telegram_links.NEXT))


def link(app, telegram, client):
    telegram.write(f"/start {open_link(app, client)}")
    listen(app)


def address(app, name="ann"):
    with app.app_context():
        theirs = select(Channel.address).join(User).where(User.name == name)
        return db.session.scalars(theirs.where(Channel.kind == "telegram")).all()


def deliveries(app):
    with app.app_context():
        rows = db.session.scalars(select(Delivery).order_by(Delivery.id))
        return [(row.place, row.accepted, row.answer) for row in rows]


def test_whoever_presses_start_behind_their_link_is_told_there(app, telegram, sign_up):
    match_id, players = seated(app, sign_up, 2)
    (mover,) = on_turn(app, match_id, players)
    link(app, telegram, mover)
    assert "From now on you are told here" in telegram.sent[0]["text"]
    assert "To Ann T. at Telegram." in mover.get("/notices/choices").text
    for _ in range(2):
        work(app)
    (_, message) = telegram.sent
    assert message["chat_id"] == "77" and message["link_preview_options"] == {"is_disabled": True}
    assert message["text"] == (
        f"It is your turn at “ann’s table” (Stockpile).\nhttp://127.0.0.1:8000/table/{match_id}"
    )
    assert deliveries(app) == [("Ann T.", True, "200 message 2")]


def test_the_bot_is_asked_only_while_somebody_has_a_link_open(app, telegram, client, sign_up):
    sign_up(client, "ann")
    listen(app)
    assert telegram.asked == [] and due(app) is None
    code = open_link(app, client)
    assert telegram.asked == ["getMe", "getUpdates"]
    assert now() < due(app) < now() + timedelta(seconds=5)
    telegram.write(f"/start {code}")
    listen(app)
    telegram.asked.clear()
    listen(app)
    assert telegram.asked == []


def test_no_request_waits_for_telegram(app, server, client, sign_up, monkeypatch):
    sign_up(client, "ann")
    monkeypatch.setattr(telegram_channel, "call", lambda *_, **__: 1 / 0)
    assert client.post("/notices/telegram/link").status_code == 303
    assert client.get("/notices/choices").status_code == 200
    assert server.got == []


def test_no_two_workers_listen_at_once(app, telegram, client, sign_up):
    sign_up(client, "ann")
    open_link(app, client)
    with app.app_context(), writing() as tx:
        tx.execute(update(ChatLink).values(listen_at=now() + timedelta(seconds=60)))
    telegram.asked.clear()
    listen(app)
    assert telegram.asked == []
    with app.app_context(), writing() as tx:  # The other one has died.
        tx.execute(update(ChatLink).values(listen_at=now() - timedelta(seconds=1)))
    listen(app)
    assert "getUpdates" in telegram.asked


def test_a_link_works_once_for_a_quarter_of_an_hour_and_for_one_person(app, telegram, sign_up):
    ann, bob = app.test_client(), app.test_client()
    sign_up(ann, "ann")
    sign_up(bob, "bob")
    code, other = open_link(app, ann), open_link(app, bob)
    for text in (f"/start {code}x", "/start", "hello", f"/start {code}", f"/start {code}"):
        telegram.write(text)
    telegram.write(f"/start {other}", chat=88, type="group")
    listen(app)
    assert address(app) == ["77 Ann T."] and address(app, "bob") == []
    words = [message["text"] for message in telegram.sent]
    assert [text.startswith("Hello ann.") for text in words] == [False, False, True, False]
    with app.app_context(), writing() as tx:
        tx.execute(update(ChatLink).values(expires_at=now() - timedelta(seconds=1)))
    telegram.write(f"/start {other}", chat=88)
    listen(app)
    assert address(app, "bob") == []
    assert "t.me" not in bob.get("/notices/choices").text


def test_a_chat_can_be_forgotten_and_another_linked(app, telegram, client, sign_up):
    sign_up(client, "ann")
    link(app, telegram, client)
    client.post("/notices/channels/telegram", data={"use": "spare"})
    assert address(app) == ["77 Ann T."]
    client.post("/notices/telegram/unlink")
    assert address(app) == []
    assert client.post("/notices/channels/telegram", data={"use": "always"}).status_code == 404
    telegram.write(f"/start {open_link(app, client)}", chat=99, username="other")
    listen(app)
    assert address(app) == ["99 other"]


@pytest.mark.parametrize(
    ("code", "words", "outcome"),
    [
        (403, "Forbidden: bot was blocked by the user", "failed"),
        (400, "Bad Request: chat not found", "failed"),
        (401, "Unauthorized", None),
        (500, "Internal Server Error", None),
    ],
)
def test_who_has_blocked_the_bot_is_not_written_to_again(
    app, telegram, sign_up, code, words, outcome
):
    _, (ann, _) = seated(app, sign_up, 2)
    link(app, telegram, ann)
    telegram.refusal = {"error_code": code, "description": words}
    work(app)
    assert deliveries(app)[-1] == ("Ann T.", False, f"{code} {words}")
    assert _outcomes(app) == {outcome}
    assert ("keeps failing" in ann.get("/notices/choices").text) == (outcome == "failed")


def test_when_telegram_is_asked_too_often_it_is_left_alone_as_long_as_it_says(
    app, telegram, sign_up
):
    _, (ann, _) = seated(app, sign_up, 2)
    link(app, telegram, ann)
    telegram.refusal = {
        "error_code": 429,
        "description": "Too Many Requests: retry after 3000",
        "parameters": {"retry_after": 3000},
    }
    work(app)
    with app.app_context():
        theirs = select(SendJob.due_at).join(User).where(User.name == "ann")
        assert min(db.session.scalars(theirs)) > now() + timedelta(seconds=2900)


def test_a_telegram_that_does_not_answer_is_told_in_words(app, server, telegram, client, sign_up):
    sign_up(client, "ann")
    link(app, telegram, client)
    server.answer, server.status, server.text = None, 502, "<html>bad gateway</html>"
    client.post("/notices/channels/telegram/test")
    work(app)
    app.config["TELEGRAM_API"] = "http://127.0.0.1:9"
    client.post("/notices/channels/telegram/test")
    work(app)
    said = [answer for _, _, answer in deliveries(app)]
    assert said[0] == "502 <html>bad gateway</html>"
    assert said[1].startswith("Cannot be reached") and TOKEN not in str(said)
    client.post("/notices/telegram/unlink")
    client.post("/notices/telegram/link")
    listen(app)
    page = client.get("/notices/choices").text
    assert "Telegram cannot be asked now: Cannot be reached" in page and "t.me" not in page
    app.config["TELEGRAM_API"], server.answer = server.base, telegram.answer
    with app.app_context(), writing() as tx:  # It is asked again, a little later.
        tx.execute(update(ChatLink).values(listen_at=now()))
    listen(app)
    page = client.get("/notices/choices").text
    assert "https://t.me/stockpile_bot?start=" in page and "cannot be asked" not in page


def test_a_false_certificate_of_telegram_is_not_trusted(
    app, server, telegram, client, sign_up, tmp_path
):
    sign_up(client, "ann")
    link(app, telegram, client)
    server.speak_tls(tmp_path)
    app.config["TELEGRAM_API"] = server.base
    client.post("/notices/channels/telegram/test")
    work(app)
    assert deliveries(app)[-1][2] == "Not safe to connect: CERTIFICATE_VERIFY_FAILED"


def test_without_a_bot_nothing_of_telegram_is_shown(app, client, sign_up):
    app.config["TELEGRAM_TOKEN"] = ""
    sign_up(client, "ann")
    assert "Telegram" not in client.get("/notices/choices").text
    client.post("/notices/telegram/link")
    assert "has not set up Telegram" in client.get("/notices/choices").text


def test_a_token_that_is_none_is_refused_and_not_printed():
    with pytest.raises(BadSetting) as refused:
        read_settings({"TELEGRAM_TOKEN": "secret/../"})
    assert "secret" not in str(refused.value)


def _outcomes(app):
    with app.app_context():
        theirs = select(Notice.outcome).join(User).where(User.name == "ann")
        return set(db.session.scalars(theirs))
