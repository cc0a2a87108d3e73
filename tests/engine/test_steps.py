"""Turns that are built in steps: what a step may be, and how whole turns are chosen."""

from types import SimpleNamespace
from typing import Any

import pytest

from stockpile_web.engine import Dealer, Game, IllegalMove, codec, take_turn
from stockpile_web.engine.simulation import bot_game, random_game
from stockpile_web.engine.steps import MOST_STEPS, EndlessTurn, as_recorded, choose_turn, go_on
from tests.support import toy
from tests.support.option_sets import dealt
from tests.support.toy.moves import LAY, PASS, Lay, Pass, Pick
from tests.support.toy.state import State

TOY: Game = toy


def holding(*cards: int) -> State:
    """Return a table of two at which the first is to lay some of `cards`."""
    return State([[*cards], [5, 5]], [[], []])


def test_after_each_step_legal_says_what_is_open_next() -> None:
    state = holding(3, 3, 4, 9)
    assert toy.legal(state, 0) == [Pick(3), Pick(4), PASS]
    take_turn(TOY, state, 0, Pick(3), Dealer("seed"))
    assert toy.legal(state, 0) == [Pick(3), Pick(4)]
    take_turn(TOY, state, 0, Pick(4), Dealer("seed"))
    take_turn(TOY, state, 0, Pick(3), Dealer("seed"))
    assert toy.legal(state, 0) == [LAY]


def test_a_step_that_is_not_open_is_refused() -> None:
    state = holding(3, 7, 9)
    with pytest.raises(IllegalMove, match="With that card ten cannot be reached"):
        take_turn(TOY, state, 0, Pick(9), Dealer("seed"))
    assert state == holding(3, 7, 9)


@pytest.mark.parametrize(
    "telling",
    [
        lambda dealer: dealer.announce("picked"),
        lambda dealer: dealer.whisper(0, "picked"),
        lambda dealer: dealer.let_slip(),
        lambda dealer: dealer.below(6),
    ],
)
def test_a_step_that_tells_or_draws_is_an_error(telling: Any) -> None:
    def play(state: State, seat: int, move: Any, dealer: Dealer) -> None:
        toy.play(state, seat, move, dealer)
        telling(dealer)

    telltale: Any = SimpleNamespace(legal=toy.legal, play=play)
    dealer = Dealer("seed")
    dealer.below(6)  # What was drawn before is no fault of the step.
    with pytest.raises(RuntimeError, match="neither tells nor draws"):
        take_turn(telltale, holding(3, 7), 0, Pick(3), dealer)


def first(_state: State, moves: list[Any]) -> Any:
    return moves[0]


def test_a_turn_is_chosen_step_by_step_up_to_the_move_that_completes_it() -> None:
    state = holding(3, 7)
    turn = choose_turn(TOY, state, 0, toy.legal(state, 0), first)
    assert turn == [Pick(3), Pick(7), LAY]
    assert state.picked == [3, 7]
    assert as_recorded(turn) == turn


def test_a_turn_without_steps_is_one_move() -> None:
    state = holding(9)
    turn = choose_turn(TOY, state, 0, toy.legal(state, 0), first)
    assert turn == [PASS]
    assert as_recorded(turn) == PASS


def test_a_turn_that_is_chosen_apart_leaves_the_state_as_it_is() -> None:
    state = holding(3, 7)
    moves = toy.legal(state, 0)
    assert go_on(TOY, state, 0, moves, Pick(3), first) == [Pick(3), Pick(7), LAY]
    assert state == holding(3, 7)


def endless() -> Any:
    """Return a toy in which one may pick for ever."""
    return SimpleNamespace(
        State=State, legal=lambda state, seat: [Pick(1), PASS], play=toy.play, view=toy.view
    )


def test_a_turn_of_too_many_steps_is_an_error_that_says_so() -> None:
    state = holding(1)
    with pytest.raises(EndlessTurn, match=f"at most {MOST_STEPS} steps"):
        go_on(endless(), state, 0, [Pick(1), PASS], Pick(1), first)


def test_a_turn_may_have_as_many_steps_as_that() -> None:
    left = iter([Pick(1)] * (MOST_STEPS - 1))
    turn = go_on(endless(), holding(1), 0, [Pick(1), PASS], Pick(1), lambda *_: next(left, PASS))
    assert len(turn) == MOST_STEPS + 1


def test_random_games_and_bots_make_whole_turns() -> None:
    turns: list[Any] = []

    def witness(state: State, seat: int, move: Any, events: Any) -> None:
        assert state.picked == []
        turns.append(move)

    for seed in range(20):
        state, made = random_game(TOY, 3, dealt(TOY, (), 3), f"{seed}", witness)
        assert toy.result(state) is not None
        assert made
    laid = [turn for turn in turns if isinstance(turn, list)]
    assert laid
    assert all(isinstance(turn[-1], Lay) for turn in laid)
    assert {type(turn) for turn in turns} == {list, Pass, type(None)}
    assert bot_game(TOY, ["quick", "random"], dealt(TOY, (), 2), "bots").moves > 2


def test_the_words_of_the_steps_are_no_secret_to_whoever_took_them() -> None:
    dealer = Dealer("seed")
    dealer.reveal([0], "laid", {"cards": [3, 7]}, seat=0)
    assert not dealer.has_news_for(0, [Pick(3), Pick(7), LAY])
    assert dealer.has_news_for(0, [Pick(3), LAY])


def test_steps_survive_json() -> None:
    for move in [*toy.legal(holding(3, 7), 0), LAY]:
        assert codec.load(toy.Move, codec.dump(move)) == move
    assert codec.dump(Pick(3)) == '{"move":"Pick","number":3}'
