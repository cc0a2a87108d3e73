"""Once a day: one message with all tables that wait, at an hour of one's own, or none."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from sqlalchemy import func, select, update

from stockpile_web.notify import digest
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Choice, Notice, Seat, User
from stockpile_web.storage.transactions import writing
from tests.support.clicking import make_any_move
from tests.support.people import on_turn, seated
from tests.support.postbox import work


def choose(client, **form):
    data = {"events": ["turn", "near", "mention", "started", "ended"], **form}
    assert client.post("/notices/choices", data=data).status_code == 303


def the_hour_comes(app):
    with app.app_context(), writing() as tx:
        past = now() - timedelta(seconds=1)
        tx.execute(update(Choice).where(Choice.daily_at.is_not(None)).values(daily_at=past))
    digest.queue_due_digests(app)
    work(app)


def another_table(ann, bob):
    data = {"game": "stockpile", "size": "2", "pace": "day", "listed": "on"}
    made = ann.post("/tables/new", data=data)
    bob.post(f"{made.location}/seating", data={"do": "join"})
    return int(made.location.rsplit("/", 1)[1])


def outcomes(app, name):
    with app.app_context():
        theirs = select(Notice.event, Notice.outcome).join(User).where(User.name == name)
        return {tuple(row) for row in db.session.execute(theirs)}


def test_all_tables_that_wait_come_in_one_message_at_the_hour_and_again_the_next_day(
    site, postbox, sign_up_with_mail
):
    match_id, (ann, bob) = seated(site, sign_up_with_mail, 2)
    other = another_table(ann, bob)
    for player in (ann, bob):
        choose(player, daily_hour="18")
    for _ in range(2):
        work(site)
    assert postbox.mails == []
    the_hour_comes(site)
    told = {mail["To"]: mail for mail in postbox.mails}
    assert len(told) == len(postbox.mails)
    waiting = _waiting(site)
    assert sum(len(tables) for tables in waiting.values()) == 2
    for name, tables in waiting.items():
        if tables:
            text = told[f"{name}@example.org"].get_body(("plain",)).get_content()
            for table, called in ((match_id, "ann’s table"), (other, "ann’s table 2")):
                assert (f"It is your turn at “{called}” " in text) == (table in tables)
        else:
            assert f"{name}@example.org" not in told
    for _ in range(3):
        work(site)
    assert len(postbox.mails) == len(told)
    for player in (ann, bob):  # Seen, and not moved: it still waits.
        player.post("/notices/seen")
    the_hour_comes(site)
    assert len(postbox.mails) == 2 * len(told)


def test_those_of_one_hour_are_taken_up_some_at_a_time(
    site, postbox, sign_up_with_mail, monkeypatch
):
    _, players = seated(site, sign_up_with_mail, 3)
    for player in players:
        choose(player, daily_hour="18")
    with site.app_context(), writing() as tx:
        tx.execute(update(Choice).values(daily_at=now() - timedelta(seconds=1)))
    monkeypatch.setattr(digest, "AT_ONCE", 2)
    waiting = []
    for is_more in (True, False):
        assert digest.queue_due_digests(site) == is_more
        with site.app_context():
            due = select(func.count()).where(Choice.daily_at <= now())
            waiting.append(db.session.scalar(due))
    assert waiting == [1, 0]


def _waiting(app):
    with app.app_context():
        rows = db.session.execute(select(User.name, Seat.match_id).join(Seat).where(Seat.on_turn))
        found: dict[str | None, list[int]] = {"ann": [], "bob": []}
        for name, match_id in rows:
            found[name].append(match_id)
        return found


def test_if_no_table_waits_nothing_is_sent_and_news_wait_for_the_next_message(
    site, postbox, sign_up_with_mail
):
    match_id, players = seated(site, sign_up_with_mail, 2)
    for player in players:
        choose(player, daily_hour="18")
    work(site)
    with site.app_context(), writing() as tx:
        tx.execute(update(Seat).values(on_turn=False))
    the_hour_comes(site)
    assert postbox.mails == []
    assert ("started", "daily") in outcomes(site, "ann")


def test_a_turn_taken_before_the_hour_is_not_told(site, postbox, sign_up_with_mail):
    match_id, players = seated(site, sign_up_with_mail, 2)
    for player in players:
        choose(player, daily_hour="18")
    work(site)
    (first,) = on_turn(site, match_id, players)
    make_any_move(first, match_id, Random(1))
    the_hour_comes(site)
    (second,) = (name for name, tables in _waiting(site).items() if tables)
    assert [mail["To"] for mail in postbox.mails] == [f"{second}@example.org"]


def test_calls_are_told_at_once_all_the_same(site, postbox, sign_up_with_mail):
    match_id, (ann, bob) = seated(site, sign_up_with_mail, 2)
    for player in (ann, bob):
        choose(player, daily_hour="18")
    ann.post(f"/table/{match_id}/chat", data={"text": "@bob"})
    work(site)
    assert [mail["Subject"] for mail in postbox.mails] == [
        "You are called at “ann’s table” (Stockpile)"
    ]


def test_what_was_laid_aside_is_told_when_somebody_wants_it_one_by_one_again(
    site, postbox, sign_up_with_mail
):
    _, (ann, bob) = seated(site, sign_up_with_mail, 2)
    choose(ann, daily_hour="18")
    bob.post("/notices/seen")
    work(site)
    assert postbox.mails == []
    assert '<option value="18" selected>' in ann.get("/notices/choices").text
    choose(ann)
    work(site)
    assert [mail["To"] for mail in postbox.mails] == ["ann@example.org"]


def test_at_an_hour_within_quiet_hours_the_message_comes_when_they_end(
    site, postbox, sign_up_with_mail
):
    match_id, players = seated(site, sign_up_with_mail, 2)
    hour = now().hour
    for player in players:
        quiet = {"quiet_from": str((hour - 1) % 24), "quiet_to": str((hour + 2) % 24)}
        choose(player, daily_hour=str(hour), **quiet)
    the_hour_comes(site)
    assert postbox.mails == []
    for player in players:
        choose(player, daily_hour=str(hour))
    work(site)
    assert len(postbox.mails) == 1


def test_the_hour_follows_whoever_moves_to_another_time_zone(app, client, sign_up_with_mail):
    sign_up_with_mail(client, "ann", time_zone="UTC")
    choose(client, daily_hour="18")
    client.post("/account/time-zone", data={"time_zone": "Asia/Kathmandu"})
    with app.app_context():
        daily_at = db.session.scalars(select(Choice.daily_at)).one()
        assert daily_at and daily_at.minute == 15


@pytest.mark.parametrize(
    ("hour", "after", "then"),
    [
        (18, datetime(2026, 7, 1, 15, 59), datetime(2026, 7, 1, 16, 0)),
        (18, datetime(2026, 7, 1, 16, 0), datetime(2026, 7, 2, 16, 0)),
        (0, datetime(2026, 7, 1, 12, 0), datetime(2026, 7, 1, 22, 0)),
        # The day on which clocks in Berlin go forward has no 2:00: then it is 3:00.
        (2, datetime(2026, 3, 28, 1, 0), datetime(2026, 3, 29, 1, 0)),
        (2, datetime(2026, 3, 29, 1, 0), datetime(2026, 3, 30, 0, 0)),
        (18, datetime(2026, 3, 28, 17, 0), datetime(2026, 3, 29, 16, 0)),
        # The day on which they go back has two: the first counts, and the second brings no more.
        (2, datetime(2026, 10, 24, 12, 0), datetime(2026, 10, 25, 0, 0)),
        (2, datetime(2026, 10, 25, 0, 0), datetime(2026, 10, 26, 1, 0)),
        (2, datetime(2026, 10, 25, 1, 0), datetime(2026, 10, 26, 1, 0)),
        (18, datetime(2026, 10, 24, 16, 0), datetime(2026, 10, 25, 17, 0)),
    ],
)
def test_it_is_once_on_every_day_when_clocks_change_too(hour, after, then):
    found = digest.next_time(hour, "Europe/Berlin", after.replace(tzinfo=UTC))
    assert found == then.replace(tzinfo=UTC)
