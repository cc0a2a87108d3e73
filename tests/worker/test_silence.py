"""Nobody's silent hook, and no hanging server, delays what others are told: on the real worker."""

import time
from functools import partial

import pytest
from sqlalchemy import func, select

from stockpile_web.notify import slow_hosts
from stockpile_web.notify.lanes import ANSWERING, NEW, SLOW
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Delivery, SendJob, User
from stockpile_web.storage.transactions import writing
from tests.support.live_site import wait_until
from tests.support.receiver import receiving
from tests.support.silence import KINDS, fill, give_hook, give_hooks, silent_hosts, tell, working

CROWD = 18
# Among them is a second that every notice is left alone, and whatever this machine is busy with.
SOON = 10


@pytest.fixture(autouse=True)
def _no_host_is_known():
    slow_hosts.forget()
    yield
    slow_hosts.forget()


@pytest.fixture
def receiver():
    with receiving() as receiver:
        yield receiver


def brief_waits(app, people):
    """Return how often we have waited in vain for these people in the lanes for the quick."""
    with app.app_context():
        vain = select(func.count(Delivery.id)).where(Delivery.answer == "No answer in time.")
        theirs = vain.where(Delivery.user_id.in_(people))
        return db.session.scalar(theirs.where(Delivery.took < SLOW.timeout - 1))


def wait_until_busy(app):
    """Wait until every thread for newcomers waits for somebody."""

    def busy():
        with app.app_context():
            leased = select(func.count(SendJob.id)).where(SendJob.lease.is_not(None))
            return db.session.scalars(leased).one() >= NEW.threads

    wait_until(busy, seconds=30)


def test_a_crowd_with_silent_hooks_delays_nobody_s_mail_or_hook(
    site, postbox, sign_up_with_mail, receiver
):
    site.config["WEBHOOKS"] = "any"
    match_id, crowd = fill(site, sign_up_with_mail, CROWD)
    with silent_hosts(CROWD * len(KINDS)) as hosts:
        give_hooks(site, crowd, hosts)
        give_hook(site, "ann", receiver.url)
        with working(site, hosts):
            wait_until_busy(site)
            began = time.monotonic()
            tell(site, match_id, "ann")
            wait_until(lambda: receiver.got and postbox.mails, seconds=SOON)
            assert time.monotonic() - began < SOON
            # From now on Ann's hook is known to answer, and waits for no newcomer.
            tell(site, match_id, "ann", version=2)
            wait_until(lambda: len(receiver.got) == 2, seconds=SOON)
        assert (
            brief_waits(site, crowd) <= CROWD
        )  # One for each person, however many hooks and hosts they have.


def test_whoever_has_answered_does_not_wait_for_any_number_of_newcomers(
    site, sign_up_with_mail, receiver
):
    site.config["WEBHOOKS"] = "any"
    match_id, crowd = fill(site, sign_up_with_mail, 4 * NEW.threads)
    give_hook(site, "ann", receiver.url)
    with silent_hosts(4 * NEW.threads) as hosts:
        give_hooks(site, crowd, hosts)
        with site.app_context(), writing() as tx:
            user_id = tx.scalars(select(User.id).where(User.name == "ann")).one()
            row = {"kind": "webhook", "place": "x", "subject": "x", "answer": "200", "took": 0.1}
            tx.add(Delivery(user_id=user_id, accepted=True, sent_at=now(), **row))
        with working(site, hosts):
            wait_until_busy(site)
            began = time.monotonic()
            tell(site, match_id, "ann")
            wait_until(lambda: receiver.got, seconds=SOON)
            assert time.monotonic() - began < NEW.timeout + 1
            with site.app_context():
                new = select(func.count(SendJob.id)).where(SendJob.lane == NEW.name)
                assert db.session.scalars(new).one() > NEW.threads  # All those are still waiting.


def test_whoever_was_known_to_answer_and_falls_silent_leaves_the_lane_after_one_attempt(
    site, sign_up_with_mail, receiver
):
    site.config["WEBHOOKS"] = "any"
    match_id, crowd = fill(site, sign_up_with_mail, 5)
    with silent_hosts(20) as hosts:
        give_hooks(site, crowd, hosts)
        with site.app_context(), writing() as tx:
            for user_id in crowd:
                for kind in KINDS:
                    row = {"kind": kind, "place": "x", "subject": "x", "answer": "200", "took": 0.1}
                    tx.add(Delivery(user_id=user_id, accepted=True, sent_at=now(), **row))
        with working(site, hosts):
            wait_until(lambda: _in_lane(site, ANSWERING) == 0 < _in_lane(site, SLOW), seconds=30)
        assert brief_waits(site, crowd) == len(crowd)


def _in_lane(app, lane):
    with app.app_context():
        return db.session.scalar(select(func.count(SendJob.id)).where(SendJob.lane == lane.name))


def test_a_service_that_hangs_holds_up_only_the_first_of_those_who_use_it(
    site, sign_up_with_mail, receiver
):
    site.config["WEBHOOKS"] = "any"
    _, crowd = fill(site, sign_up_with_mail, 4 * NEW.threads)
    with silent_hosts(1) as hosts:
        give_hooks(site, crowd, hosts)
        with working(site, hosts):
            wait_until(lambda: _in_lane(site, SLOW) > 0 == _in_lane(site, NEW), seconds=60)
        assert 0 < brief_waits(site, crowd) <= NEW.threads


def test_a_mail_server_that_takes_connections_and_never_speaks_delays_only_mails(
    make_app, postbox, sign_up_with_mail, receiver, monkeypatch
):
    monkeypatch.setattr("stockpile_web.notify.smtp.TIMEOUT", 5)
    with silent_hosts(1) as hosts:
        settings = {**postbox.settings(), "SMTP_PORT": hosts[0].rpartition(":")[2]}
        site = make_app(**settings, WEBHOOKS="any")
        match_id, _ = fill(site, sign_up_with_mail, 40)  # All of them with an address.
        give_hook(site, "ann", receiver.url)
        with working(site, hosts):
            wait_until(lambda: _leased_mails(site) >= 4, seconds=30)
            tell(site, match_id, "ann")
            wait_until(lambda: receiver.got, seconds=SOON)
            wait_until(lambda: _taken(site) == ["webhook"], seconds=SOON)
            site.config["SMTP_PORT"] = postbox.port  # The server is back.
            wait_until(lambda: len(postbox.mails) > 10, seconds=60)


def _taken(app):
    with app.app_context():
        return db.session.scalars(select(Delivery.kind).where(Delivery.accepted)).all()


def _leased_mails(app):
    with app.app_context():
        mails = select(func.count(SendJob.id)).where(SendJob.lane == "mail")
        return db.session.scalar(mails.where(SendJob.lease.is_not(None)))


def test_tests_to_silent_hooks_hold_up_no_request(site, sign_up, receiver):
    site.config["WEBHOOKS"] = "any"
    clients = []
    with silent_hosts(4) as hosts:
        for name, host in zip(("ann", "bob", "carol", "dave"), hosts, strict=True):
            client = site.test_client()
            sign_up(client, name)
            client.post("/notices/channels/webhook", data={"webhook-address": f"http://{host}/"})
            clients.append(client)
        with working(site, hosts):
            for client in clients:
                began = time.monotonic()
                assert client.post("/notices/channels/webhook/test").status_code == 303
                assert "is on its way" in client.get("/notices/choices").text
                assert time.monotonic() - began < NEW.timeout
            said = "The test was not taken. Webhook answered: No answer in time."
            for client in clients:
                wait_until(partial(_log_says, client, said), seconds=20)


def _log_says(client, words):
    return words in client.get("/notices/log").text
