"""The worker as a process: killed in the middle of its work, and beside the web server."""

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

import pytest
from sqlalchemy import delete, select

from stockpile_web.cli import GUNICORN
from stockpile_web.notify.lanes import MAIL
from stockpile_web.settings import ROOT
from stockpile_web.storage.database import db
from stockpile_web.storage.models import KeptMail, Notice, User
from stockpile_web.storage.transactions import writing
from stockpile_web.upkeep.processes import children
from tests.support.crowd import gather
from tests.support.live_site import free_port, wait_until
from tests.support.people import seated
from tests.support.postbox import serving, time_passes

MESSAGES = 250


@pytest.fixture
def postbox():
    with serving() as box:
        yield box


def environ(app, postbox):
    kept = ("DATABASE_URL", "STOCKPILE_INSTANCE", "SQLITE_SYNCHRONOUS")
    ours = {name: str(app.config[name]) for name in kept}
    return {**os.environ, **postbox.settings(), **ours, "PYTHONPATH": str(ROOT)}


def fill_outbox(app, sign_up):
    """Leave a notice for each of a thousand people."""
    match_id, _ = seated(app, sign_up, 5)
    with app.app_context(), writing() as tx:
        tx.execute(delete(Notice))
    gather(app, match_id, MESSAGES)


def test_workers_killed_in_the_middle_lose_nothing_and_repeat_only_what_was_not_noted(
    app, sign_up, postbox
):
    fill_outbox(app, sign_up)
    kills = 0
    for until in (50, 130, MESSAGES):
        command = [sys.executable, "-m", "stockpile_web.cli", "worker"]
        process = subprocess.Popen(command, cwd=ROOT, env=environ(app, postbox))
        try:
            wait_until(partial(_have_got, postbox, until), seconds=120)
            noted = _noted(app) if until < MESSAGES else set()
        finally:
            if until < MESSAGES:
                for pid in (process.pid, *children(process.pid)):  # The keeper, and its worker.
                    os.kill(pid, signal.SIGKILL)
            process.send_signal(signal.SIGTERM)
            process.wait(20)
        if until < MESSAGES:
            kills += 1
            assert noted <= set(_who_got(postbox))
            time_passes(app)  # Its leases end.
    got = _who_got(postbox)
    assert len(got) == MESSAGES
    repeated = [person for person, times in got.items() if times > 1]
    assert len(repeated) <= kills * MAIL.threads
    assert len({mail["Message-ID"] for mail in postbox.mails}) == MESSAGES
    with app.app_context():
        assert set(db.session.scalars(select(Notice.outcome))) == {"sent"}


def _who_got(postbox):
    return Counter(mail["To"] for mail in list(postbox.mails))


def _have_got(postbox, enough):
    # To read all addresses takes long, and the postbox waits meanwhile.
    return len(postbox.mails) >= enough and len(_who_got(postbox)) >= enough


def _noted(app):
    with app.app_context():
        told = select(User.email).join(Notice).where(Notice.told != "")
        return set(db.session.scalars(told))


class Server:
    """The site under gunicorn, with its worker."""

    def __init__(self, app, postbox, said=None, **settings):
        self.port = free_port()
        command = [*GUNICORN, "--bind", f"127.0.0.1:{self.port}"]
        self.process = subprocess.Popen(
            [*command, "--workers", "1", "--log-level", "warning", "wsgi:app"],
            cwd=ROOT,
            env={**environ(app, postbox), **settings},
            stdout=said,
            stderr=said,
        )
        wait_until(self.children, seconds=60)

    def children(self):
        """Return the processes that serve, and the keeper of the one that sends."""
        return set(children(self.process.pid))

    def sender(self):
        """Return the process that sends: the keeper's only child."""
        (sender,) = (pid for keeper in self.children() for pid in children(keeper))
        return sender


def test_the_server_has_one_worker_beside_it_that_lives_and_ends_with_it(app, postbox, sign_up):
    fill_outbox(app, sign_up)
    server = Server(app, postbox)
    try:
        wait_until(lambda: len(postbox.mails) > 5, seconds=60)
        before = server.children()
        assert len(before) == 2  # One that serves, one that keeps the sender.
        sender = server.sender()
        os.kill(int(sender), signal.SIGKILL)
        time_passes(app)
        seen = len(postbox.mails)
        wait_until(lambda: len(postbox.mails) > seen + 20, seconds=60)
        assert server.children() == before
        assert server.sender() != sender
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: not server.children() & before, seconds=60)
        wait_until(lambda: len(server.children()) == 2, seconds=60)
        wait_until(lambda: any(map(children, server.children())), seconds=60)
        last = {*server.children(), server.sender()}
    finally:
        server.process.kill()
        server.process.wait(20)
    wait_until(lambda: not any(_is_running(pid) for pid in last), seconds=30)


def test_without_a_worker_the_server_sends_nothing(app, postbox):
    server = Server(app, postbox, WORKER="off")
    try:
        time.sleep(2)
        assert len(server.children()) == 1
    finally:
        server.process.terminate()
        server.process.wait(20)


def test_a_server_without_a_mail_server_keeps_a_link_and_says_it_nowhere(
    app, postbox, sign_up, tmp_path
):
    sign_up(app.test_client(), "ann", email="ann@example.org")
    with (tmp_path / "said").open("w") as said:
        server = Server(app, postbox, said, SMTP_HOST="", SMTP_FROM="")
        try:
            wait_until(lambda: _ask_for_a_link(server.port), seconds=60)
            wait_until(lambda: _kept(app), seconds=60)
        finally:
            server.process.terminate()
            server.process.wait(20)
    (text,) = _kept(app)
    (token,) = re.findall(r"/reset/(\S+)", text)
    words = (tmp_path / "said").read_text()
    assert "ann@example.org" in words and token not in words and "/reset/" not in words


def _ask_for_a_link(port):
    """Fill in the form as a browser would; tell whether the server is there."""
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("GET", "/reset")
        page = connection.getresponse()
        token, *_ = re.findall(r'name="csrf_token" value="([^"]+)"', page.read().decode())
        cookie = page.headers["Set-Cookie"].partition(";")[0]
        form = urlencode({"name": "ann", "csrf_token": token})
        kind = "application/x-www-form-urlencoded"
        headers = {"Cookie": cookie, "Content-Type": kind}
        connection.request("POST", "/reset", form, headers)
        assert connection.getresponse().status == 200
        return True
    except ConnectionError:
        return False
    finally:
        connection.close()


def _kept(app):
    with app.app_context():
        return db.session.scalars(select(KeptMail.text)).all()


def _is_running(pid):
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
