"""A mail server for tests, and a worker that has no time to lose."""

import email
import email.policy
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from flask import Flask
from sqlalchemy import update

from stockpile_web.notify.lanes import LANES
from stockpile_web.storage.database import now
from stockpile_web.storage.models import AccountMail, Notice, SendJob
from stockpile_web.storage.transactions import writing
from stockpile_web.worker import account_mails, notices


def text_of(mail: EmailMessage, kind: str = "plain") -> str:
    """Return the text of a mail, or with "html" its page."""
    body = mail.get_body((kind,))
    assert body is not None
    return str(body.get_content())


class Postbox:
    """Keeps what it gets; refuses nobody@, and all for as many times as `busy` says."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.busy = 0
        self.port = 0

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address.startswith("nobody@"):
            return "550 no such person"
        envelope.rcpt_tos.append(address)
        return "250 fine"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        if self.busy:
            self.busy -= 1
            return "451 come back later"
        assert isinstance(envelope.content, bytes)
        parse = email.message_from_bytes
        self.mails.append(parse(envelope.content, policy=email.policy.default))
        return "250 queued as 77"

    def settings(self) -> dict[str, str]:
        """Return the settings of a site that uses this server."""
        return {
            "SMTP_HOST": "127.0.0.1",
            "SMTP_PORT": str(self.port),
            "SMTP_SECURITY": "none",
            "SMTP_FROM": "Stockpile Web <games@example.org>",
            "SITE_URL": "https://games.example.org",
        }


@contextmanager
def serving(**how: Any) -> Iterator[Postbox]:
    """Run a mail server until the end of the block."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]  # The controller cannot choose a free one itself.
    postbox = Postbox()
    postbox.port = port
    controller = Controller(postbox, hostname="127.0.0.1", port=port, **how)
    controller.start()
    try:
        yield postbox
    finally:
        controller.stop()


def time_passes(app: Flask) -> None:
    """Let all that is not done yet fall due, and all leases end."""
    with app.app_context(), writing() as tx:
        past = now() - timedelta(seconds=5)
        tx.execute(update(Notice).where(Notice.done_at.is_(None)).values(due_at=past))
        tx.execute(update(SendJob).values(due_at=past))


def work(app: Flask) -> None:
    """Let time pass and a worker do all that is due then."""
    time_passes(app)
    do_what_is_due(app)


def do_what_is_due(app: Flask) -> int:
    """Let a worker queue and send all that is due; return how many messages it has handled."""
    while notices.queue_once(app):
        pass
    return send_what_is_queued(app)


def send_what_is_queued(app: Flask) -> int:
    """Let a worker send what is on the queues already: tests that somebody has asked for."""
    sent = 0
    while handled := sum(notices.send_once(lane, app) for lane in LANES):
        sent += handled
    return sent


def send_account_mails(app: Flask) -> None:
    """Let time pass and a worker send all mails about accounts."""
    with app.app_context(), writing() as tx:
        tx.execute(update(AccountMail).values(due_at=now() - timedelta(seconds=1)))
    while account_mails.send_next(app):
        pass


def short_time_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let work() wait for a silent server no longer than a moment."""
    brief = {lane.name: lane._replace(timeout=0.3) for lane in LANES}
    monkeypatch.setattr("tests.support.postbox.LANES", tuple(brief.values()))
    monkeypatch.setattr("stockpile_web.notify.channels.telegram.TELEGRAM", brief["telegram"])
    monkeypatch.setattr("stockpile_web.notify.smtp.TIMEOUT", 0.3)
