"""Tables whose state cannot be read: said so, told of once, set back or closed, stopping nobody."""

import logging
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Connection, func, select, update

from stockpile_web.games import stockpile
from stockpile_web.match import broken, checking, match_file
from stockpile_web.storage.database import Away, Busy, db, now
from stockpile_web.storage.models import Match, Move, Notice, Seat
from stockpile_web.storage.models.notices import BROKEN
from stockpile_web.storage.transactions import writing
from stockpile_web.web import board_cache
from stockpile_web.worker import bots, broken_tables, timeouts
from tests.support.clicking import make_any_move
from tests.support.people import HX, on_turn, seated
from tests.support.playing import play

Table = tuple[int, list[FlaskClient]]
TABLE = {"game": "stockpile", "size": "2", "pace": "day"}

# What is done to the row of a match; "raises" is done to the rules.
WAYS: dict[str, dict[str, Any]] = {
    "no JSON": {"state": '{"players": [{"cash'},
    "another shape": {"state": "{}"},
    "a game that is gone": {"game": "checkers"},
    "unknown rules": {"rules_version": 99},
    "raises": {},
}


def stumble(*_: object) -> None:
    raise KeyError("the ace of secrets")


def gone() -> None:
    raise Away


def store(app: Flask, match_id: int, **values: object) -> None:
    """Write into the row of a match by hand."""
    with app.app_context(), writing() as tx:
        tx.execute(update(Match).where(Match.id == match_id).values(values))
    board_cache.clear()


@pytest.fixture
def table(app: Flask, sign_up: Callable[..., int]) -> Table:
    """A match of three in which some moves were made; Ann hosts it, and the site."""
    match_id, players = seated(app, sign_up, 3)
    rng = Random(1)
    for _ in range(4):
        make_any_move(on_turn(app, match_id, players)[0], match_id, rng)
    return match_id, players


@pytest.fixture(params=WAYS)
def broken_table(
    app: Flask, table: Table, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Table:
    """The same, broken in one way after the other."""
    if request.param == "raises":
        monkeypatch.setattr(stockpile, "view", stumble)
    else:
        store(app, table[0], **WAYS[request.param])
    board_cache.clear()
    return table


def facts(app: Flask, match_id: int) -> tuple[int, str, list[int]]:
    """Return the version of a match, its status, and who is on turn."""
    with app.app_context():
        match = db.session.get_one(Match, match_id)
        asked = select(Seat.number).where(Seat.match_id == match_id, Seat.on_turn)
        return match.version, match.status, list(db.session.scalars(asked.order_by(Seat.number)))


def told(app: Flask) -> list[tuple[int, int]]:
    """Return who was told of which broken tables."""
    with app.app_context():
        rows = select(Notice.user_id, Notice.match_id).where(Notice.event == BROKEN)
        return sorted((user, match) for user, match in db.session.execute(rows))


def run_out_all(app: Flask) -> None:
    """Let the time of all run out."""
    late = now() - timedelta(seconds=1)
    with app.app_context(), writing() as tx:
        running = update(Seat).where(Seat.deadline_at.is_not(None))
        tx.execute(running.values(deadline_at=late))


def test_its_page_says_so_in_words_and_shows_the_log(app: Flask, broken_table: Table) -> None:
    match_id, players = broken_table
    for client in (*players, app.test_client()):
        page = client.get(f"/table/{match_id}")
        assert page.status_code == 409
        assert 'class="notice"' in page.text
        assert "What happened so far" in page.text
        assert "ace of secrets" not in page.text
    part = players[0].get(f"/table/{match_id}", headers=HX)
    assert part.status_code == 409 and "<html" not in part.text
    assert players[0].get(f"/table/{match_id}/log").status_code == 200
    for path in ("/turn/2", "/orders", "/story", "/replay"):
        assert players[0].get(f"/table/{match_id}{path}").status_code in (200, 404, 409)


def test_nothing_can_be_played_there_and_nothing_fails(app: Flask, broken_table: Table) -> None:
    match_id, players = broken_table
    before = facts(app, match_id)
    form = {"moves_made": "9", "move": '{"move":"Done"}'}
    for player in players:
        assert player.post(f"/table/{match_id}/move", data=form).status_code in (409, 422)
        form = {"do": "away"}
        assert player.post(f"/table/{match_id}/seating", data=form).status_code in (303, 409)
    assert facts(app, match_id)[:2] == before[:2]


def test_lists_that_show_it_still_work(app: Flask, broken_table: Table) -> None:
    match_id, players = broken_table
    with app.app_context():
        broken_tables.LookThrough(app).go_on()
    for path in ("/tables", "/tables/listed", "/notices", "/admin/held", "/people/ann", "/"):
        page = players[0].get(path)
        assert page.status_code in (200, 302), path
    assert f"/table/{match_id}" in players[0].get("/tables").text
    assert f"/table/{match_id}/mend" in players[0].get("/admin/held").text


def test_only_the_host_and_administrators_can_mend_it(app: Flask, broken_table: Table) -> None:
    match_id, players = broken_table
    before = facts(app, match_id)
    assert f"/table/{match_id}/mend" in players[0].get(f"/table/{match_id}").text
    for player in players[1:]:
        assert "/mend" not in player.get(f"/table/{match_id}").text
        answer = player.post(f"/table/{match_id}/mend", data={"do": "close"})
        assert answer.status_code == 403
    assert facts(app, match_id) == before


def test_its_host_can_close_it_and_the_others_are_told(app: Flask, broken_table: Table) -> None:
    match_id, players = broken_table
    answer = players[0].post(f"/table/{match_id}/mend", data={"do": "close"})
    assert answer.status_code == 303
    assert facts(app, match_id)[1:] == ("closed", [])
    for path in ("/tables", f"/table/{match_id}/log", "/archive", "/people/bob"):
        assert players[1].get(path).status_code in (200, 302, 404), path
    with app.app_context():
        ended = select(func.count()).where(Notice.match_id == match_id, Notice.event == "ended")
        assert db.session.scalar(ended) == 2


@pytest.mark.parametrize("lost", [0, 2])
@pytest.mark.parametrize("way", ["no JSON", "another shape"])
def test_set_back_it_goes_on_and_every_turn_can_be_read(
    app: Flask, table: Table, way: str, lost: int
) -> None:
    match_id, players = table
    version = facts(app, match_id)[0]
    store(app, match_id, **WAYS[way])
    page = players[0].get(f"/table/{match_id}").text
    assert "(the newest)" in page
    back_to = version - 1 - lost
    answer = players[0].post(f"/table/{match_id}/mend", data={"number": back_to})
    assert answer.status_code == 303
    assert players[0].get(f"/table/{match_id}").status_code == 200
    assert f"after move {back_to}" in players[1].get(f"/table/{match_id}/log").text
    rng = Random(2)
    for _ in range(20):  # Beyond the next key frame.
        make_any_move(on_turn(app, match_id, players)[0], match_id, rng)
    for number in range(facts(app, match_id)[0]):
        assert players[0].get(f"/table/{match_id}/turn/{number}").status_code == 200
    with app.app_context():
        clocks = select(Seat.deadline_at).where(Seat.match_id == match_id, Seat.on_turn)
        assert all(db.session.scalars(clocks))


def test_of_a_match_that_was_set_back_a_check_says_so_and_finds_nothing_wrong(
    app: Flask, table: Table
) -> None:
    match_id, players = table
    store(app, match_id, state="{}")
    players[0].post(f"/table/{match_id}/mend", data={"number": facts(app, match_id)[0] - 3})
    play(app, match_id)
    file = players[0].get(f"/table/{match_id}/export.json").data
    verdict = checking.check(match_file.read(file))
    doubts = [line.text for line in verdict.lines if not line.is_right]
    assert len(doubts) == 1 and "was set back" in doubts[0]
    assert not any(line.is_right is False for line in verdict.lines)


def test_rules_that_stumble_over_the_newest_turn_go_on_from_an_earlier_one(
    app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, players = table
    with app.app_context():
        newest = db.session.get_one(Match, match_id).state
    load = stockpile.view
    broken_state = stockpile_state(newest)
    monkeypatch.setattr(
        stockpile,
        "view",
        lambda state, viewer: stumble() if state == broken_state else load(state, viewer),
    )
    board_cache.clear()
    assert players[1].get(f"/table/{match_id}").status_code == 409
    version = facts(app, match_id)[0]
    refused = players[0].post(f"/table/{match_id}/mend", data={"number": version - 1})
    assert "choose an earlier one" in players[0].get(refused.location).text
    players[0].post(f"/table/{match_id}/mend", data={"number": version - 2})
    assert players[1].get(f"/table/{match_id}").status_code == 200


def stockpile_state(text: str) -> Any:
    from stockpile_web.engine import codec

    return codec.load(stockpile.State, text)


def test_a_table_with_nothing_wrong_cannot_be_set_back_or_closed_so(
    app: Flask, table: Table
) -> None:
    match_id, players = table
    before = facts(app, match_id)
    for form in ({"number": 1}, {"do": "close"}, {"number": "x"}):
        answer = players[0].post(f"/table/{match_id}/mend", data=form)
        assert "nothing to mend" in players[0].get(answer.location).text
    assert facts(app, match_id) == before


def test_a_stale_page_cannot_move_at_a_table_that_was_set_back(app: Flask, table: Table) -> None:
    match_id, players = table
    with app.app_context():
        seat = db.session.scalars(select(Seat).filter_by(match_id=match_id, on_turn=True)).first()
        assert seat is not None
        stale, mover = seat.moves_made, seat.user_id
    store(app, match_id, state="{}")
    players[0].post(f"/table/{match_id}/mend", data={"number": facts(app, match_id)[0] - 1})
    mover_client = players[(mover or 1) - 1]
    form = {"moves_made": str(stale), "move": '{"move":"Done"}'}
    assert mover_client.post(f"/table/{match_id}/move", data=form).status_code == 409


def test_an_administrator_mends_a_private_table_without_seeing_it(
    app: Flask, sign_up: Callable[..., int]
) -> None:
    boss = app.test_client()
    sign_up(boss, "zoe")
    match_id, players = seated(app, sign_up, 2, listed="")
    store(app, match_id, listed=False, state="{}")
    broken_tables.LookThrough(app).go_on()
    assert boss.get(f"/table/{match_id}").status_code == 404
    assert "/mend" in boss.get("/admin/held").text
    answer = boss.post(f"/table/{match_id}/mend", data={"number": "0"})
    assert answer.location.endswith("/admin/held")
    assert players[0].get(f"/table/{match_id}").status_code == 200


def test_clocks_of_other_tables_go_on_and_the_broken_one_waits_longer_each_time(
    app: Flask, broken_table: Table, sign_up: Callable[..., int], caplog: pytest.LogCaptureFixture
) -> None:
    match_id, _ = broken_table
    caplog.set_level(logging.INFO, "stockpile_web")
    version = facts(app, match_id)[0]
    pauses = []
    for _ in range(3):
        run_out_all(app)
        while timeouts.play_for_the_late(app):
            pass
        with app.app_context():
            due = select(func.min(Seat.deadline_at)).where(Seat.match_id == match_id)
            pauses += [moment - now() for moment in db.session.scalars(due) if moment]
            with writing() as tx:  # As if so much time had passed.
                for notice in tx.scalars(select(Notice).filter_by(event=BROKEN)):
                    notice.made_at -= timedelta(minutes=30)
    assert pauses[0] < pauses[1] < pauses[2] <= broken.LONGEST_PAUSE
    assert facts(app, match_id)[0] == version
    lines = [record for record in caplog.records if "cannot be carried on" in record.message]
    assert len(lines) == 1
    assert "ace of secrets" not in caplog.text and "Traceback" not in caplog.text
    assert told(app) == [(1, match_id)]  # Ann hosts the table and the site: once.


def test_a_clock_is_not_held_up_by_a_broken_table(
    app: Flask, table: Table, sign_up: Callable[..., int]
) -> None:
    match_id, players = table
    answer = players[0].post(
        "/tables/new",
        data={"game": "stockpile", "size": "2", "pace": "day", "listed": "on"},
    )
    other = int(answer.location.rsplit("/", 1)[1])
    players[1].post(f"/table/{other}/seating", data={"do": "join"})
    store(app, match_id, state="{}")
    run_out_all(app)
    before = facts(app, other)[0]
    while timeouts.play_for_the_late(app):
        pass
    assert facts(app, other)[0] > before


def test_a_bot_that_thinks_at_a_broken_table_is_put_off(app: Flask, broken_table: Table) -> None:
    match_id, _ = broken_table
    with app.app_context(), writing() as tx:
        this = update(Seat).where(Seat.match_id == match_id, Seat.on_turn)
        tx.execute(this.values(bot="steady", acts_at=now() - timedelta(seconds=1)))
    while bots.let_a_bot_think(app):
        pass
    with app.app_context():
        acts = db.session.scalar(select(func.min(Seat.acts_at)))
        assert acts is None or acts > now() + timedelta(minutes=5)
    assert told(app) == [(1, match_id)]


def test_a_worker_that_starts_tells_of_tables_where_nobody_comes_by(
    app: Flask, broken_table: Table
) -> None:
    match_id, _ = broken_table
    for _ in range(2):
        broken_tables.LookThrough(app).go_on()
        assert told(app) == [(1, match_id)]


@pytest.mark.parametrize("trouble", [Busy, ZeroDivisionError], ids=["locked", "ours"])
def test_trouble_with_one_table_does_not_end_the_looking_through(
    app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch, trouble: type[Exception]
) -> None:
    other = int(table[1][0].post("/tables/new", data=TABLE).location.rsplit("/", 1)[1])
    table[1][0].post(f"/table/{other}/seating", data={"do": "fill"})
    for match_id in (table[0], other):
        store(app, match_id, **WAYS["another shape"])
    real, asked = broken.problem_of, list[int]()

    def problem_of(connection: Connection, match_id: int) -> Exception | None:
        asked.append(match_id)
        if len(asked) == 1:
            raise trouble
        return real(connection, match_id)

    monkeypatch.setattr(broken, "problem_of", problem_of)
    monkeypatch.setattr(broken_tables, "REST_SECONDS", 0.0)
    tables = broken_tables.LookThrough(app)
    for _ in range(4):
        tables.go_on()
    locked = [(1, table[0])] if trouble is Busy else []
    assert told(app) == [*locked, (1, other)]
    assert len(asked) == 2 + len(locked)  # And none without end.


def test_after_an_outage_the_looking_through_goes_on(
    app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(app, table[0], **WAYS["another shape"])
    tables = broken_tables.LookThrough(app)
    with monkeypatch.context() as away, pytest.raises(Away):
        away.setattr(broken_tables, "reading", gone)
        tables.go_on()
    tables.go_on()
    assert told(app) == [(1, table[0])]


def test_reminders_of_a_broken_table_stop_nobody(app: Flask, broken_table: Table) -> None:
    match_id, _ = broken_table
    with app.app_context(), writing() as tx:
        this = update(Seat).where(Seat.match_id == match_id, Seat.on_turn)
        tx.execute(this.values(remind_at=now() - timedelta(seconds=1)))
    while timeouts.remind_the_late(app):
        pass
    with app.app_context():
        assert db.session.scalar(select(func.count(Seat.remind_at))) == 0


def test_damaged_frames_leave_only_closing(app: Flask, table: Table) -> None:
    match_id, players = table
    store(app, match_id, state="{}")
    with app.app_context(), writing() as tx:
        tx.execute(update(Move).where(Move.match_id == match_id).values(frame=b"\xff\xff"))
    page = players[0].get(f"/table/{match_id}").text
    assert "None of its last turns" in page and 'value="close"' in page
    players[0].post(f"/table/{match_id}/mend", data={"do": "close"})
    assert facts(app, match_id)[1] == "closed"
