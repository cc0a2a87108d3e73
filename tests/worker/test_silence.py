"""Nobody's silent hook, and no hanging server, delays what others are told: on the real worker."""

import socket
import threading
import time
from contextlib import ExitStack, contextmanager

import pytest
from sqlalchemy import delete, func, select

from stockpile_web.notify import slow_hosts
from stockpile_web.notify.lanes import ANSWERING, NEW, SLOW
from stockpile_web.storage import outbox, send_queue
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Channel, Delivery, Notice, SendJob, User
from stockpile_web.storage.transactions import writing
from stockpile_web.worker import watch
from tests.support.crowd import gather
from tests.support.live_site import wait_until
from tests.support.people import seated
from tests.support.receiver import receiving

CROWD = 18
KINDS = ("ntfy", "discord", "slack", "webhook")
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


@contextmanager
def silent_hosts(count):
    """Give the addresses of servers that take every connection and never speak."""
    with ExitStack() as stack:
        servers = [
            stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=500))
            for _ in range(count)
        ]
        yield [f"127.0.0.1:{server.getsockname()[1]}" for server in servers]


@contextmanager
def working(app):
    """Run the worker until the end of the block."""
    stop = threading.Event()
    thread = threading.Thread(target=watch.run, args=(app, stop))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(60)
        assert not thread.is_alive()


def fill(app, sign_up, count):
    """Seat a crowd; return the table of Ann and Bob, and the numbers of the others."""
    match_id, _ = seated(app, sign_up, 5)
    with app.app_context(), writing() as tx:
        first = tx.scalar(select(func.max(User.id)))
        tx.execute(delete(Notice))
    gather(app, match_id, count + -count % 5)
    with app.app_context(), writing() as tx:
        tx.execute(delete(Notice).where(Notice.user_id > first + count))
        return match_id, range(first + 1, first + 1 + count)


def give_hooks(app, people, hosts):
    """Give each of them a hook of every kind, each at another host as far as there are enough."""
    with app.app_context(), writing() as tx:
        for number, user_id in enumerate(people):
            tx.get_one(User, user_id).email = None
            for at, kind in enumerate(KINDS):
                host = hosts[(number * len(KINDS) + at) % len(hosts)]
                tx.add(Channel(user_id=user_id, kind=kind, address=f"http://{host}/x"))


def give_hook(app, name, address, kind="webhook"):
    with app.app_context(), writing() as tx:
        user_id = tx.scalars(select(User.id).where(User.name == name)).one()
        tx.add(Channel(user_id=user_id, kind=kind, address=address, secret="s"))


def tell(app, match_id, name, version=1):
    """Leave a notice for somebody, due in a second as every one is."""
    with app.app_context(), writing() as tx:
        user_id = tx.scalars(select(User.id).where(User.name == name)).one()
        news = [("started", user_id)]
        outbox.write(tx.connection(), match_id, version, now(), [], news)


def attempts(app, people):
    """Return (in lanes for the quick, in all) how many attempts at these people there were."""
    with app.app_context():
        theirs = select(Delivery.took).where(Delivery.user_id.in_(people))
        took = db.session.scalars(theirs).all()
        return sum(seconds < SLOW.timeout - 1 for seconds in took), len(took)


def wait_until_busy(app):
    """Wait until every thread for newcomers waits for somebody."""

    def busy():
        with app.app_context():
            leased = select(func.count(SendJob.id)).where(SendJob.lease.is_not(None))
            return db.session.scalar(leased) >= NEW.threads

    wait_until(busy, seconds=30)


def test_a_crowd_with_silent_hooks_delays_nobody_s_mail_or_hook(
    site, postbox, sign_up_with_mail, receiver
):
    site.config["WEBHOOKS"] = "any"
    match_id, crowd = fill(site, sign_up_with_mail, CROWD)
    with silent_hosts(CROWD * len(KINDS)) as hosts:
        give_hooks(site, crowd, hosts)
        give_hook(site, "ann", receiver.url)
        with working(site):
            wait_until_busy(site)
            began = time.monotonic()
            tell(site, match_id, "ann")
            wait_until(lambda: receiver.got and postbox.mails, seconds=SOON)
            assert time.monotonic() - began < SOON
            # From now on Ann's hook is known to answer, and waits for no newcomer.
            tell(site, match_id, "ann", version=2)
            wait_until(lambda: len(receiver.got) == 2, seconds=SOON)
        quick, _ = attempts(site, crowd)
        assert quick <= CROWD  # One for each person, however many hooks and hosts they have.


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
        with working(site):
            wait_until_busy(site)
            began = time.monotonic()
            tell(site, match_id, "ann")
            wait_until(lambda: receiver.got, seconds=SOON)
            assert time.monotonic() - began < NEW.timeout + 1
            with site.app_context():
                new = select(func.count(SendJob.id)).where(SendJob.lane == NEW.name)
                assert db.session.scalar(new) > NEW.threads  # All those are still waiting.


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
        with working(site):
            wait_until(lambda: _in_lane(site, ANSWERING) == 0 < _in_lane(site, SLOW), seconds=30)
        with site.app_context():
            silent = select(func.count(Delivery.id)).where(~Delivery.accepted)
            assert db.session.scalar(silent.where(Delivery.took < SLOW.timeout - 1)) == len(crowd)


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
        with working(site):
            wait_until(lambda: _in_lane(site, SLOW) > 0 == _in_lane(site, NEW), seconds=60)
        quick, _ = attempts(site, crowd)
        assert quick <= NEW.threads


def test_a_mail_server_that_takes_connections_and_never_speaks_delays_only_mails(
    make_app, postbox, sign_up_with_mail, receiver, monkeypatch
):
    monkeypatch.setattr("stockpile_web.notify.smtp.TIMEOUT", 5)
    with silent_hosts(1) as hosts:
        settings = {**postbox.settings(), "SMTP_PORT": hosts[0].rpartition(":")[2]}
        site = make_app(**settings, WEBHOOKS="any")
        match_id, _ = fill(site, sign_up_with_mail, 40)  # All of them with an address.
        give_hook(site, "ann", receiver.url)
        with working(site):
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
        with working(site):
            for client in clients:
                began = time.monotonic()
                assert client.post("/notices/channels/webhook/test").status_code == 303
                assert "is on its way" in client.get("/notices/choices").text
                assert time.monotonic() - began < NEW.timeout
            said = "The test was not taken. Webhook answered: No answer in time."
            for client in clients:
                wait_until(lambda it=client: said in it.get("/notices/log").text, seconds=20)


def test_the_order_among_the_slow_is_those_who_fail_least_first(app, sign_up_with_mail):
    _, crowd = fill(app, sign_up_with_mail, 3)
    with app.app_context(), writing() as tx:
        for failures, user_id in zip((7, 0, 2), crowd, strict=True):
            tx.add(Channel(user_id=user_id, kind="webhook", address="x", failures=failures))
            send_queue.add(tx, [(user_id, None, "webhook", SLOW.name)])
    with app.app_context(), writing() as tx:
        order = [
            send_queue.claim(tx, f"worker {number}", SLOW.name, 1, failing_last=True)[0].user_id
            for number in range(3)
        ]
    assert order == [crowd[1], crowd[2], crowd[0]]


def test_in_a_lane_one_person_is_waited_for_once_at_a_time(app, sign_up_with_mail):
    _, (ann, bob) = fill(app, sign_up_with_mail, 2)
    with app.app_context(), writing() as tx:
        send_queue.add(tx, [(ann, None, kind, NEW.name) for kind in KINDS])
        send_queue.add(tx, [(bob, None, "ntfy", NEW.name)])
    with app.app_context(), writing() as tx:
        claimed = [send_queue.claim(tx, f"worker {number}", NEW.name, 1) for number in range(3)]
    assert [[batch.user_id for batch in batches] for batches in claimed] == [[ann], [bob], []]
