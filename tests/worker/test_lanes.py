"""Lanes and their queue: whose turn it is, and when a notice is done."""

import pytest
from sqlalchemy import func, select

from stockpile_web.notify.lanes import NEW, SLOW
from stockpile_web.storage import send_queue
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Channel, Delivery, Notice, SendJob
from stockpile_web.storage.transactions import writing
from stockpile_web.worker.notices import queue_once, send_once
from tests.support.live_site import wait_until
from tests.support.people import seated
from tests.support.postbox import send_what_is_queued, time_passes, work
from tests.support.receiver import receiving
from tests.support.silence import KINDS, fill, working

PEOPLE = 60


@pytest.fixture
def receiver():
    with receiving() as receiver:
        yield receiver


def test_a_notice_that_several_channels_take_at_once_is_done_once_all_have(
    site, postbox, sign_up_with_mail, receiver
):
    site.config["WEBHOOKS"] = "any"
    _, crowd = fill(site, sign_up_with_mail, PEOPLE)
    with site.app_context(), writing() as tx:
        for user_id in crowd:
            tx.add(Channel(user_id=user_id, kind="ntfy", address=f"{receiver.base}/{user_id}"))
    with working(site):
        wait_until(lambda: _done(site) == PEOPLE, seconds=60)
    assert len(postbox.mails) == len(receiver.got) == PEOPLE
    with site.app_context():
        assert set(db.session.scalars(select(Notice.outcome))) == {"sent"}
        assert {frozenset(told.split()) for told in db.session.scalars(select(Notice.told))} == {
            frozenset({"mail", "ntfy"})
        }
        assert db.session.scalars(select(SendJob)).all() == []


def _done(app):
    with app.app_context():
        done = select(func.count(Notice.id)).where(Notice.done_at.is_not(None))
        return db.session.scalar(done)


@pytest.mark.parametrize("form", [{"use": "off"}, {"ntfy-address": ""}])
def test_a_channel_that_is_turned_off_while_something_waits_for_it_is_not_used(
    app, sign_up, receiver, form
):
    app.config["WEBHOOKS"] = "any"
    _, (ann, _) = seated(app, sign_up, 2)
    ann.post("/notices/channels/ntfy", data={"ntfy-address": receiver.url})
    time_passes(app)
    queue_once(app)
    ann.post("/notices/channels/ntfy", data={"ntfy-address": receiver.url, **form})
    send_what_is_queued(app)
    assert receiver.got == []
    with app.app_context():
        assert set(db.session.scalars(select(Notice.outcome))) == {"on site"}


def test_what_was_seen_while_it_waited_to_be_tried_again_is_not_sent(app, sign_up, receiver):
    app.config["WEBHOOKS"] = "any"
    _, (ann, _) = seated(app, sign_up, 2)
    ann.post("/notices/channels/ntfy", data={"ntfy-address": receiver.url})
    receiver.status = 500
    work(app)
    assert len(receiver.got) == 1
    receiver.status = 200
    ann.post("/notices/seen")
    work(app)
    assert len(receiver.got) == 1
    with app.app_context():
        assert db.session.scalars(select(SendJob)).all() == []
        assert "seen" in db.session.scalars(select(Notice.outcome)).all()


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


def test_whoever_has_let_us_wait_lately_is_not_waited_for_among_the_quick(app, sign_up, receiver):
    app.config["WEBHOOKS"] = "any"
    ann = app.test_client()
    user_id = sign_up(ann, "ann")
    for kind in ("ntfy", "slack"):
        ann.post(f"/notices/channels/{kind}", data={f"{kind}-address": receiver.url})
        ann.post(f"/notices/channels/{kind}/test")
    with app.app_context(), writing() as tx:  # While both wait, an earlier one took five seconds.
        row = {"kind": "ntfy", "place": "x", "subject": "x", "answer": "200", "took": 5.0}
        tx.add(Delivery(user_id=user_id, accepted=True, sent_at=now(), **row))
    ann.post("/notices/channels/ntfy", data={"ntfy-address": ""})  # A new start does not help.
    ann.post("/notices/channels/ntfy", data={"ntfy-address": receiver.url})
    assert [send_once(NEW, app), send_once(NEW, app), send_once(NEW, app)] == [1, 1, 0]
    assert receiver.got == []
    assert [send_once(SLOW, app), send_once(SLOW, app), send_once(SLOW, app)] == [1, 1, 0]
    assert len(receiver.got) == 2
    ann.post("/notices/channels/slack/test")
    with app.app_context():
        assert db.session.scalars(select(SendJob.lane)).all() == [SLOW.name]
