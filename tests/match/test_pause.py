"""A table rests while nobody plays there themselves, and goes on as soon as somebody is back."""

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from flask import Flask
from flask.testing import FlaskClient

from stockpile_web.games import GAMES
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Match
from stockpile_web.worker import timeouts
from stockpile_web.worker.bots import let_a_bot_think
from tests.support.clicking import make_any_move
from tests.support.hourglass import (
    asked,
    bots_are_due,
    change_seat,
    makers,
    run_out,
    seats,
    thinker,
)
from tests.support.people import NAMES, let_anybody_leave, on_turn, seated, table

Two = tuple[int, list[FlaskClient]]
RESTING = "This table is resting"


@pytest.fixture
def two(app: Flask, sign_up: Callable[..., int]) -> Two:
    """A match of two that has begun; Ann hosts."""
    return seated(app, sign_up, 2)


def do(player: FlaskClient, match_id: int, what: str, **form: str) -> str:
    data = {"do": what, **form}
    return player.post(f"/table/{match_id}/seating", data=data, follow_redirects=True).text


def status(app: Flask, match_id: int) -> str:
    with app.app_context():
        return db.session.get_one(Match, match_id).status


def test_when_everybody_has_given_their_seat_to_a_bot_nothing_is_played(
    app: Flask, two: Two
) -> None:
    match_id, (ann, bob) = two
    assert RESTING not in do(ann, match_id, "away")
    page = do(bob, match_id, "away")
    assert RESTING in page and "You have given your seat to a bot." in page
    made = len(makers(app, match_id))
    assert not let_a_bot_think(app)
    assert not timeouts.play_for_the_late(app)
    assert len(makers(app, match_id)) == made
    assert status(app, match_id) == "playing"
    assert "resting until somebody is back" in ann.get("/tables").text


def test_it_goes_on_when_somebody_takes_their_seat_back(app: Flask, two: Two) -> None:
    match_id, (ann, bob) = two
    for player in (ann, bob):
        do(player, match_id, "away")
    made = len(makers(app, match_id))
    waits_for_bob = asked(app, match_id) == ["bob"]
    page = do(ann, match_id, "back")
    assert RESTING not in page
    assert asked(app, match_id) == ["ann"]
    if waits_for_bob:
        assert "bot" in makers(app, match_id)[made:]


def test_who_plays_against_bots_alone_finds_the_table_as_they_left_it(
    app: Flask, sign_up: Callable[..., int]
) -> None:
    match_id, ann = table(app, sign_up, 3)
    do(ann, match_id, "fill", bot="casual")
    made = len(makers(app, match_id))
    do(ann, match_id, "away")
    assert len(makers(app, match_id)) == made
    assert "Your turn" not in ann.get("/tables").text
    make_any_move(ann, match_id, Random(1))  # Whoever moves is back.
    assert len(makers(app, match_id)) > made
    assert asked(app, match_id) == ["ann"]


def test_who_has_missed_three_turns_against_bots_is_waited_for(
    app: Flask, sign_up: Callable[..., int]
) -> None:
    match_id, ann = table(app, sign_up, 3)
    do(ann, match_id, "fill", bot="casual")
    for _ in range(3):
        run_out(app, match_id, "ann")
    assert asked(app, match_id) == ["ann"]
    assert {seat.deadline_at for seat in seats(app, match_id).values()} == {None}
    assert RESTING in ann.get(f"/table/{match_id}").text
    change_seat(app, match_id, "ann", waiting_since=now() - timedelta(days=90))
    do(ann, match_id, "back")
    deadline = seats(app, match_id)["ann"].deadline_at
    assert deadline is not None and deadline > now()
    assert RESTING not in ann.get(f"/table/{match_id}").text


def test_while_it_rests_nobody_loses_time(app: Flask, two: Two) -> None:
    match_id, players = two
    name = asked(app, match_id)[0]
    mover = players[NAMES.index(name)]
    bank = seats(app, match_id)[name].bank
    do(next(player for player in players if player is not mover), match_id, "away")
    change_seat(app, match_id, name, bot="casual")  # Both at once: nothing was played yet.
    change_seat(app, match_id, name, waiting_since=now() - timedelta(days=90), deadline_at=None)
    make_any_move(mover, match_id, Random(1))
    assert seats(app, match_id)[name].bank == bank


def test_a_bot_that_thinks_waits_too_and_goes_on(
    app: Flask, two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES["stockpile"].BOTS, "ponder", thinker())
    match_id, players = two
    (mover,) = on_turn(app, match_id, players)
    (other,) = [player for player in players if player is not mover]
    do(mover, match_id, "away", bot="ponder")
    do(other, match_id, "away", bot="ponder")
    bots_are_due(app)
    made = len(makers(app, match_id))
    assert not let_a_bot_think(app)
    do(other, match_id, "back")
    bots_are_due(app)
    assert let_a_bot_think(app)
    assert len(makers(app, match_id)) > made


def test_a_move_that_a_bot_has_thought_of_does_not_count_once_the_table_rests(
    app: Flask, two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, players = two
    (mover,) = on_turn(app, match_id, players)
    (other,) = [player for player in players if player is not mover]

    def leave_meanwhile(view, moves, rng):
        do(other, match_id, "away")
        return moves[0]

    monkeypatch.setitem(GAMES["stockpile"].BOTS, "ponder", thinker(leave_meanwhile))
    do(mover, match_id, "away", bot="ponder")
    made = len(makers(app, match_id))
    bots_are_due(app)
    assert let_a_bot_think(app)
    assert len(makers(app, match_id)) == made


def test_when_the_last_person_deletes_their_account_the_match_ends(app: Flask, two: Two) -> None:
    match_id, (ann, bob) = two
    let_anybody_leave(app)
    ann.post("/account/delete", data={"password": "correct horse"})
    assert status(app, match_id) == "playing"
    with app.app_context():  # Whoever stays hosts.
        assert db.session.get_one(Match, match_id).host.name == "bob"
    bob.post("/account/delete", data={"password": "correct horse"})
    assert status(app, match_id) == "closed"


def test_when_the_last_who_is_here_deletes_their_account_it_rests_for_those_who_are_away(
    app: Flask, two: Two
) -> None:
    match_id, (ann, bob) = two
    do(bob, match_id, "away")
    let_anybody_leave(app)
    ann.post("/account/delete", data={"password": "correct horse"})
    assert status(app, match_id) == "playing"
    assert RESTING in bob.get(f"/table/{match_id}").text
    do(bob, match_id, "back")
    assert asked(app, match_id) == ["bob"]
