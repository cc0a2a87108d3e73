"""What may be taken back, by the contract of a game: nobody gains knowledge by it."""

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockpile_web.engine import Dealer, Step, codec
from stockpile_web.games import GAMES
from tests.games.test_games import every_game, sit_in, some
from tests.support.known import known
from tests.support.random_play import Sitting
from tests.support.two_worlds import assert_nothing_is_gained_by_taking_back


@every_game
@some(80)
@given(data=st.data())
def test_nobody_learns_anything_by_a_move_that_may_be_taken_back(
    slug: str, data: st.DataObject
) -> None:
    look_at_all_who_may_take_back(sit_in(slug, data))


@pytest.mark.long
@every_game
@some(800)
@given(data=st.data())
def test_nor_at_many_more_tables(slug: str, data: st.DataObject) -> None:
    look_at_all_who_may_take_back(sit_in(slug, data))


def look_at_all_who_may_take_back(sitting: Sitting) -> None:
    """Check it for a few moves of each seat."""
    for seat in sitting.on_turn():
        random = Random(f"{sitting.seed} {seat}")
        assert_nothing_is_gained_by_taking_back(sitting, seat, random, moves=4)


@every_game
def test_much_may_be_taken_back(slug: str) -> None:
    sitting = Sitting(slug, max(GAMES[slug].SEATS), frozenset(), "much")
    may_be = tried = 0
    for _ in sitting.turns():
        tried += len(sitting.on_turn())
        may_be += may_be_taken_back(sitting)
    assert may_be > tried * known(slug).TAKEN_BACK


def may_be_taken_back(sitting: Sitting) -> int:
    """Return for how many of those on turn some move, chosen by lot, could be taken back."""
    return sum(
        assert_nothing_is_gained_by_taking_back(sitting, seat, Random(1), moves=1)
        for seat in sitting.on_turn()
    )


@every_game
@pytest.mark.parametrize("leak", ["told", "seen"])
def test_the_check_of_taking_back_sees_a_leak(slug: str, leak: str) -> None:
    """Let a game tell or show without turning it up what its mover does not know."""
    honest = GAMES[slug]

    def telltale_play(state: Any, seat: int, move: Any, dealer: Dealer) -> None:
        honest.play(state, seat, move, dealer)
        if not isinstance(move, Step):  # The gate itself hears what a step tells.
            dealer.announce("leak", state=codec.dump(state))

    leaks: dict[str, dict[str, Any]] = {
        "told": {"play": telltale_play},
        "seen": {"view": lambda state, viewer: [honest.view(state, viewer), state]},
    }
    sitting = Sitting(slug, max(honest.SEATS), frozenset(), "leak")
    while not may_be_taken_back(sitting):
        sitting.step()
    sitting.game = SimpleNamespace(**{**vars(honest), **leaks[leak]})
    with pytest.raises(AssertionError):
        for world in range(20):
            for seat in sitting.on_turn():
                assert_nothing_is_gained_by_taking_back(sitting, seat, Random(world), moves=4)
