"""The checks of every game see through turns that are built in steps: tried on the toy."""

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from stockpile_web.engine import Game, Seat
from stockpile_web.games import GAMES
from tests.support import toy
from tests.support.random_play import Sitting
from tests.support.toy.site import SLUG, TOY
from tests.support.toy.state import State
from tests.support.two_worlds import assert_nothing_is_gained_by_taking_back, look_at_many_worlds


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, SLUG, TOY)


def check(game: Game) -> int:
    """Look at some games from all sides; return how many turns may be taken back."""
    may_be = 0
    for seed in range(10):
        sitting = Sitting(SLUG, 3, frozenset(), f"{seed}")
        sitting.game = game
        for _ in sitting.turns():
            for viewer in (None, 0, 1, 2):
                look_at_many_worlds(sitting, viewer, worlds=3)
            for seat in sitting.on_turn():
                may_be += assert_nothing_is_gained_by_taking_back(sitting, seat, Random(1), 3)
    return may_be


def test_an_honest_game_passes() -> None:
    assert check(TOY)


def test_a_view_that_shows_more_after_a_step_is_caught() -> None:
    def view(state: State, viewer: Seat | None) -> Any:
        return [toy.view(state, viewer), state.hands if state.picked else ()]

    with pytest.raises(AssertionError):
        check(_changed(view=view))


def test_moves_that_depend_on_what_others_hold_are_caught_after_a_step() -> None:
    def legal(state: State, seat: Seat) -> Any:
        moves = toy.legal(state, seat)
        return moves[:1] if state.picked and state.hands[seat - 1][:1] == [1] else moves

    with pytest.raises(AssertionError):
        check(_changed(legal=legal))


def _changed(**what: Any) -> Any:
    return SimpleNamespace(**{**vars(toy), **what})
