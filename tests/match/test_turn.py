"""The one way to change a match: what it writes, tells and forgets on an error, and its limits."""

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import fields
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import inspect, select, text

from stockpile_web import live
from stockpile_web.engine import Bot
from stockpile_web.games import GAMES
from stockpile_web.match import absence, driving, table_view, turn
from stockpile_web.match.glance import glance
from stockpile_web.match.rows import MatchRow, SeatRow
from stockpile_web.match.turn import NoSuchMatch, changing
from stockpile_web.storage import database, outbox, transactions
from stockpile_web.storage.database import db, file_of, now
from stockpile_web.storage.models import Match, Message, Move, Seat, User
from stockpile_web.storage.models.notices import TURN
from stockpile_web.storage.transactions import reading, writing
from stockpile_web.worker.bots import let_a_bot_think
from tests.support.clicking import make_any_move
from tests.support.hourglass import asked, bots_are_due, change_seat, makers, seats
from tests.support.people import NAMES, let_anybody_leave, on_turn, seated

Three = tuple[int, list[FlaskClient]]


@pytest.fixture
def three(app: Flask, sign_up: Callable[..., int]) -> Three:
    """A match of three that has begun."""
    return seated(app, sign_up, 3)


def versions(app: Flask, match_id: int) -> tuple[int, int]:
    with app.app_context():
        match = db.session.get_one(Match, match_id)
        return match.version, match.table_version


def failing(*_: Any) -> Any:
    raise ValueError("a mistake of ours")


def test_a_row_has_a_field_for_every_column_of_its_table() -> None:
    seat = {field.name for field in fields(SeatRow)}
    assert seat - {"name"} == set(inspect(Seat).columns.keys()) - {"match_id"}
    match = {field.name for field in fields(MatchRow)}
    assert set(inspect(Match).columns.keys()) - match == {"seed", "state", "created_at"}


def test_a_move_raises_the_version_and_nothing_else(app: Flask, three: Three) -> None:
    match_id, players = three
    moves, others = versions(app, match_id)
    make_any_move(on_turn(app, match_id, players)[0], match_id, Random(1))
    assert versions(app, match_id) == (moves + 1, others)


@pytest.mark.parametrize(
    ("path", "form", "is_seen"),
    [
        ("chat", {"text": "Hello"}, True),
        ("seating", {"do": "away"}, True),
        ("notes", {"notes": "Bob bluffs."}, False),
        ("chat", {"text": ""}, False),
    ],
    ids=["chat", "away", "notes", "having read"],
)
def test_open_pages_are_told_of_what_others_can_see_and_of_nothing_else(
    app: Flask, three: Three, monkeypatch: pytest.MonkeyPatch, path: str, form: dict[str, str],
    is_seen: bool,
) -> None:  # fmt: skip
    match_id, players = three
    before = versions(app, match_id)
    told: list[int] = []
    monkeypatch.setattr(live, "moved", told.append)
    waiting = next(each for each in players if each not in on_turn(app, match_id, players))
    assert waiting.post(f"/table/{match_id}/{path}", data=form).status_code in (204, 303)
    assert told == [match_id] * is_seen
    assert (versions(app, match_id) != before) is is_seen


def test_nothing_has_happened_if_anything_fails(
    app: Flask, three: Three, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, _ = three
    before = versions(app, match_id)
    monkeypatch.setattr(live, "moved", lambda _: pytest.fail("it was told"))
    with app.app_context(), pytest.raises(ValueError, match="mistake"), changing(match_id) as held:
        held.say(held.seats[0].user_id or 0, "Hello")
        held.seats[1].bot = "steady"
        seat = next(seat for seat in range(3) if held.legal(seat))
        held.play(seat, held.legal(seat)[0])
        held.save()
        failing()
    assert versions(app, match_id) == before
    with app.app_context():
        assert db.session.scalars(select(Message)).all() == []
    assert {seat.bot for seat in seats(app, match_id).values()} == {None}


def test_there_is_nothing_to_change_where_there_is_no_match(app: Flask) -> None:
    with app.app_context(), pytest.raises(NoSuchMatch), changing(4711):
        pytest.fail("it was entered")


def test_a_transaction_inside_another_is_a_mistake_that_shows(app: Flask, three: Three) -> None:
    match_id, _ = three
    with app.app_context(), changing(match_id):
        inner = changing(match_id)
        with pytest.raises(RuntimeError, match="inside"):
            inner.__enter__()


@pytest.mark.parametrize("path", ["move", "chat", "notes", "orders", "seating"])
def test_while_somebody_else_holds_the_database_one_is_told_to_send_it_again(
    app: Flask,
    three: Three,
    make_app: Callable[..., Flask],
    monkeypatch: pytest.MonkeyPatch,
    path: str,
) -> None:
    with app.app_context():
        file = file_of(db.engine)
    if file is None:
        return  # Postgres: the next test.
    match_id, players = three
    before = versions(app, match_id)
    monkeypatch.setattr(database, "LOCK_SECONDS", 0.05)
    impatient = make_app().test_client()
    cookie = players[0].get_cookie("session")
    assert cookie is not None
    impatient.set_cookie("session", cookie.value)
    form = {"text": "Hello", "notes": "Bob bluffs.", "do": "away", "moves_made": "0"}
    with closing(sqlite3.connect(file, isolation_level=None)) as other_program:
        other_program.execute("BEGIN IMMEDIATE")
        answer = impatient.post(f"/table/{match_id}/{path}", data=form)
        other_program.execute("ROLLBACK")
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert "send it again" in answer.text
    assert versions(app, match_id) == before


def test_a_match_that_another_transaction_holds_is_not_waited_for_without_end(
    app: Flask, three: Three, make_app: Callable[..., Flask], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not app.config["DATABASE_URL"].startswith("postgresql"):
        return  # SQLite: the test before.
    match_id, players = three
    with app.app_context(), db.engine.connect() as other:
        other.execution_options(writes=True)
        other.execute(select(Match.id).where(Match.id == match_id).with_for_update())
        answer = players[0].post(f"/table/{match_id}/notes", data={"notes": "Bob bluffs."})
        other.rollback()
    assert answer.status_code == 503


def test_what_refers_to_a_match_is_written_while_somebody_is_at_it(
    app: Flask, three: Three
) -> None:
    if not app.config["DATABASE_URL"].startswith("postgresql"):
        return  # SQLite has one writer at a time.
    match_id, _ = three

    def leave_a_message() -> None:
        with app.app_context(), writing() as tx:
            user = tx.scalars(select(User)).first()
            tx.add(Message(match_id=match_id, user=user, text="Hello", said_at=now()))

    with app.app_context(), changing(match_id) as turn, ThreadPoolExecutor(1) as threads:
        turn.match.name = "renamed"
        turn.save()  # The match is not only locked but changed.
        threads.submit(leave_a_message).result(5)


def test_a_standing_order_that_fails_asks_its_player_and_stops_nobody(
    app: Flask, three: Three, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match_id, players = three
    orders = GAMES["stockpile"].ORDERS
    assert orders is not None
    broken = type(orders)(orders.Book, orders.read, failing, orders.sheet)
    monkeypatch.setattr(GAMES["stockpile"], "ORDERS", broken)
    for name in NAMES[:3]:
        change_seat(app, match_id, name, orders='{"rest":true}')
    before = len(makers(app, match_id))
    answer = make_any_move(on_turn(app, match_id, players)[0], match_id, Random(1))
    assert answer.status_code in (200, 303)
    assert len(makers(app, match_id)) == before + 1
    assert asked(app, match_id)
    assert "A standing order failed" in caplog.text


@pytest.mark.parametrize("choose", [failing, lambda *_: "no move"], ids=["raises", "cheats"])
def test_a_bot_that_fails_stops_no_table(
    app: Flask,
    three: Three,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    choose: Callable[..., Any],
) -> None:
    match_id, players = three
    monkeypatch.setitem(GAMES["stockpile"].BOTS, "broken", Bot("Broken", "Fails.", choose))
    name = asked(app, match_id)[0]
    away = players[NAMES.index(name)]
    assert away.post(f"/table/{match_id}/seating", data={"do": "away", "bot": "broken"})
    assert "bot" in makers(app, match_id)
    assert name not in asked(app, match_id)
    assert "The bot Broken" in caplog.text


def test_even_if_every_bot_fails_some_move_is_made(
    app: Flask, three: Three, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, players = three
    for key in list(GAMES["stockpile"].BOTS):
        monkeypatch.setitem(GAMES["stockpile"].BOTS, key, Bot(key, "Fails.", failing))
    name = asked(app, match_id)[0]
    players[NAMES.index(name)].post(f"/table/{match_id}/seating", data={"do": "away"})
    assert "bot" in makers(app, match_id)


def test_bots_among_themselves_play_in_short_transactions_and_the_worker_goes_on(
    app: Flask, three: Three, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driving, "LONGEST_CHAIN", 2)
    match_id, players = three
    for player in players[1:]:
        player.post(f"/table/{match_id}/seating", data={"do": "away"})
    slices, chooser, made = 0, Random(3), len(makers(app, match_id))
    while slices < 8:
        if asked(app, match_id) == ["ann"]:
            make_any_move(players[0], match_id, chooser)
        else:
            bots_are_due(app)
            assert let_a_bot_think(app)
            slices += 1
        # Ann may send several moves at once, a bot that thinks one, and then comes the chain.
        by_bots = [maker for maker in makers(app, match_id)[made:] if maker == "bot"]
        assert len(by_bots) <= 1 + 2
        made = len(makers(app, match_id))


def test_no_transaction_holds_two_matches_when_somebody_leaves_for_good_or_sleeps_longer(
    app: Flask, sign_up: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, players = seated(app, sign_up, 2)
    for _ in range(2):
        form = {"game": "stockpile", "size": "2", "pace": "day", "listed": "on"}
        answer = players[0].post("/tables/new", data=form)
        players[1].post(f"{answer.location}/seating", data={"do": "join"})
    held: list[list[int]] = []

    class Watched(turn.Turn):
        def __init__(self, connection: Any, match_id: int) -> None:
            super().__init__(connection, match_id)
            held[-1].append(match_id)

    real = transactions.transaction

    def watched() -> Any:
        held.append([])
        return real()

    monkeypatch.setattr(turn, "Turn", Watched)
    monkeypatch.setattr(turn, "transaction", watched)
    hours = {"begin": "9", "end": "17", "days": ["1", "2"]}
    assert players[0].post("/account/hours", data=hours).status_code == 303
    let_anybody_leave(app)
    gone = players[0].post("/account/delete", data={"password": "correct horse"})
    assert gone.status_code == 303
    assert len(held) >= 3
    assert all(len(matches) == 1 for matches in held)
    with app.app_context():
        left = db.session.scalars(select(Seat.bot).join(User).where(User.name.is_(None))).all()
    assert len(left) == 3
    assert None not in left


def test_a_vote_that_opens_a_seat_is_seen_by_all(app: Flask, three: Three) -> None:
    match_id, _ = three
    before = versions(app, match_id)
    with app.app_context(), changing(match_id) as changed:
        changed.seats[2].missed = 3
        voter = db.session.get_one(User, changed.seats[0].user_id)
        absence.vote(changed, voter, "2", "wait")
    assert versions(app, match_id) == (before[0], before[1] + 1)
    with app.app_context():
        assert db.session.scalars(select(Move).where(Move.match_id == match_id)).all()


def test_whoever_looks_while_somebody_moves_is_shown_one_moment(app: Flask, three: Three) -> None:
    match_id, players = three
    mover = on_turn(app, match_id, players)[0]
    with app.app_context():
        seen = glance(reading(), match_id, None)
        assert seen is not None
        before = table_view.open_table(reading(), seen)
    make_any_move(mover, match_id, Random(1))
    with app.app_context():
        # As if the move had come between the two: what was read first is what counts.
        table = table_view.open_table(reading(), seen)
    assert (table.version, table.view, table.log) == (before.version, before.view, before.log)


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
def test_what_refers_to_a_match_is_written_while_somebody_changes_it(
    app: Flask, three: Three
) -> None:
    match_id, _ = three

    def leave_notice() -> None:
        with app.app_context(), transactions.transaction() as tx:
            outbox.write(tx, match_id, 1, database.now(), [], [(TURN, 1)])

    with app.app_context(), changing(match_id), ThreadPoolExecutor(1) as other:
        other.submit(leave_notice).result(timeout=3)  # It would wait for this block to end.


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
def test_whoever_has_waited_for_a_match_sees_all_of_it_as_it_is_then(
    app: Flask, three: Three
) -> None:
    match_id, _ = three
    with app.app_context(), ThreadPoolExecutor(1) as other:
        with changing(match_id) as first:
            first.seats[0].notes, first.match.name = "new", "New"
            later = other.submit(_notes_and_name, app, match_id)
            while not _waits():
                pass
        assert later.result(timeout=3) == ("new", "New")


def _notes_and_name(app: Flask, match_id: int) -> tuple[str, str]:
    with app.app_context(), changing(match_id) as second:
        return second.seats[0].notes, second.match.name


def _waits() -> bool:
    """Tell whether a transaction waits for another."""
    with db.engine.connect() as connection:
        return bool(connection.scalar(text("select count(*) from pg_locks where not granted")))
