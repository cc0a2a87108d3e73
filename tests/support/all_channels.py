"""Every channel of one person, set up to lead to servers on this machine."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from stockpile_web.notify.channels import CHANNELS
from stockpile_web.storage.models import Channel, User
from stockpile_web.storage.transactions import writing
from tests.support.postbox import Postbox, serving
from tests.support.push_service import Browser
from tests.support.receiver import receiving
from tests.support.telegram import TOKEN, Telegram

CHAT = 77


class Everywhere:
    """A mail server, Telegram, a push service and a receiver for all else, and a browser's keys."""

    def __init__(self, stack: ExitStack) -> None:
        self.until_the_end = stack.enter_context
        self.postbox: Postbox = self.until_the_end(serving())
        self.telegram, self.service, self.hook = (self.until_the_end(receiving()) for _ in range(3))
        self.browser = Browser()
        self.telegram.answer = Telegram().answer
        self.service.status = 201

    def prepare(self, app: Flask) -> None:
        """Let the site use these servers."""
        app.config.update(self.postbox.settings())
        app.config.update(SMTP_PORT=self.postbox.port, WEBHOOKS="any")
        app.config.update(TELEGRAM_TOKEN=TOKEN, TELEGRAM_API=self.telegram.base)

    def set_up(self, app: Flask, client: FlaskClient, name: str, kind: str, use: str) -> None:
        """Set up a channel of somebody who has an account with an address of mail."""
        if kind == "telegram":
            with app.app_context(), writing() as tx:
                user = tx.scalars(select(User.id).where(User.name == name)).one()
                tx.add(Channel(user_id=user, kind=kind, use=use, address=f"{CHAT} {name}"))
            return
        if kind == "push":
            form = self.browser.form(f"{self.service.base}/{name}")
            assert client.post("/notices/push", data=form).status_code == 204
        form = {"use": use}
        if CHANNELS[kind].HINT:
            form[f"{kind}-address"] = f"{self.hook.base}/{kind}/{name}"
        assert client.post(f"/notices/channels/{kind}", data=form).status_code == 303


@contextmanager
def everywhere() -> Iterator[Everywhere]:
    """Run all the servers until the end of the block."""
    with ExitStack() as stack:
        yield Everywhere(stack)
