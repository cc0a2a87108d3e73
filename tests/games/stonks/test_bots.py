"""The bots of $TONKS$: legal moves, from what their seat may see alone, and one of them well."""

from random import Random

import pytest

from stockpile_web.engine import Dealer
from stockpile_web.games import stonks
from tests.support.random_play import Sitting
from tests.support.worlds import worlds_of

SEATS = 4


@pytest.mark.parametrize("bot", stonks.BOTS)
@pytest.mark.parametrize("seats", stonks.SEATS)
def test_a_bot_makes_a_legal_move_wherever_it_is_asked(bot: str, seats: int) -> None:
    sitting = Sitting("stonks", seats, frozenset(), f"bots {seats}")
    for _ in sitting.turns():
        for seat in sitting.on_turn():
            moves = stonks.legal(sitting.state, seat)
            view = stonks.view(sitting.state, seat)
            assert stonks.BOTS[bot].choose(view, moves, Random(1)) in moves


@pytest.mark.parametrize("bot", stonks.BOTS)
def test_a_bot_chooses_the_same_whatever_it_cannot_see(bot: str) -> None:
    choose = stonks.BOTS[bot].choose
    sitting = Sitting("stonks", SEATS, frozenset(), "worlds")
    for _ in sitting.turns(120):
        for seat in sitting.on_turn():
            other = worlds_of("stonks").another_world(sitting.state, seat, Random(2))
            here, there = (
                choose(stonks.view(state, seat), stonks.legal(state, seat), Random(1))
                for state in (sitting.state, other)
            )
            assert here == there


def test_the_steady_bot_wins_four_of_five_games_against_three_who_play_anything() -> None:
    games = 25
    won = sum(_wins(f"game {number}", number % SEATS) for number in range(games))
    assert won >= 0.8 * games


def _wins(seed: str, place: int) -> bool:
    """Tell whether the steady bot, on this seat, wins against players by lot."""
    state, chooser, number = stonks.setup(SEATS, {}, Dealer(seed)), Random(seed), 0
    while (result := stonks.result(state)) is None:
        seat, number = state.on_turn()[0], number + 1
        moves = stonks.legal(state, seat)
        if seat == place:
            move = stonks.BOTS["steady"].choose(stonks.view(state, seat), moves, chooser)
        else:
            move = chooser.choice(moves)
        stonks.play(state, seat, move, Dealer(seed, number))
    return result.places[place] == 1
