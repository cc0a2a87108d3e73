"""Clocks at tables: how much time a turn has, and what happens when it is over."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random

import pytest
from sqlalchemy import event, select

from stockpile_web.games import GAMES
from stockpile_web.match import waking_hours
from stockpile_web.match.time_controls import TIME_CONTROLS, bank_after
from stockpile_web.match.turn import changing
from stockpile_web.match.waking_hours import Hours
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Match, Notice, User, Vacation
from stockpile_web.worker import timeouts
from tests.support.clicking import make_any_move
from tests.support.hourglass import asked, change_seat, deadline_of, makers, run_out, seats
from tests.support.people import NAMES, close, seated, set_address
from tests.support.postbox import serving, text_of, work

A_DAY, AN_HOUR = timedelta(days=1), timedelta(hours=1)


def mover(app, match_id, players):
    """Return the name and the browser of somebody who is on turn."""
    name = asked(app, match_id)[0]
    return name, players[NAMES.index(name)]


@pytest.mark.parametrize(
    ("pace", "days"), [("day", 3), ("three_days", 6), ("week", 14), ("live", 20 / 24 / 60)]
)
def test_whoever_is_on_turn_has_the_time_of_the_pace_and_of_the_bank(app, sign_up, pace, days):
    match_id, _ = seated(app, sign_up, 2, pace=pace)
    hours = Hours() if pace == "live" else Hours("UTC", 8, 23)
    for seat in seats(app, match_id).values():
        assert timedelta(seconds=seat.bank) == TIME_CONTROLS[pace].bank
        if seat.on_turn:
            assert seat.waiting_since and seat.remind_at and seat.deadline_at
            time = hours.of_mine(A_DAY * days)
            assert waking_hours.used(seat.waiting_since, seat.deadline_at, hours) == time
            assert waking_hours.used(seat.remind_at, seat.deadline_at, hours) == time / 4
        else:
            assert seat.deadline_at is None


def test_the_clock_goes_to_whoever_is_asked_next(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    name, browser = mover(app, match_id, players)
    make_any_move(browser, match_id, Random(1))
    after = seats(app, match_id)
    (other,) = after.keys() - {name}
    assert asked(app, match_id) == [other]
    reminder = after[other].remind_at
    assert reminder and reminder < deadline_of(app, match_id, other)
    assert (after[name].remind_at, after[name].deadline_at) == (None, None)


def test_how_long_people_take_for_turns_of_their_own_is_added_up(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    for turn in (1, 2):
        name, browser = mover(app, match_id, players)
        change_seat(app, match_id, name, waiting_since=now() - timedelta(minutes=turn))
        make_any_move(browser, match_id, Random(1))
        mine = seats(app, match_id)[name]
        assert (mine.thinking_seconds // 60, mine.turns_timed) == (turn, 1)
    late = asked(app, match_id)[0]
    before = seats(app, match_id)[late]
    run_out(app, match_id, late)
    after = seats(app, match_id)[late]
    assert (after.thinking_seconds, after.turns_timed) == (
        before.thinking_seconds,
        before.turns_timed,
    )


def test_without_hurry_there_is_no_clock_and_nothing_is_asked_of_anybodys_hours(app, sign_up):
    match_id, players = seated(app, sign_up, 2, pace="none")
    questions = []
    with app.app_context():
        engine = db.engine

    def listen(_connection, _cursor, statement, *_):
        questions.append(statement)

    _, browser = mover(app, match_id, players)
    event.listen(engine, "before_cursor_execute", listen)
    try:
        make_any_move(browser, match_id, Random(1))
    finally:
        event.remove(engine, "before_cursor_execute", listen)
    assert questions and not any("awake_from" in question for question in questions)
    assert {seat.deadline_at for seat in seats(app, match_id).values()} == {None}


def test_a_turn_in_time_leaves_the_bank_alone_and_a_late_one_is_paid_out_of_it(app, sign_up):
    match_id, players = seated(app, sign_up, 2, pace="live")
    name, browser = mover(app, match_id, players)
    make_any_move(browser, match_id, Random(1))
    assert seats(app, match_id)[name].bank == 15 * 60
    name, browser = mover(app, match_id, players)
    late = now() - timedelta(minutes=9)
    change_seat(app, match_id, name, waiting_since=late, bank=15 * 60)
    make_any_move(browser, match_id, Random(1))
    assert 10 * 60 < seats(app, match_id)[name].bank <= 11 * 60


def test_the_bank_is_counted_in_waking_days():
    short_days, pace = Hours("UTC", 10, 14), TIME_CONTROLS["day"]
    start = now().replace(hour=10, minute=0, second=0, microsecond=0)
    bank = 2 * 24 * 3600
    assert bank_after(pace, bank, short_days, start, start + A_DAY) == bank
    assert bank_after(pace, bank, short_days, start, start + A_DAY + 2 * AN_HOUR) == 1.5 * 86400
    assert bank_after(pace, bank, short_days, start, start + 9 * A_DAY) == 0


def test_when_time_is_up_a_bot_plays_the_turn_and_the_log_says_so_to_all(app, sign_up, client):
    match_id, players = seated(app, sign_up, 3)
    name, _ = mover(app, match_id, players)
    run_out(app, match_id, name)
    seat = seats(app, match_id)[name]
    assert (seat.missed, seat.bank, seat.bot) == (1, 0, None)
    assert "clock" in makers(app, match_id)
    for browser in (*players, client):
        assert f"{name}’s time ran out" in browser.get(f"/table/{match_id}").text
        assert f"{name}’s time ran out" in browser.get(f"/table/{match_id}/log").text
    absent = players[NAMES.index(name)].get(f"/table/{match_id}").text
    assert "a bot played a turn for you" in absent


@pytest.mark.parametrize("slug", GAMES)
def test_a_whole_game_comes_to_its_end_though_everybody_is_late_every_time(app, sign_up, slug):
    match_id, _ = seated(app, sign_up, 2, game=slug)
    while waiting := asked(app, match_id):
        for name in ("ann", "bob"):
            change_seat(app, match_id, name, missed=0)  # Otherwise it would rest.
        run_out(app, match_id, waiting[0])
    with app.app_context():
        assert db.session.get_one(Match, match_id).status == "over"
    assert {"", "clock"} <= set(makers(app, match_id)) <= {"", "clock", "order"}


def test_who_is_not_late_is_left_alone(app, sign_up):
    match_id, _ = seated(app, sign_up, 2)
    assert not timeouts.play_for_the_late(app)
    assert len(makers(app, match_id)) == 1


def test_two_workers_at_once_play_a_turn_once_even_if_the_next_is_the_same_players(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    turns, came_again = 0, False

    def play(seat):
        with app.app_context(), changing(match_id) as turn:
            timeouts.play_for_absent(turn, seat)

    while not came_again:
        name = asked(app, match_id)[0]
        change_seat(app, match_id, name, deadline_at=now() - AN_HOUR)
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(play, [seats(app, match_id)[name].number] * 3))
        turns += 1
        came_again = name in asked(app, match_id)
    assert sum(seat.missed for seat in seats(app, match_id).values()) == turns
    assert players[0].get(f"/table/{match_id}/log").text.count("time ran out") == turns


def test_whoever_moves_is_back(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    name, browser = mover(app, match_id, players)
    change_seat(app, match_id, name, missed=2)
    make_any_move(browser, match_id, Random(1))
    assert seats(app, match_id)[name].missed == 0


def test_a_seat_for_which_nobody_can_play_does_not_hold_up_the_others(app, sign_up, monkeypatch):
    match_id, players = seated(app, sign_up, 2)
    name, _ = mover(app, match_id, players)
    change_seat(app, match_id, name, deadline_at=now() - AN_HOUR)
    monkeypatch.setattr(timeouts, "play_for_absent", lambda *_: 1 / 0)
    assert timeouts.play_for_the_late(app)
    assert not timeouts.play_for_the_late(app)
    assert deadline_of(app, match_id, name) > now()


def test_a_reminder_is_left_once_when_a_quarter_of_the_time_is_left(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    name, _ = mover(app, match_id, players)
    assert not timeouts.remind_the_late(app)
    for _ in range(2):  # A clock that was set anew reminds of the same turn once.
        change_seat(app, match_id, name, remind_at=now() - timedelta(seconds=1))
        assert timeouts.remind_the_late(app)
        assert not timeouts.remind_the_late(app)
    with app.app_context():
        told = select(User.name).join(Notice).where(Notice.event == "near")
        assert db.session.scalars(told).all() == [name]


def test_a_reminder_arrives_by_mail_while_it_is_worth_it(make_app, sign_up):
    with serving() as postbox:
        app = make_app(**postbox.settings())
        match_id, players = seated(app, sign_up, 2)
        name, browser = mover(app, match_id, players)
        set_address(app, name, "me@example.org")
        work(app)
        postbox.mails.clear()
        change_seat(app, match_id, name, remind_at=now() - timedelta(seconds=1))
        assert timeouts.remind_the_late(app)
        work(app)
        (mail,) = postbox.mails
        assert "time runs out" in mail["Subject"]
        deadline = deadline_of(app, match_id, name)
        moment = f"{deadline:%a} {deadline.day} {deadline:%b, %H:%M} (UTC)"
        for kind in ("plain", "html"):
            assert f"Your time runs out {moment}" in text_of(mail, kind)
        change_seat(app, match_id, name, remind_at=now() - timedelta(seconds=1))
        make_any_move(browser, match_id, Random(1))
        work(app)
        assert not any("runs out" in each["Subject"] for each in postbox.mails[1:])


def test_a_table_that_is_closed_or_over_has_no_clock(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    close(match_id, *players)
    assert {seat.deadline_at for seat in seats(app, match_id).values()} == {None}
    assert {seat.remind_at for seat in seats(app, match_id).values()} == {None}
    assert not timeouts.play_for_the_late(app)


def test_a_vacation_puts_off_a_deadline_but_not_that_of_a_live_table(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    name, browser = mover(app, match_id, players)
    before = deadline_of(app, match_id, name)
    first, last = now() + A_DAY, now() + 10 * A_DAY
    form = {"first_day": f"{first:%Y-%m-%d}", "last_day": f"{last:%Y-%m-%d}"}
    assert browser.post("/account/vacations", data=form).status_code == 303
    assert deadline_of(app, match_id, name) >= before + 9 * A_DAY
    assert seats(app, match_id)[name].remind_at is not None
    with app.app_context():
        vacation = db.session.scalars(select(Vacation)).one()
    assert browser.post(f"/account/vacations/{vacation.id}/end").status_code == 303
    assert deadline_of(app, match_id, name) == before


def test_new_hours_set_clocks_anew_and_take_nobodys_last_hour(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    name, browser = mover(app, match_id, players)
    form = {"begin": "0", "end": "0", "days": list("1234567")}
    assert browser.post("/account/hours", data=form).status_code == 303
    since = seats(app, match_id)[name].waiting_since
    assert since and deadline_of(app, match_id, name) - since == 3 * A_DAY
    change_seat(app, match_id, name, waiting_since=now() - 30 * A_DAY)
    browser.post("/account/hours", data=form)
    left = deadline_of(app, match_id, name) - now()
    assert timedelta(minutes=50) < left <= AN_HOUR
    assert seats(app, match_id)[name].remind_at is None
    soon = now() + timedelta(minutes=5)
    change_seat(app, match_id, name, deadline_at=soon)
    browser.post("/account/hours", data=form)  # To set them again and again gains no time.
    assert deadline_of(app, match_id, name) == soon


def test_a_table_tells_each_viewer_the_deadline_in_their_own_time(app, sign_up):
    match_id, players = seated(app, sign_up, 2)
    name, browser = mover(app, match_id, players)
    browser.post("/account/time-zone", data={"time_zone": "Asia/Tokyo"})
    deadline = deadline_of(app, match_id, name) + 9 * AN_HOUR
    words = f"{deadline:%a} {deadline.day} {deadline:%b, %H:%M}"
    assert words in browser.get(f"/table/{match_id}").text
    assert words in browser.get("/tables").text
    other = next(each for each in players if each is not browser)
    page = other.get(f"/table/{match_id}").text
    assert f"{name}’s time runs out" in page and words not in page
