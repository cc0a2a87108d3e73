"""Turns built in steps, in a match: whole or not at all, and one move on record, whosever it is."""

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from stockpile_web.engine import Bot, Followed, Orders, codec
from stockpile_web.engine.steps import MOST_STEPS
from stockpile_web.match.turn import changing
from stockpile_web.worker import bots
from tests.support import toy
from tests.support.hourglass import bots_are_due, run_out
from tests.support.people import seated, table
from tests.support.toy.moves import LAY, PASS, Pick
from tests.support.toy.orders import Book
from tests.support.toy.state import State
from tests.support.toy.table import HANDS, TURN, Tens, deal

AS_RECORDED = '[{"move":"Pick","number":3},{"move":"Pick","number":7},{"move":"Lay"}]'


@pytest.fixture
def tens(app: Flask, sign_up: Callable[..., int], monkeypatch: pytest.MonkeyPatch) -> Tens:
    """A match of three people; Ann is to lay a ten."""
    return Tens(app, *seated(app, sign_up, 3, **deal(monkeypatch, app)))


def beside(tens: Tens) -> Any:
    """Return the first player."""
    return tens.players[0]


def test_steps_and_their_move_are_one_move_on_record(tens: Tens) -> None:
    before = tens.match()
    assert tens.send(beside(tens), *TURN).status_code == 303
    assert tens.state().laid[0] == [3, 7]
    assert tens.state().picked == []
    _, made = tens.moves()
    assert (made.move, made.seat, made.turn) == (AS_RECORDED, 0, 0)
    assert tens.match().version == before.version + 1
    assert tens.seat(0).moves_made == 1
    assert [tens.seat(number).on_turn for number in range(3)] == [False, True, False]


def test_a_move_without_steps_is_recorded_as_it_always_was(tens: Tens) -> None:
    tens.send(beside(tens), PASS)
    assert tens.moves()[-1].move == '{"move":"Pass"}'


@pytest.mark.parametrize(
    "turn",
    [
        (Pick(3),),
        (Pick(3), Pick(7)),
        (Pick(3), LAY),
        (Pick(3), Pick(4), LAY),
        (Pick(3), PASS),
        (Pick(9), LAY),
        (LAY,),
        (PASS, PASS),
        (Pick(3), LAY, Pick(7), LAY),
    ],
)
def test_what_is_no_whole_legal_turn_is_refused_in_words_and_changes_nothing(
    tens: Tens, turn: tuple[Any, ...]
) -> None:
    before = tens.all_of_it()
    answer = tens.send(beside(tens), *turn)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert tens.all_of_it() == before


def test_several_moves_of_one_form_are_all_made_or_none(tens: Tens) -> None:
    """A form may bring whole moves before its last: here one that would end the turn."""
    before = tens.all_of_it()
    more = {"before.first": codec.dump(PASS)}
    assert tens.send(beside(tens), *TURN, **more).status_code == 422
    assert tens.all_of_it() == before
    more = {"before.first": codec.dump(Pick(3))}
    assert tens.send(beside(tens), PASS, **more).status_code == 422
    assert tens.all_of_it() == before


@pytest.mark.parametrize("step", ["", "x", "[]", "null", '{"move":"Fly"}', '{"move":"Lay"}'])
def test_steps_that_are_none_are_refused(tens: Tens, step: str) -> None:
    form = {"moves_made": "0", "step": step, "move": '{"move":"Pass"}'}
    assert beside(tens).post(f"{tens.address}/move", data=form).status_code == 422


def test_too_many_steps_and_too_long_ones_are_refused(tens: Tens) -> None:
    answer = tens.send(beside(tens), *[Pick(3)] * (MOST_STEPS + 1), LAY)
    assert f"at most {MOST_STEPS} steps" in answer.text
    step = '{"move":"Pick","number":3' + " " * 1000 + "}"
    form = {"moves_made": "0", "step": step, "move": '{"move":"Lay"}'}
    assert beside(tens).post(f"{tens.address}/move", data=form).status_code == 422


def test_the_same_form_twice_counts_once_and_another_is_stale(tens: Tens) -> None:
    ann = beside(tens)
    assert tens.send(ann, *TURN).status_code == 303
    before = tens.all_of_it()
    assert tens.send(ann, *TURN).status_code == 303
    assert tens.send(ann, Pick(7), Pick(3), LAY).status_code == 409
    assert tens.send(ann, Pick(4), Pick(6), LAY).status_code == 409
    assert tens.all_of_it() == before


def test_a_whole_turn_is_taken_back_at_once(tens: Tens) -> None:
    ann, before = beside(tens), tens.state()
    tens.send(ann, *TURN)
    assert ann.post(f"{tens.address}/take-back", data={"moves_made": "1"}).status_code == 303
    assert tens.state() == before
    assert tens.send(ann, Pick(4), Pick(6), LAY, moves_made="2").status_code == 303


def test_no_half_built_turn_can_be_recorded(tens: Tens) -> None:
    with tens.app.app_context(), pytest.raises(TypeError), changing(tens.id) as turn:
        turn.play(0, Pick(3))
    assert len(tens.moves()) == 1


def bot_that(choose: Callable[..., Any], thinks: bool = False) -> Bot:
    return Bot("Test", "For this test.", choose, thinks=thinks)


def with_bot(
    app: Flask, sign_up: Callable[..., int], monkeypatch: pytest.MonkeyPatch, bot: Bot
) -> Tens:
    """Let Ann pass, so that a bot on the second seat is to lay."""
    form = deal(monkeypatch, app)
    monkeypatch.setitem(toy.BOTS, "test", bot)
    match_id, ann = table(app, sign_up, 2, **form)
    ann.post(f"/table/{match_id}/seating", data={"do": "fill", "bot": "test"})
    tens = Tens(app, match_id, [ann])
    assert tens.send(ann, PASS).status_code == 303
    return tens


def test_a_bot_is_asked_step_by_step_and_moves_once(
    app: Flask, sign_up: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def choose(view: Any, moves: list[Any], _rng: Any) -> Any:
        seen.append((view.picked, moves))
        return moves[0]

    tens = with_bot(app, sign_up, monkeypatch, bot_that(choose))
    assert seen[:3] == [([], [Pick(5), PASS]), ([5], [Pick(5)]), ([5, 5], [LAY])]
    laid = tens.moves()[2]
    assert laid.made_by == "bot"
    assert codec.load(list, laid.move)[-1] == {"move": "Lay"}
    assert tens.seat(1).moves_made == 2  # It has laid, and then passed.


def _fails(view: Any, moves: list[Any], _rng: Any) -> Any:
    return 1 / 0 if view.picked else moves[0]


def _talks_nonsense(view: Any, moves: list[Any], _rng: Any) -> Any:
    return "nonsense" if view.picked else moves[0]


@pytest.mark.parametrize("thinks", [False, True])
@pytest.mark.parametrize("choose", [_fails, _talks_nonsense])
def test_a_bot_that_fails_in_the_midst_of_a_turn_begins_it_anew(
    app: Flask,
    sign_up: Callable[..., int],
    monkeypatch: pytest.MonkeyPatch,
    choose: Callable[..., Any],
    thinks: bool,
) -> None:
    tens = with_bot(app, sign_up, monkeypatch, bot_that(choose, thinks))
    while thinks and tens.match().status == "playing":
        bots_are_due(app)
        assert bots.let_a_bot_think(app)
    assert tens.state().laid[1] == [5, 5]
    assert tens.match().status == "over"


def test_if_all_bots_fail_any_moves_complete_the_turn(
    app: Flask, sign_up: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    form = deal(monkeypatch, app)
    for key in toy.BOTS:
        monkeypatch.setitem(toy.BOTS, key, bot_that(_fails))
    match_id, ann = table(app, sign_up, 2, **form)
    ann.post(f"/table/{match_id}/seating", data={"do": "fill", "bot": "quick"})
    tens = Tens(app, match_id, [ann])
    tens.send(ann, PASS)
    assert tens.state().picked == []
    assert tens.moves()[-1].move == codec.dump(PASS)


def test_a_bot_that_never_completes_its_turn_is_not_waited_for(
    app: Flask, sign_up: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can complete it but by passing, which is what is done for it."""
    honest = toy.legal

    def legal(state: State, seat: int) -> list[Any]:
        is_theirs = seat == state.turn == 1 and seat not in state.out
        return [Pick(1), PASS] if is_theirs else honest(state, seat)

    monkeypatch.setattr(toy, "legal", legal)
    tens = with_bot(app, sign_up, monkeypatch, bot_that(lambda _view, _moves, _rng: Pick(1)))
    assert tens.moves()[-1].move == codec.dump(PASS)
    assert tens.match().status == "over"


def test_orders_are_followed_step_by_step_and_only_their_owner_is_told(tens: Tens) -> None:
    ann, bob, carol = tens.players
    form = {"moves_made": "0", "tens": "1"}
    assert bob.post(f"{tens.address}/orders", data=form).status_code == 303
    tens.send(ann, *TURN)
    made = tens.moves()[-1]
    assert (made.seat, made.made_by) == (1, "order")
    assert codec.load(list, made.move)[-1] == {"move": "Lay"}
    assert tens.seat(1).orders == ""
    assert "By standing order" in bob.get(tens.address).text
    assert "By standing order" not in carol.get(tens.address).text


@pytest.mark.parametrize("error", [False, True])
def test_orders_that_leave_a_turn_half_built_have_ordered_nothing(
    tens: Tens, monkeypatch: pytest.MonkeyPatch, error: bool
) -> None:
    def follow(book: Book, view: Any, moves: list[Any]) -> Followed | None:
        book.tens -= 1
        if view.picked and error:
            raise ZeroDivisionError
        return Followed(moves[0]) if not view.picked else None

    assert toy.ORDERS is not None
    orders = Orders(Book, toy.ORDERS.read, follow, toy.ORDERS.sheet)
    monkeypatch.setattr(toy, "ORDERS", orders)
    ann, bob, _ = tens.players
    bob.post(f"{tens.address}/orders", data={"moves_made": "0", "tens": "2"})
    tens.send(ann, *TURN)
    assert tens.moves()[-1].seat == 0
    assert tens.seat(1).on_turn
    assert codec.load(Book, tens.seat(1).orders) == Book(2)
    assert tens.state().hands[1] == HANDS[1]


def test_the_clock_makes_whole_turns(tens: Tens) -> None:
    run_out(tens.app, tens.id, "ann")
    assert tens.moves()[1].made_by == "clock"
    assert codec.load(list, tens.moves()[1].move)[-1] == {"move": "Lay"}
