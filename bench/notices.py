"""Notices: how many go through the outbox, and how soon after a move the mail is there.

The first figure is the worker alone, with mails that go nowhere; the second is the real server with
its worker and a local mail server, while ten tables a second move.
"""

import json
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from aiosmtpd.controller import Controller
from flask import Flask
from sqlalchemy import func, select, update

from bench import _seed as seed
from bench._load import ask
from bench._server import serving
from stockpile_web import create_app
from stockpile_web.notify.channels import CHANNELS
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Notice, User
from stockpile_web.storage.schema import migrate
from stockpile_web.storage.transactions import writing
from stockpile_web.worker import watch
from tests.support import pgtest
from tests.support.crowd import gather

JOBS = 2000
TABLES = 50
MOVES_A_SECOND = 10
SECONDS = 20
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}


class Postbox:
    """A mail server that notes when each mail came."""

    def __init__(self) -> None:
        self.came: list[tuple[str, float]] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.came.append((envelope.rcpt_tos[0], time.time()))
        return "250 fine"


def main(words: list[str]) -> None:
    """Measure, print a line for each database and a line of JSON."""
    figures: dict[str, Any] = {}
    for name, (one, other) in _databases():
        figures[name] = {**through_the_outbox(one), **from_move_to_mail(other)}
        told = ", ".join(f"{key} {figure}" for key, figure in figures[name].items())
        print(f"{name}: {told}", flush=True)
    print(json.dumps(figures))


def through_the_outbox(environ: dict[str, str], jobs: int = JOBS) -> dict[str, float]:
    """Measure how many notices a second one worker takes through the outbox."""
    with _site(environ) as app:
        people = seed.sign_in(app, 5)
        (match_id,) = seed.seat(app, people, 1)
        with app.app_context(), writing() as tx:
            tx.execute(update(Notice).values(done_at=now()))
        gather(app, match_id, jobs)
        began = time.perf_counter()
        with patch.object(CHANNELS["mail"], "send", lambda *_: "250 fine"):
            _drain(app)
        return {"notices_per_s": round(jobs / (time.perf_counter() - began))}


def _drain(app: Flask) -> None:
    stop = threading.Event()
    thread = threading.Thread(target=watch.run, args=(app, stop))
    thread.start()
    while _waiting(app):
        time.sleep(0.02)
    stop.set()
    thread.join()


def from_move_to_mail(environ: dict[str, str], seconds: float = SECONDS) -> dict[str, float]:
    """Measure the time from a move's answer to the mail at a local mail server."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    postbox = Postbox()
    controller = Controller(postbox, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        return _play({**environ, **_mail(port)}, postbox, seconds)
    finally:
        controller.stop()


def _play(environ: dict[str, str], postbox: Postbox, seconds: float) -> dict[str, float]:
    with _site(environ) as app:
        people = seed.sign_in(app, 2 * TABLES)
        # Two of their own for each table, or their mails would be bundled.
        pairs = [people[first : first + 2] for first in range(0, 2 * TABLES, 2)]
        tables = [(pair, seed.seat(app, pair, 1)[0]) for pair in pairs]
        with app.app_context(), writing() as tx:
            for user in tx.scalars(select(User)):
                user.email, user.email_confirmed_at = f"{user.id}@example.org", now()
            tx.execute(update(Notice).values(done_at=now(), seen_at=now()))
        scripts = [iter(seed.requests(app, people, table)) for people, table in tables]
    with serving("wsgi:app", environ) as server:
        began = time.monotonic()
        for number in range(int(seconds * MOVES_A_SECOND)):
            ask(server.port, next(scripts[number % TABLES]))
            time.sleep(max(0.0, began + (number + 1) / MOVES_A_SECOND - time.monotonic()))
        time.sleep(3)
    return _summary(environ, postbox)


def _summary(environ: dict[str, str], postbox: Postbox) -> dict[str, float]:
    """Compare when notices were made with when their mails came."""
    with _site(environ) as app, app.app_context():
        made: dict[str, list[float]] = {}
        rows = db.session.execute(
            select(Notice.user_id, Notice.made_at).where(Notice.outcome == "sent")
        )
        for user_id, moment in rows.all():
            made.setdefault(f"{user_id}@example.org", []).append(moment.timestamp())
    took = []
    for person, came in postbox.came:
        before = [moment for moment in made.get(person, []) if moment <= came]
        if before:
            took.append(came - max(before))
    took.sort()
    return {
        "mails": len(postbox.came),
        "move_to_mail_p50_s": round(took[len(took) // 2], 2),
        "move_to_mail_p95_s": round(took[int((len(took) - 1) * 0.95)], 2),
    }


def _waiting(app: Flask) -> int:
    with app.app_context():
        waiting = select(func.count(Notice.id)).where(Notice.done_at.is_(None))
        return db.session.scalar(waiting) or 0


def _mail(port: int) -> dict[str, str]:
    return {
        "SMTP_HOST": "127.0.0.1",
        "SMTP_PORT": str(port),
        "SMTP_SECURITY": "none",
        "SMTP_FROM": "games@example.org",
        "SITE_URL": "http://localhost",
    }


@contextmanager
def _site(environ: dict[str, str]) -> Iterator[Flask]:
    app = create_app(environ)
    migrate(app)
    yield app
    with app.app_context():
        db.engine.dispose()


def _databases() -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Give the environments of two fresh sites on each database."""
    with tempfile.TemporaryDirectory() as folder, patch.dict(pgtest.SETTINGS, DURABLE):
        each = [{"STOCKPILE_INSTANCE": f"{folder}/{name}"} for name in ("one", "two")]
        yield "SQLite", [{**environ, "DATABASE_URL": ""} for environ in each]
        with pgtest.server() as server:
            urls = [server.create(name) for name in ("one", "two")]
            pairs = zip(each, urls, strict=True)
            yield "Postgres", [{**environ, "DATABASE_URL": url} for environ, url in pairs]
