"""Taking back and time: clocks, banks and reminders, bots that think, and notices."""

from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from stockpile_web.games import GAMES
from stockpile_web.match import deadlines, table_view, turn
from stockpile_web.storage.database import now
from stockpile_web.worker import bots
from tests.games.stockpile.ordering import in_order
from tests.games.stockpile.taking_back import DONE, Match3, bid, sell
from tests.support.clicking import make_any_move
from tests.support.hourglass import asked, bots_are_due, change_seat, seats, thinker
from tests.support.people import fix_the_deal, seated, set_address, table
from tests.support.postbox import serving, work

AN_HOUR = timedelta(hours=1)


@pytest.fixture(params=["day", "live"])
def demand(
    app: Flask,
    sign_up: Callable[..., int],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> Match3:
    """A match of three in which the first of them is to bid."""
    fix_the_deal(monkeypatch)
    match = Match3(app, *seated(app, sign_up, 3, pace=request.param))
    match.play_to("demand")
    return match


def clocks(match: Match3) -> dict[str, tuple[Any, ...]]:
    """Return all that has to do with time, by who sits there."""
    return {
        name: (
            *(s.on_turn, s.waiting_since, s.deadline_at, s.remind_at, s.acts_at),
            *(s.thinking_seconds, s.turns_timed, s.bank),
        )
        for name, s in seats(match.app, match.id).items()
    }


def let_pass(monkeypatch: pytest.MonkeyPatch, time: timedelta) -> None:
    """Let time have passed for whoever changes a match or looks at it."""
    moment = now() + time
    for module in (turn, table_view):
        monkeypatch.setattr(module, "now", lambda: moment)


def test_clocks_go_on_as_if_it_had_not_happened(
    demand: Match3, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, _ = in_order(demand)
    full = clocks(demand)
    began = now() - (40 * AN_HOUR if demand.match().pace == "day" else timedelta(minutes=7))
    change_seat(demand.app, demand.id, demand.name(ann), waiting_since=began)
    with demand.app.app_context(), turn.changing(demand.id) as changed:
        mine = changed.seat_of(demand.seat(ann).user_id or 0)
        deadlines.start_clock(changed.connection, changed.match, mine, changed.moment)
    before = clocks(demand)
    assert before[demand.name(ann)] != full[demand.name(ann)]
    demand.send(ann, bid(1, 2))
    during = clocks(demand)
    assert during[demand.name(ann)][-1] < before[demand.name(ann)][-1]  # The bank has paid.
    assert during[demand.name(bob)][2] is not None
    let_pass(monkeypatch, timedelta(minutes=3))
    assert demand.back(ann).status_code == 303
    assert clocks(demand) == before


def test_clocks_of_those_who_are_asked_all_along_run_on(
    app: Flask, sign_up: Callable[..., int]
) -> None:
    match = Match3(app, *seated(app, sign_up, 3, game="stonks"))
    assert len(match.waiting()) == 3
    before = clocks(match)
    ann, bob, _ = match.players
    make_any_move(ann, match.id, Random(1))
    change_seat(app, match.id, "bob", remind_at=None)  # He was reminded meanwhile.
    match.back(ann)
    assert clocks(match) == {**before, "bob": (*before["bob"][:3], None, *before["bob"][4:])}


def test_time_for_further_sales_is_not_gained_by_taking_one_back(
    demand: Match3, monkeypatch: pytest.MonkeyPatch
) -> None:
    demand.play_to("selling")
    ann, bob, _ = in_order(demand)
    one, two = demand.companies(ann)[:2]
    before = clocks(demand)
    for move in (sell(one), sell(two), DONE):
        demand.send(ann, move)
    assert demand.waiting() == [bob]
    let_pass(monkeypatch, timedelta(minutes=3))
    for _ in range(3):
        demand.back(ann)
    assert clocks(demand) == before


def test_a_reminder_that_fell_into_the_meantime_is_given_at_once(
    demand: Match3, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, *_ = in_order(demand)
    reminder = seats(demand.app, demand.id)[demand.name(ann)].remind_at
    assert reminder is not None
    demand.send(ann, bid(1, 2))
    let_pass(monkeypatch, reminder - now() + timedelta(seconds=30))
    demand.back(ann)
    assert demand.waiting() == [ann]
    assert seats(demand.app, demand.id)[demand.name(ann)].remind_at == reminder


def test_whose_time_would_be_over_by_now_cannot_take_it_back(
    demand: Match3, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, *_ = in_order(demand)
    demand.send(ann, bid(1, 2))
    assert "Take back" in ann.get(demand.address).text
    before = clocks(demand)
    let_pass(monkeypatch, timedelta(days=9))
    answer = demand.back(ann)
    assert answer.status_code == 422
    assert "your time for that turn is over" in answer.text
    assert "Take back" not in answer.text
    assert clocks(demand) == before


def test_a_vacation_announced_meanwhile_counts(
    app: Flask, sign_up: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    fix_the_deal(monkeypatch)
    match = Match3(app, *seated(app, sign_up, 3))
    match.play_to("demand")
    ann, *_ = in_order(match)
    before = seats(app, match.id)[match.name(ann)].deadline_at
    match.send(ann, bid(1, 2))
    first = now().date() + timedelta(days=2)
    last = first + timedelta(days=5)
    days = {"first_day": first.isoformat(), "last_day": last.isoformat()}
    assert ann.post("/account/vacations", data=days).status_code == 303
    match.back(ann)
    after = seats(app, match.id)[match.name(ann)].deadline_at
    assert before and after and after > before


def test_whoever_had_left_the_seat_to_a_bot_has_a_clock_that_began_when_it_began(
    demand: Match3, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES["stockpile"].BOTS, "ponder", thinker())
    ann, *_ = in_order(demand)
    before = clocks(demand)
    ann.post(f"{demand.address}/seating", data={"do": "away", "bot": "ponder"})
    assert seats(demand.app, demand.id)[demand.name(ann)].deadline_at is None
    demand.send(ann, bid(1, 2))
    demand.back(ann)
    after = clocks(demand)
    assert seats(demand.app, demand.id)[demand.name(ann)].bot is None
    assert after[demand.name(ann)][:3] == before[demand.name(ann)][:3]


def test_a_bot_that_was_about_to_move_does_not(
    app: Flask, sign_up: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES["stonks"].BOTS, "ponder", thinker())
    match, ann = beside_a_bot(app, sign_up)
    match_id = match.id
    before = match.match()
    assert any(seat.acts_at for seat in seats(app, match_id).values())
    match.back(ann)
    assert asked(app, match_id) == ["ann"]
    assert not any(seat.acts_at for seat in seats(app, match_id).values())
    bots_are_due(app)
    assert not bots.let_a_bot_think(app)
    assert match.match().version == before.version + 1


def test_a_bot_that_is_thinking_already_thinks_in_vain(
    app: Flask, sign_up: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES["stonks"].BOTS, "ponder", thinker())
    match, ann = beside_a_bot(app, sign_up)

    def too_slowly(_view: Any, moves: list[Any], _rng: Random) -> Any:
        with app.app_context():
            assert match.back(ann).status_code == 303
        return moves[0]

    monkeypatch.setitem(GAMES["stonks"].BOTS, "ponder", thinker(too_slowly))
    before = match.match().version
    bots_are_due(app)
    assert bots.let_a_bot_think(app)
    assert match.match().version == before + 1
    assert asked(app, match.id) == ["ann"]
    assert not any(seat.acts_at for seat in seats(app, match.id).values())


def beside_a_bot(app: Flask, sign_up: Callable[..., int]) -> tuple[Match3, FlaskClient]:
    """Let Ann play beside bots that think, until one of them is to answer what she has played."""
    match_id, ann = table(app, sign_up, 3, game="stonks")
    ann.post(f"/table/{match_id}/seating", data={"do": "fill", "bot": "ponder"})
    match = Match3(app, match_id, [ann])
    while True:
        names = asked(app, match_id)
        if match.match().undo and "ann" not in names and len(names) == 1:
            return match, ann
        if "ann" in names:
            make_any_move(ann, match_id, match.chooser)
        else:
            bots_are_due(app)
            assert bots.let_a_bot_think(app)


def test_notices_not_yet_sent_are_withdrawn_and_the_next_time_there_is_a_new_one(
    demand: Match3,
) -> None:
    ann, bob, _ = in_order(demand)
    before = demand.turn_notices(bob)
    demand.send(ann, bid(1, 2))
    assert demand.turn_notices(bob) == [*before, (None, True)]
    demand.back(ann)
    assert demand.turn_notices(bob) == [*before, ("passed", False)]
    demand.send(ann, bid(0, 1))
    assert demand.turn_notices(bob) == [*before, ("passed", False), (None, True)]


def test_what_was_withdrawn_is_never_sent_and_what_was_sent_stays(
    demand: Match3, make_app: Callable[..., Flask]
) -> None:
    ann, bob, _ = in_order(demand)
    set_address(demand.app, demand.name(bob), address := f"{demand.name(bob)}@example.org")
    with serving() as box:
        app = make_app(**box.settings())
        work(app)
        box.mails.clear()
        demand.send(ann, bid(1, 2))
        demand.back(ann)
        work(app)
        assert not box.mails
        demand.send(ann, bid(1, 3))
        work(app)
        assert [mail["to"] for mail in box.mails] == [address]
        assert demand.turn_notices(bob)[-1] == ("sent", True)
        demand.back(ann)
        assert demand.turn_notices(bob)[-1] == ("sent", True)
        work(app)
        demand.send(ann, bid(0, 0))
        work(app)
    assert len(box.mails) == 2
