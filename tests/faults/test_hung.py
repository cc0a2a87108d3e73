"""A worker that hangs is noticed and replaced; one that only takes long is not."""

import os
import signal
import threading
import time

import pytest
from sqlalchemy import delete

from stockpile_web.storage.models import Notice
from stockpile_web.storage.transactions import writing
from stockpile_web.storage.trouble import Outage
from stockpile_web.worker import backups, heartbeat, keeper, watch
from stockpile_web.worker.duties import DUTIES, Duty
from stockpile_web.worker.heartbeat import Heartbeat
from tests.support.faults import Host, hosting
from tests.support.live_site import wait_until
from tests.support.people import seated
from tests.support.silence import tell


@pytest.mark.long
def test_a_worker_that_was_stopped_is_replaced_and_the_next_one_tells_people(
    site, sign_up_with_mail, postbox, tmp_path
):
    match_id, _ = seated(site, sign_up_with_mail, 2)
    with site.app_context(), writing() as tx:
        tx.execute(delete(Notice))
    host = Host(site, tmp_path / "host", **postbox.settings())
    with hosting(host):
        (hung,) = host.workers()
        answering = host.web()
        os.kill(hung, signal.SIGSTOP)
        tell(site, match_id, "ann")
        wait_until(lambda: bool(postbox.mails), seconds=10 * keeper.HUNG)
        assert hung not in host.workers() and host.web() == answering
        assert host.said().count("another one takes over") == 1


class Beats:
    """Counts heartbeats."""

    def __init__(self):
        self.count = 0

    def __call__(self):
        self.count += 1


def run(app, work, longest):
    """Run a worker whose only duty is due and takes long; return it, its beats and its end."""
    duty = Duty("dawdling", backups.NEXT, work, longest=longest)
    stop, beats = threading.Event(), Beats()
    worker = threading.Thread(target=watch.run, args=(app, stop, [duty], beats))
    worker.start()
    return worker, beats, stop


def test_a_thread_that_hangs_ends_the_heartbeat_of_its_worker(app, caplog):
    is_over, begun = threading.Event(), threading.Event()

    def hang(_app):
        begun.set()
        is_over.wait(60)

    worker, beats, stop = run(app, hang, longest=0.5)
    try:
        assert begun.wait(30)
        assert stop.wait(30)
        count = beats.count
        time.sleep(3 * watch.POLL)
        # It waits for its threads and begins nothing new: whoever keeps it ends it by and by.
        assert beats.count == count and worker.is_alive()
        said = [record.getMessage() for record in caplog.records]
        assert said == ["The worker: dawdling hangs; the other threads finish"]
    finally:
        is_over.set()
        stop.set()
        worker.join(30)


def test_a_thread_that_takes_long_but_no_longer_than_its_duty_may_does_no_harm(app):
    is_over, begun = threading.Event(), threading.Event()

    def dawdle(_app):
        begun.set()
        is_over.wait(60)

    worker, beats, stop = run(app, dawdle, longest=600)
    try:
        assert begun.wait(30)
        count = beats.count
        wait_until(lambda: beats.count > count + 3, seconds=30)
        assert not stop.is_set()
    finally:
        is_over.set()
        stop.set()
        worker.join(30)


def test_a_backup_may_take_as_long_as_its_lease_and_all_else_minutes():
    longest = {duty.name: duty.longest for duty in DUTIES}
    assert longest.pop("backups") == backups.LEASE.total_seconds()
    assert min(longest.values()) >= 600


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is set."""

    class Clock:
        now = 100.0

        def monotonic(self):
            return self.now

        time = monotonic

    clock = Clock()
    for module in (heartbeat, watch):
        monkeypatch.setattr(module, "time", clock)
    return clock


def test_many_short_pieces_of_work_are_not_taken_for_a_long_one(app, clock):
    seconds, seen = [6, 6, 6, 11], []

    def work(_app):
        clock.now += seconds.pop(0)
        seen.append(threads.has_hung())
        return seconds  # There is more: the thread takes it up.

    duty = Duty("dawdling", backups.NEXT, work, longest=10)
    threads = watch.DutyThreads(app, duty, threading.Event(), Outage("The worker"))
    threads.add_one()
    threads.executor.shutdown()
    assert seen == [False, False, False, True]


def test_silence_grows_from_look_to_look_until_a_beat_is_heard(clock):
    heart = Heartbeat()
    for _ in range(10):
        clock.now += 0.2
        silence = heart.silence()
    assert silence == pytest.approx(2.0)
    heart.beat()
    assert heart.silence() == 0
    clock.now += 0.2
    assert heart.silence() == pytest.approx(0.2)


def test_a_machine_that_was_frozen_for_an_hour_is_not_taken_for_a_worker_that_hangs(clock):
    heart = Heartbeat()
    heart.beat()
    heart.silence()
    clock.now += 3600
    assert heart.silence() <= 1
