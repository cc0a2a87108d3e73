"""Whatever goes wrong with a channel is told in words in the log, and the next channel is used."""

import socket

import pytest
from sqlalchemy import select

from stockpile_web.notify.channels import CHANNELS
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Delivery, Notice, User
from tests.support.all_channels import everywhere
from tests.support.people import seated
from tests.support.postbox import serving, short_time_limits, work
from tests.support.receiver import self_signed

NOT_SAFE = "CERTIFICATE_VERIFY_FAILED"

# What is said of each failure: by the mail server, and by all others.
WORDS = {
    "refused": ("cannot be reached", "Cannot be reached"),
    "silent": ("timed out", "No answer in time."),
    "not for us": ("550 no such person", "403 not for you"),
    "fault": ("451 come back later", "503 out of order"),
    "false certificate": (NOT_SAFE, NOT_SAFE),
}


@pytest.fixture
def world(app):
    with everywhere() as world:
        world.prepare(app)
        yield world


@pytest.fixture
def mute():
    with socket.create_server(("127.0.0.1", 0)) as mute:
        yield mute


def port_of(failure, mute):
    """Return a port at which nothing answers, in one way or the other."""
    port = mute.getsockname()[1]
    if failure == "refused":
        mute.close()
    return port


def break_mail(app, world, failure, mute, tmp_path):
    if failure in ("refused", "silent"):
        app.config["SMTP_PORT"] = port_of(failure, mute)
    elif failure == "fault":
        world.postbox.busy = 1000
    elif failure == "false certificate":
        secure = world.until_the_end(serving(ssl_context=self_signed(tmp_path)))
        app.config.update(SMTP_SECURITY="tls", SMTP_PORT=secure.port)


def break_web(app, world, kind, failure, mute, tmp_path):
    server = {"push": world.service, "telegram": world.telegram}.get(kind, world.hook)
    server.answer = None
    if failure in ("refused", "silent"):
        server.base = f"http://127.0.0.1:{port_of(failure, mute)}"
    elif failure == "fault":
        server.status, server.text = 503, "out of order"
    elif failure == "not for us":
        server.status, server.text = 403, "not for you"
    else:
        server.speak_tls(tmp_path)
    app.config["TELEGRAM_API"] = world.telegram.base


@pytest.mark.long_on_postgres
@pytest.mark.parametrize("failure", WORDS)
@pytest.mark.parametrize("kind", CHANNELS)
def test_a_failure_is_told_in_words_and_the_next_channel_is_used(
    app, sign_up, world, mute, tmp_path, monkeypatch, kind, failure
):
    if failure == "silent":  # All others answer, however busy this machine is.
        short_time_limits(monkeypatch)

    def with_mail(client, name, **fields):
        host = "nobody@" if failure == "not for us" and kind == "mail" else f"{name}@"
        return sign_up(client, name, email=f"{host}example.org", **fields)

    _, (ann, _) = seated(app, with_mail, 2)
    spare = "mail" if kind != "mail" else "ntfy"
    if kind == "mail":
        break_mail(app, world, failure, mute, tmp_path)
    else:
        break_web(app, world, kind, failure, mute, tmp_path)
    world.set_up(app, ann, "ann", kind, "always")
    world.set_up(app, ann, "ann", spare, "spare")
    for _ in range(3):
        work(app)
    lines = deliveries(app)
    said = [answer for channel, accepted, answer in lines if channel == kind and not accepted]
    assert said and all(WORDS[failure][kind != "mail"] in answer for answer in said), said
    assert len(said) == (1 if failure == "not for us" else 3)
    assert [accepted for channel, accepted, _ in lines if channel == spare] == [True]
    assert outcomes(app) <= {"sent", None}
    page = ann.get("/notices/choices").text
    assert "keeps failing" in page and WORDS[failure][kind != "mail"] in page


def deliveries(app):
    with app.app_context():
        ann = select(Delivery).join(User).where(User.name == "ann").order_by(Delivery.id)
        return [(row.kind, row.accepted, row.answer) for row in db.session.scalars(ann)]


def outcomes(app):
    with app.app_context():
        theirs = select(Notice.outcome).join(User).where(User.name == "ann")
        return set(db.session.scalars(theirs))
