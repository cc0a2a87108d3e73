"""The clock of the machine jumps: nothing hangs, and nothing fires more often than it should."""

from datetime import datetime, timedelta
from random import Random

import pytest
from sqlalchemy import func, select

from stockpile_web.storage import database
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Notice, SendJob
from stockpile_web.storage.transactions import writing
from stockpile_web.web import rate_limits
from stockpile_web.worker import timeouts, watch
from tests.conftest import sign_in
from tests.support.clicking import make_any_move
from tests.support.hourglass import makers
from tests.support.people import on_turn, seated
from tests.support.postbox import do_what_is_due

HOUR = timedelta(hours=1)


@pytest.fixture
def clock(monkeypatch):
    """The clock by which the site goes; what is added to `ahead` it jumps."""

    class Clock(datetime):
        ahead = timedelta()

        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + cls.ahead

    monkeypatch.setattr(database, "datetime", Clock)
    monkeypatch.setattr(rate_limits, "_minute", lambda: int(Clock.now().timestamp()) // 60)
    return Clock


def play_all_that_is_late(app):
    """Let the worker play for the late, as often as it finds any; return how often."""
    count = 0
    while timeouts.play_for_the_late(app):
        count += 1
        assert count < 100, "time runs out again and again"
    return count


def test_a_jump_by_days_costs_whoever_is_asked_one_turn_and_no_more(app, sign_up, clock):
    match_id, players = seated(app, sign_up, 3)
    assert len(on_turn(app, match_id, players)) == 1
    clock.ahead = timedelta(days=30)
    # Whoever is asked then has their time from then on.
    assert play_all_that_is_late(app) == 1
    late = makers(app, match_id).count("clock")
    assert 0 < late < 10
    clock.ahead = timedelta()
    assert play_all_that_is_late(app) == 0
    assert makers(app, match_id).count("clock") == late
    make_any_move(on_turn(app, match_id, players)[0], match_id, Random(1))


@pytest.mark.parametrize("jump", [-HOUR, HOUR, timedelta(days=-400), timedelta(days=400)])
def test_the_worker_neither_waits_long_nor_turns_in_circles_whatever_the_clock_says(
    app, sign_up, clock, jump
):
    seated(app, sign_up, 3)
    clock.ahead = jump
    for pause in watch.seconds_until_due(app):
        assert 0 <= pause <= watch.POLL


def test_after_a_jump_back_moves_are_made_and_people_are_told_of_them(
    site, sign_up_with_mail, postbox, clock
):
    match_id, players = seated(site, sign_up_with_mail, 3)
    clock.ahead = -HOUR
    mover = on_turn(site, match_id, players)[0]
    while on_turn(site, match_id, players) == [mover]:
        make_any_move(mover, match_id, Random(1))
    clock.ahead = -HOUR + timedelta(seconds=5)  # They have settled.
    do_what_is_due(site)
    assert {"your turn" in str(mail["Subject"]).lower() for mail in postbox.mails} == {True}


def test_what_was_leased_before_a_jump_back_is_done_when_its_lease_ends(
    site, sign_up_with_mail, postbox, clock
):
    seated(site, sign_up_with_mail, 2)
    clock.ahead = timedelta(minutes=3)
    postbox.busy = 1000
    do_what_is_due(site)
    postbox.busy = 0
    clock.ahead = -HOUR
    do_what_is_due(site)
    with site.app_context():
        jobs, latest = db.session.execute(
            select(func.count(SendJob.id), func.max(SendJob.due_at))
        ).one()
        assert jobs and latest < now() + 2 * HOUR
    clock.ahead = HOUR
    do_what_is_due(site)
    with site.app_context():
        assert db.session.scalar(select(func.count(SendJob.id))) == 0
        open_ones = select(func.count(Notice.id)).where(Notice.done_at.is_(None))
        assert db.session.scalar(open_ones) == 0


@pytest.mark.parametrize("jump", [-HOUR, HOUR])
def test_a_limit_holds_for_its_window_and_no_longer_whichever_way_the_clock_jumps(
    app, client, sign_up, clock, jump
):
    sign_up(app.test_client(), "ann")
    limit = rate_limits.PASSWORD_OF_ACCOUNT
    clock.ahead = jump
    while (answer := sign_in(client, "ann", "wrong horse")).status_code != 429:
        assert answer.status_code < 500
    clock.ahead = timedelta()
    # In another window nobody has tried yet.
    assert sign_in(client, "ann").status_code == 303
    with app.app_context(), pytest.raises(rate_limits.TooMany) as refusal:
        for _ in range(limit.most + 1):
            rate_limits.count((limit, "somebody"))
    assert 0 < refusal.value.wait <= limit.minutes


def test_pruning_after_a_jump_forgets_nothing_that_is_open(app, sign_up, clock):
    seated(app, sign_up, 2)
    with app.app_context(), writing() as tx:
        before = tx.scalar(select(func.count(Notice.id)))
    assert before
    clock.ahead = timedelta(days=400)
    watch.prune(app)
    with app.app_context():
        assert db.session.scalar(select(func.count(Notice.id))) == before
