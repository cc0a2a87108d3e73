"""Bots that think: in the worker, one move each, and never while somebody waits for a page."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from stockpile_web.games import GAMES
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Match
from stockpile_web.worker import bots, timeouts, watch
from tests.support.clicking import make_any_move
from tests.support.hourglass import asked, bots_are_due, change_seat, makers, seats, thinker
from tests.support.live_site import wait_until
from tests.support.people import table


@pytest.fixture
def ponder(monkeypatch):
    """Give the game a bot that thinks, and return a way to say how."""

    def use(**how):
        monkeypatch.setitem(GAMES["stockpile"].BOTS, "ponder", thinker(**how))

    use()
    return use


def beside_bots(app, sign_up, size=3):
    """Let Ann begin a match with bots that think."""
    match_id, ann = table(app, sign_up, size)
    ann.post(f"/table/{match_id}/seating", data={"do": "fill", "bot": "ponder"})
    return match_id, ann


def version(app, match_id):
    with app.app_context():
        return db.session.get_one(Match, match_id).version


def let_think(app, match_id):
    """Let the bots think until Ann is asked."""
    while "ann" not in asked(app, match_id) and asked(app, match_id):
        bots_are_due(app)
        assert bots.let_a_bot_think(app)


def play_until_a_bot_is_asked(app, match_id, ann):
    """Let Ann move until only bots are asked."""
    chooser = Random(1)
    while "ann" in asked(app, match_id):
        make_any_move(ann, match_id, chooser)
    assert asked(app, match_id)


def test_a_request_never_waits_for_a_bot_that_thinks(app, sign_up, ponder):
    ponder(choose=lambda *_: pytest.fail("it thinks in a request"))
    match_id, ann = beside_bots(app, sign_up)
    play_until_a_bot_is_asked(app, match_id, ann)
    assert "bot" not in makers(app, match_id)
    waiting = [seat for seat in seats(app, match_id).values() if seat.on_turn and seat.bot]
    assert waiting
    for seat in waiting:
        assert seat.acts_at and seat.waiting_since and seat.acts_at > seat.waiting_since


def test_a_whole_game_against_bots_that_think_is_played_in_the_worker(app, sign_up, ponder):
    match_id, ann = beside_bots(app, sign_up)
    let_think(app, match_id)
    while asked(app, match_id):
        make_any_move(ann, match_id, Random(1))
        let_think(app, match_id)
    with app.app_context():
        assert db.session.get_one(Match, match_id).status == "over"
    assert {seat.acts_at for seat in seats(app, match_id).values()} == {None}
    assert makers(app, match_id).count("bot") > 20


def test_a_bot_waits_a_moment_before_it_moves(app, sign_up, ponder):
    match_id, ann = beside_bots(app, sign_up)
    let_think(app, match_id)
    play_until_a_bot_is_asked(app, match_id, ann)
    before = version(app, match_id)
    assert not bots.let_a_bot_think(app)
    assert version(app, match_id) == before
    bots_are_due(app)
    assert bots.let_a_bot_think(app)
    assert version(app, match_id) == before + 1


def test_two_workers_at_once_let_a_bot_move_once(app, sign_up, ponder):
    match_id, ann = beside_bots(app, sign_up)
    play_until_a_bot_is_asked(app, match_id, ann)
    thoughts = []

    def slowly(view, moves, rng):
        thoughts.append(moves)
        time.sleep(0.1)
        return moves[0]

    ponder(choose=slowly)
    before = version(app, match_id)
    bots_are_due(app)
    with ThreadPoolExecutor(3) as pool:
        moved = list(pool.map(lambda _: bots.let_a_bot_think(app), range(3)))
    assert moved.count(True) == len(thoughts) == version(app, match_id) - before == 1


def test_a_bot_whose_table_has_moved_on_thinks_again(app, sign_up, ponder):
    match_id, ann = beside_bots(app, sign_up, size=2)
    change_seat(app, match_id, "ann", orders="")  # So that she is asked about dividends, too.
    chooser = Random(1)
    while len(asked(app, match_id)) != 2:
        if "ann" in asked(app, match_id):
            make_any_move(ann, match_id, chooser)
        else:
            bots_are_due(app)
            bots.let_a_bot_think(app)

    def interrupted(view, moves, rng):
        make_any_move(ann, match_id, chooser)
        return moves[0]

    ponder(choose=interrupted)
    before = version(app, match_id)
    bots_are_due(app)
    assert bots.let_a_bot_think(app)
    assert set(makers(app, match_id)[before:]) == {""}  # Ann's; what was thought before is void.
    after = version(app, match_id)
    ponder()
    assert bots.let_a_bot_think(app)
    assert makers(app, match_id)[after:] == ["bot"]


@pytest.mark.parametrize("choose", [lambda *_: 1 / 0, lambda *_: "nonsense"])
def test_a_bot_that_fails_does_not_hold_up_the_table(app, sign_up, ponder, choose):
    ponder(choose=choose)
    match_id, ann = beside_bots(app, sign_up)
    play_until_a_bot_is_asked(app, match_id, ann)
    before = len(makers(app, match_id))
    let_think(app, match_id)
    assert "ann" in asked(app, match_id)
    assert set(makers(app, match_id)[before:]) == {"bot"}


def test_a_move_that_fails_in_the_worker_is_told_in_a_sentence(
    app, sign_up, ponder, monkeypatch, caplog
):
    match_id, ann = beside_bots(app, sign_up)
    play_until_a_bot_is_asked(app, match_id, ann)
    for module, name in ((bots, "_move"), (timeouts, "play_for_absent")):
        monkeypatch.setattr(module, name, lambda *_: 1 / 0)
    bots_are_due(app)
    assert bots.let_a_bot_think(app)
    change_seat(app, match_id, "ann", deadline_at=now())
    assert timeouts.play_for_the_late(app)
    waiting = [seat.number for seat in seats(app, match_id).values() if seat.on_turn]
    ann_sits = seats(app, match_id)["ann"].number
    bot, clock = [record.getMessage() for record in caplog.records]
    assert bot in [f"The bot of seat {each} of match {match_id} cannot move" for each in waiting]
    assert clock == f"Nobody could play for seat {ann_sits} of match {match_id}"


def test_it_holds_nothing_while_it_thinks(app, sign_up, ponder):
    match_id, ann = beside_bots(app, sign_up)
    play_until_a_bot_is_asked(app, match_id, ann)

    def meanwhile(view, moves, rng):
        said = ann.post(f"/table/{match_id}/chat", data={"text": "Take your time."})
        assert said.status_code == 303
        return moves[0]

    ponder(choose=meanwhile)
    before = version(app, match_id)
    bots_are_due(app)
    assert bots.let_a_bot_think(app)
    assert version(app, match_id) == before + 1
    assert "Take your time." in ann.get(f"/table/{match_id}").text


def test_the_worker_lets_bots_move_by_itself_until_a_person_is_asked(app, sign_up, ponder):
    match_id, ann = beside_bots(app, sign_up)
    stop = threading.Event()
    worker = threading.Thread(target=watch.run, args=(app, stop))
    worker.start()
    try:
        for _ in range(3):
            wait_until(lambda: "ann" in asked(app, match_id), seconds=30)
            make_any_move(ann, match_id, Random(1))
        wait_until(lambda: "ann" in asked(app, match_id), seconds=30)
    finally:
        stop.set()
        worker.join(20)
    assert "bot" in makers(app, match_id)
