"""The outbox and its worker: who is to be told, once, and only while it is worth telling."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random

import pytest
from sqlalchemy import func, select, update

from stockpile_web import live
from stockpile_web.notify import recipients
from stockpile_web.storage import due_notices, outbox, send_queue
from stockpile_web.storage.database import db, now
from stockpile_web.storage.due import retry_at
from stockpile_web.storage.models import Choice, Notice, Seat, SendJob, User
from stockpile_web.storage.transactions import writing
from stockpile_web.worker.notices import queue_once
from stockpile_web.worker.watch import POLL, seconds_until_due
from tests.support.clicking import make_any_move
from tests.support.people import NAMES, on_turn, seated, table
from tests.support.postbox import do_what_is_due, time_passes, work


def notices(app, **which):
    """Return what is in the outbox as (name, event, outcome), in order."""
    with app.app_context():
        rows = db.session.execute(
            select(User.name, Notice.event, Notice.outcome)
            .join(User, User.id == Notice.user_id)
            .filter_by(**which)
            .order_by(User.name, Notice.id)
        )
        return [tuple(row) for row in rows]


def waiting(app, match_id):
    """Return the names of those who are on turn."""
    with app.app_context():
        asked = select(User.name).join(Seat).where(Seat.match_id == match_id, Seat.on_turn)
        return sorted(db.session.scalars(asked.order_by(User.name)))


def test_when_a_match_begins_all_are_told_and_those_on_turn_that_it_is_theirs(app, sign_up):
    match_id, _ = seated(app, sign_up, 3)
    found = notices(app)
    assert [row for row in found if row[1] == "started"] == [
        (name, "started", None) for name in NAMES[:3]
    ]
    assert [name for name, event, _ in found if event == "turn"] == waiting(app, match_id)


def test_each_move_tells_whoever_is_on_turn_next_and_the_mover_has_seen_theirs(app, sign_up):
    match_id, players = seated(app, sign_up, 3)
    (first,) = waiting(app, match_id)
    make_any_move(on_turn(app, match_id, players)[0], match_id, Random(1))
    (second,) = waiting(app, match_id)
    assert second != first
    assert [row for row in notices(app) if row[1] == "turn" and row[2] is None] == [
        (second, "turn", None)
    ]
    assert (first, "turn", "passed") in notices(app)
    assert (first, "started", "passed") in notices(app)


def test_a_move_that_is_undone_by_an_error_leaves_no_notice(app, sign_up, monkeypatch):
    match_id, players = seated(app, sign_up, 2)
    before = notices(app)
    monkeypatch.setattr(live, "notify_in", lambda *_: 1 / 0)  # The last step before the commit.
    mover = on_turn(app, match_id, players)[0]
    with pytest.raises(ZeroDivisionError):
        make_any_move(mover, match_id, Random(1))
    assert notices(app) == before


def test_bots_are_told_nothing(app, sign_up):
    match_id, ann = table(app, sign_up, 3)
    ann.post(f"/table/{match_id}/seating", data={"do": "fill"})
    assert {name for name, _, _ in notices(app)} == {"ann"}


def test_at_the_end_all_are_told(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    chooser = Random(3)
    while movers := on_turn(app, match_id, players):
        make_any_move(movers[0], match_id, chooser)
    assert [row[0] for row in notices(app) if row[1] == "ended"] == ["ann", "bob"]
    unseen = {row for row in notices(app) if row[1] == "turn" and row[2] is None}
    assert unseen == set()


def test_no_two_workers_get_the_same_notice(app, sign_up_with_mail):
    seated(app, sign_up_with_mail, 5)
    time_passes(app)

    def queue(_):
        return queue_once(app)

    def claim(name):
        with app.app_context(), writing() as tx:
            batches = send_queue.claim(tx, f"worker {name}", "mail", 2)
            return [number for batch in batches for number in batch.ids]

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(queue, range(8))) == 5
        claimed = [job for jobs in pool.map(claim, range(8)) for job in jobs]
    assert sorted(claimed) == sorted(set(claimed))
    with app.app_context():
        assert sorted(claimed) == sorted(db.session.scalars(select(SendJob.id)))
        assert len(claimed) == db.session.scalar(select(func.count(Notice.id)))


def test_what_a_dead_worker_had_leased_is_done_by_another(site, postbox, sign_up_with_mail):
    seated(site, sign_up_with_mail, 2)
    time_passes(site)
    queue_once(site)
    with site.app_context(), writing() as tx:
        batches = send_queue.claim(tx, "dead", "mail", 9)
    assert do_what_is_due(site) == 0
    time_passes(site)  # The lease ends.
    assert do_what_is_due(site) == 2
    with site.app_context(), writing() as tx:  # Should the dead one rise, it changes nothing.
        send_queue.put_off(tx, "dead", batches[0].ids, now(), "mail", tried=True)
    assert do_what_is_due(site) == 0
    assert {outcome for _, _, outcome in notices(site)} == {"sent"}
    assert len(postbox.mails) == 2


def test_what_cannot_be_queued_for_one_person_delays_nobody_else(app, sign_up, monkeypatch):
    seated(app, sign_up, 2)
    real = recipients.Person.wants

    def wants(person, event):
        return real(person, event) if person.user.name == "bob" else 1 / 0

    monkeypatch.setattr(recipients.Person, "wants", wants)
    work(app)
    assert {row[2] for row in notices(app) if row[0] == "bob"} == {"on site"}
    assert {row[2] for row in notices(app) if row[0] == "ann"} == {None}
    monkeypatch.undo()
    work(app)
    assert {row[2] for row in notices(app) if row[0] == "ann"} == {"on site"}


def test_a_worker_knows_when_the_next_notice_falls_due(app, sign_up):
    assert seconds_until_due(app)[0] == POLL < outbox.SETTLE.total_seconds()
    seated(app, sign_up, 2)
    assert 0 < seconds_until_due(app)[0] <= POLL
    time_passes(app)
    assert seconds_until_due(app)[0] == 0


def test_what_cannot_be_handled_is_put_off_and_given_up_in_the_end(
    app, sign_up_with_mail, monkeypatch
):
    seated(app, sign_up_with_mail, 2)
    monkeypatch.setattr("stockpile_web.worker.notices.deliver", lambda *_: 1 / 0)
    for _ in range(8):
        assert {outcome for _, _, outcome in notices(app)} == {None}
        work(app)
    assert {outcome for _, _, outcome in notices(app)} == {"failed"}


def test_pauses_between_attempts_grow_up_to_an_hour():
    pauses = [(retry_at(attempts) - now()).total_seconds() for attempts in range(1, 9)]
    assert 7 < pauses[0] < 13
    assert all(one < other for one, other in pairwise(pauses[:6]))
    assert max(pauses) < 1.25 * 3600


def choose(app, user_id, **values):
    with app.app_context(), writing() as tx:
        tx.add(Choice(user_id=user_id, **values))


def test_events_that_a_person_does_not_want_are_not_sent(app, sign_up):
    seated(app, sign_up, 2)
    with app.app_context():
        ann = db.session.scalars(select(User.id).where(User.name == "ann")).one()
    choose(app, ann, events="ended")
    work(app)
    assert {row for row in notices(app) if row[0] == "ann"} == {
        (name, event, "unwanted") for name, event, _ in notices(app) if name == "ann"
    }


def test_who_wants_to_be_told_later_is_told_later(app, sign_up):
    seated(app, sign_up, 2)
    with app.app_context():
        ann = db.session.scalars(select(User.id).where(User.name == "ann")).one()
    choose(app, ann, delay=15)
    work(app)
    assert {row[2] for row in notices(app) if row[0] == "ann"} == {None}
    with app.app_context(), writing() as tx:
        tx.execute(update(Notice).values(made_at=now() - timedelta(minutes=16)))
    work(app)
    assert {row[2] for row in notices(app) if row[0] == "ann"} == {"on site"}


@pytest.mark.parametrize(
    ("hours", "moment", "awake"),
    [
        ((22, 7), datetime(2026, 11, 16, 20, 30), datetime(2026, 11, 16, 20, 30)),
        ((22, 7), datetime(2026, 11, 16, 21, 30), datetime(2026, 11, 17, 6, 0)),
        ((22, 7), datetime(2026, 11, 16, 3, 0), datetime(2026, 11, 16, 6, 0)),
        ((22, 7), datetime(2026, 11, 16, 6, 0), datetime(2026, 11, 16, 6, 0)),
        ((8, 17), datetime(2026, 11, 16, 9, 0), datetime(2026, 11, 16, 16, 0)),
        ((5, 5), datetime(2026, 11, 16, 4, 30), datetime(2026, 11, 16, 4, 30)),
        # The night in which clocks in Berlin go forward, and the one in which they go back.
        ((22, 7), datetime(2026, 3, 28, 22, 0), datetime(2026, 3, 29, 5, 0)),
        ((22, 7), datetime(2026, 10, 24, 21, 0), datetime(2026, 10, 25, 6, 0)),
    ],
)
def test_in_quiet_hours_nothing_is_sent(hours, moment, awake):
    choice = Choice(quiet_from=hours[0], quiet_to=hours[1])
    told = recipients.end_of_quiet_hours(choice, moment.replace(tzinfo=UTC), "Europe/Berlin")
    assert told == awake.replace(tzinfo=UTC)


def test_old_notices_are_forgotten(app, sign_up):
    seated(app, sign_up, 2)
    work(app)
    with app.app_context(), writing() as tx:
        tx.execute(update(Notice).values(made_at=now() - timedelta(days=31)))
        due_notices.prune(tx)
    assert notices(app) == []
