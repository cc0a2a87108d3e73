"""Taking back: until when it may be done, what stays in the record, and which forms are stale."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from stockpile_web.engine import Dealer, Event, codec, take_turn
from stockpile_web.engine.steps import choose_turn
from stockpile_web.games import GAMES
from stockpile_web.match.glance import glance
from stockpile_web.match.options import options_of
from stockpile_web.match.past import open_past
from stockpile_web.match.rows import read_past
from stockpile_web.match.table_view import open_table
from stockpile_web.match.turn import changing
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Move
from stockpile_web.storage.transactions import reading
from tests.games.stockpile.ordering import in_order
from tests.games.stockpile.taking_back import (
    DONE,
    Match3,
    bid,
    on_record,
    sell,
    take_one_back,
)
from tests.support import option_sets
from tests.support.people import fix_the_deal, seated

TOO_LATE = "too late to take that back"
# What somebody learns by these they did not know before, in any of the games.
NEWS = {
    "dice_rolled", "drew", "field_filled", "goods_drawn", "hand_dealt", "pair_dealt",
    "pair_revealed", "pair_seen", "pile_seen", "pile_won", "card_revealed", "market_opened",
    "portfolios_shown", "round_scored",
}  # fmt: skip


@pytest.fixture
def demand(app: Flask, sign_up: Callable[..., int], monkeypatch: pytest.MonkeyPatch) -> Match3:
    """A match of three in which the first of them is to bid."""
    fix_the_deal(monkeypatch)
    match = Match3(app, *seated(app, sign_up, 3))
    match.play_to("demand")
    return match


@pytest.fixture
def selling(demand: Match3) -> Match3:
    """The same match, when the first of them is to sell and has cards of two companies."""
    demand.play_to("selling")
    assert len(demand.companies(in_order(demand)[0])) > 1
    return demand


def test_a_bid_that_is_taken_back_was_never_made_but_stays_in_the_record(demand: Match3) -> None:
    ann, bob, _ = in_order(demand)
    before = demand.match()
    demand.send(ann, bid(1, 2))
    assert demand.waiting() == [bob]
    assert demand.match().state != before.state
    assert demand.back(ann).status_code == 303
    after = demand.match()
    assert (after.state, after.version) == (before.state, before.version + 2)
    assert demand.waiting() == [ann]
    *_, made, taken_back = demand.moves()
    assert codec.load(dict[str, Any], made.move) == bid(1, 2)
    noted = {"move": "TakeBack", "first": made.number, "last": made.number}
    assert codec.load(dict[str, Any], taken_back.move) == noted
    told = {"seat": demand.seat(ann).number, "first": made.number, "last": made.number}
    assert codec.load(list[Event], taken_back.events) == [Event("taken_back", told)]
    demand.send(ann, bid(0, 1))
    assert demand.waiting() == [bob]


def test_one_form_is_taken_back_after_the_other_as_far_as_they_are_all_mine(
    selling: Match3,
) -> None:
    ann, bob, _ = in_order(selling)
    one, two = selling.companies(ann)[:2]
    states = []
    for move in (sell(one), sell(two), DONE):
        states.append(selling.match().state)
        assert selling.send(ann, move).status_code == 303
    assert selling.waiting() == [bob]
    while states:
        assert selling.back(ann).status_code == 303
        assert selling.match().state == states.pop()
    assert selling.match().undo == ""
    assert selling.back(ann).status_code == 422


def test_the_moves_of_one_form_are_taken_back_together(selling: Match3) -> None:
    ann, *_ = in_order(selling)
    sales = {f"before.{one}": codec.dump(sell(one)) for one in selling.companies(ann)[:2]}
    before = selling.match()
    selling.send(ann, DONE, **sales)
    assert selling.match().version == before.version + 3
    selling.back(ann)
    after = selling.match()
    assert (after.state, after.version) == (before.state, before.version + 4)
    assert after.undo == ""


def test_it_is_too_late_when_somebody_else_has_acted(demand: Match3) -> None:
    ann, bob, _ = in_order(demand)
    demand.send(ann, bid(1, 2))
    demand.send(bob, bid(0, 0))
    before = demand.match()
    answer = demand.back(ann)
    assert answer.status_code == 422
    assert TOO_LATE in answer.text
    assert demand.match().version == before.version


def test_it_is_too_late_when_the_order_of_somebody_else_has_acted(demand: Match3) -> None:
    ann, bob, carol = in_order(demand)
    demand.leave(bob, then="cheapest", round="1")
    demand.send(ann, bid(1, 2))
    assert demand.waiting() == [carol]
    assert demand.back(ann).status_code == 422


def test_what_my_own_order_has_done_since_stands(selling: Match3) -> None:
    ann, bob, _ = in_order(selling)
    selling.send(ann, sell(selling.companies(ann)[0]))
    selling.leave(ann, rest="round", round="1")
    assert selling.waiting() == [bob]
    assert selling.back(ann).status_code == 422


def test_it_is_too_late_when_a_bot_has_answered_at_once(demand: Match3) -> None:
    ann, bob, carol = in_order(demand)
    bob.post(f"{demand.address}/seating", data={"do": "away"})
    demand.send(ann, bid(1, 2))
    assert demand.waiting() == [carol]
    assert demand.back(ann).status_code == 422


def test_it_is_too_late_when_the_piles_are_opened(demand: Match3) -> None:
    for pile, player in enumerate(in_order(demand)):
        demand.send(player, bid(pile, 0))
    assert demand.phase() != "demand"
    assert demand.match().undo == ""
    assert TOO_LATE in demand.back(player).text


def test_it_is_too_late_when_the_table_is_closed(demand: Match3) -> None:
    ann, *_ = in_order(demand)
    demand.send(ann, bid(1, 2))
    for player, word in zip(
        demand.players, ("close", "closing close", "closing close"), strict=True
    ):
        player.post(f"{demand.address}/seating", data={"do": word})
    assert demand.match().status == "closed"
    assert demand.back(ann).status_code == 422


def test_nobody_takes_back_what_another_has_done(demand: Match3, client: FlaskClient) -> None:
    ann, bob, _ = in_order(demand)
    demand.send(ann, bid(1, 2))
    before = demand.match().version
    assert demand.back(bob).status_code == 422
    stranger = client.post(f"{demand.address}/take-back", data={"moves_made": "0"})
    assert "/sign-in" in stranger.location
    assert demand.match().version == before


def test_in_the_log_it_stays_but_since_my_last_turn_it_has_not_happened(demand: Match3) -> None:
    ann, bob, _ = in_order(demand)
    with demand.app.app_context():
        user_ids = [demand.seat(player).user_id for player in (ann, bob)]

        def look() -> list[tuple[Any, list[Any]]]:
            seen = [glance(reading(), demand.id, user_id) for user_id in user_ids]
            tables = [open_table(reading(), each) for each in seen if each is not None]
            reading().rollback()
            return [
                (table.since, [f for move in table.log for f in move.facts]) for table in tables
            ]

        before = look()
        demand.send(ann, bid(1, 2))
        demand.back(ann)
        after = look()
    for (since, log), (since_then, log_then) in zip(before, after, strict=True):
        assert since_then == since
        newest = [facts["kind"] for facts in log_then[-2:]]
        assert newest == ["bid_placed", "taken_back"]
        assert log_then[-3] == log[-1]


def test_the_pages_of_what_was_taken_back_stay_readable(demand: Match3) -> None:
    ann, bob, _ = in_order(demand)
    demand.send(ann, bid(1, 2))
    demand.back(ann)
    with demand.app.app_context():
        seen = glance(reading(), demand.id, demand.seat(bob).user_id)
        assert seen is not None
        last = seen.match.version - 1
        turns = open_past(reading(), seen, last - 2, last)
    before, made, back = (turn.view.piles[1].bid for turn in turns)
    assert (before, back) == (None, None)
    assert (made.seat, made.space) == (demand.seat(ann).number, 2)


# Forms.


def test_the_button_pressed_twice_takes_back_once(selling: Match3) -> None:
    ann, *_ = in_order(selling)
    one, two = selling.companies(ann)[:2]
    selling.send(ann, sell(one))
    before = selling.match()
    selling.send(ann, sell(two))
    page = selling.made(ann)
    assert [selling.back(ann, page).status_code for _ in range(2)] == [303, 303]
    after = selling.match()
    assert (after.state, after.version) == (before.state, before.version + 2)


def test_forms_from_before_it_was_taken_back_are_stale(demand: Match3) -> None:
    """Whoever answers a bid that was taken back has seen another table."""
    ann, bob, _ = in_order(demand)
    first, sent = demand.made(ann), bid(1, 2)
    demand.send(ann, sent)
    mine, theirs = demand.made(ann), demand.made(bob)
    demand.back(ann)
    before = demand.match().version
    assert demand.send(bob, bid(1, 5), moves_made=theirs).status_code == 409
    assert demand.send(ann, bid(1, 5), moves_made=mine).status_code == 409
    assert demand.send(ann, bid(1, 5), moves_made=first).status_code == 409
    again = demand.send(ann, sent, moves_made=first)  # Sent twice, carried out once.
    assert again.status_code == 303
    assert demand.match().version == before
    demand.send(ann, bid(0, 0))
    assert demand.send(bob, bid(1, 5), moves_made=theirs).status_code == 409
    assert demand.send(bob, bid(1, 5)).status_code == 303


def test_of_an_answer_and_a_taking_back_at_once_one_comes_first(demand: Match3) -> None:
    ann, bob, _ = in_order(demand)
    outcomes = {(303, 409): "taken back", (422, 303): "answered"}
    for space in range(5):
        demand.send(ann, bid(1, space))
        version, mine, theirs = demand.match().version, demand.made(ann), demand.made(bob)
        with ThreadPoolExecutor(2) as pool:
            back = pool.submit(demand.back, ann, mine)
            answer = pool.submit(demand.send, bob, bid(0, 0), moves_made=theirs)
            done = back.result().status_code, answer.result().status_code
        assert demand.match().version == version + 1
        if outcomes[done] == "answered":
            break


def test_two_presses_at_once_take_back_once(demand: Match3) -> None:
    ann, *_ = in_order(demand)
    before = demand.match()
    demand.send(ann, bid(1, 2))
    page = demand.made(ann)
    with ThreadPoolExecutor(3) as pool:
        presses = list(pool.map(lambda _: demand.back(demand.twin(ann), page), range(3)))
    assert [press.status_code for press in presses] == [303] * 3
    after = demand.match()
    assert (after.state, after.version) == (before.state, before.version + 2)


# Whole games.


def play_one(match_id: int, chooser: Random) -> bool:
    """Make a random move of somebody who is asked; tell whether there was one to make."""
    with changing(match_id) as turn:
        asked = [seat.number for seat in turn.seats if turn.legal(seat.number)]
        if asked:
            seat = chooser.choice(asked)
            apart = codec.load(turn.game.State, codec.dump(turn.state))
            *steps, move = choose_turn(
                turn.game, apart, seat, turn.legal(seat), lambda _, moves: chooser.choice(moves)
            )
            turn.play(seat, move, steps=steps)
    return bool(asked)


@pytest.mark.long_on_postgres
@pytest.mark.parametrize("slug", GAMES)
def test_nothing_is_taken_back_after_a_look_a_deal_or_chance(
    app: Flask, sign_up: Callable[..., int], slug: str
) -> None:
    options = option_sets.large(GAMES[slug])[0] - {"investor_bidding"}
    match_id, _ = seated(app, sign_up, 3, game=slug, options=options)
    chooser, may_be, may_not_be = Random(4), 0, 0
    with app.app_context():
        while play_one(match_id, chooser):
            match = db.session.get_one(Match, match_id)
            move = db.session.get_one(Move, (match_id, match.version - 1))
            is_news = any(event.kind in NEWS for event in codec.load(list[Event], move.events))
            assert not (is_news and match.undo), move.move
            may_be, may_not_be = may_be + bool(match.undo), may_not_be + is_news
            db.session.rollback()
    assert may_be > 10
    assert may_not_be > 5


@pytest.mark.long_on_postgres
@pytest.mark.parametrize("slug", GAMES)
def test_a_game_in_which_much_is_taken_back_can_be_played_again_from_its_record(
    app: Flask, sign_up: Callable[..., int], slug: str
) -> None:
    match_id, _ = seated(app, sign_up, 3, game=slug)
    chooser, taken_back = Random(6), 0
    with app.app_context():
        while play_one(match_id, chooser):
            while db.session.get_one(Match, match_id).undo and chooser.random() < 0.4:
                db.session.rollback()
                take_one_back(match_id)
                taken_back += 1
            db.session.rollback()
        assert taken_back > 10
        match = db.session.get_one(Match, match_id)
        assert match.status == "over"
        rows = db.session.scalars(select(Move).filter_by(match_id=match_id).order_by(Move.number))
        states = played_again(match, list(rows))
        assert states[-1] == match.state
        past = read_past(reading(), match_id, 0, match.version)
        assert list(past.values()) == [(state, GAMES[slug].VERSION) for state in states]


def played_again(match: Match, rows: list[Move]) -> list[str]:
    """Return the states that follow from the seed and the moves on record, chance and all."""
    game = GAMES[match.game]
    first = game.setup(match.size, options_of(match), Dealer(match.seed, 0))
    states = [codec.dump(first)]
    for row in rows[1:]:
        (*_, move) = turn = on_record(row)
        if move["move"] == "TakeBack":
            states.append(states[move["first"] - 1])
            continue
        assert row.seat is not None
        state, dealer = codec.load(game.State, states[-1]), Dealer(match.seed, row.number)
        for each in turn:
            take_turn(game, state, row.seat, codec.load(game.Move, codec.dump(each)), dealer)
        states.append(codec.dump(state))
    return states
