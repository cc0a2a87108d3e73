"""What may be taken back, by the contract of a game: nobody gains knowledge by it."""

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockpile_web.engine import Dealer, codec
from stockpile_web.games import GAMES
from tests.games.test_games import every_game, sit_in, some
from tests.support.random_play import Sitting
from tests.support.two_worlds import assert_nothing_is_gained_by_taking_back


@every_game
@some(400)
@given(data=st.data())
def test_nobody_learns_anything_by_a_move_that_may_be_taken_back(
    slug: str, data: st.DataObject
) -> None:
    sitting = sit_in(slug, data)
    for seat in sitting.on_turn():
        random = Random(f"{sitting.seed} {seat}")
        assert_nothing_is_gained_by_taking_back(sitting, seat, random, moves=4)


@every_game
def test_much_may_be_taken_back(slug: str) -> None:
    sitting = Sitting(slug, max(GAMES[slug].SEATS), frozenset(), "much")
    may_be = tried = 0
    for _ in sitting.turns():
        for seat in sitting.on_turn():
            tried += 1
            may_be += assert_nothing_is_gained_by_taking_back(sitting, seat, Random(1), moves=1)
    assert may_be > tried / 2


@every_game
@pytest.mark.parametrize("leak", ["told", "seen"])
def test_the_check_of_taking_back_sees_a_leak(slug: str, leak: str) -> None:
    """Let a game tell or show without turning it up what its mover does not know."""
    honest = GAMES[slug]

    def telltale_play(state: Any, seat: int, move: Any, dealer: Dealer) -> None:
        honest.play(state, seat, move, dealer)
        dealer.announce("leak", state=codec.dump(state))

    leaks: dict[str, dict[str, Any]] = {
        "told": {"play": telltale_play},
        "seen": {"view": lambda state, viewer: [honest.view(state, viewer), state]},
    }
    sitting = Sitting(slug, max(honest.SEATS), frozenset(), "leak").play_on(2)
    sitting.game = SimpleNamespace(**{**vars(honest), **leaks[leak]})
    with pytest.raises(AssertionError):
        for world in range(20):
            for seat in sitting.on_turn():
                assert_nothing_is_gained_by_taking_back(sitting, seat, Random(world), moves=4)
