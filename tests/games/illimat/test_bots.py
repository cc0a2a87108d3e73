"""The bots of Illimat: legal steps, from what their seat may see alone, and one of them well."""

from random import Random

import pytest

from stockpile_web.engine.simulation import RANDOM, bot_game
from stockpile_web.games import illimat
from tests.games.illimat.table import ILLIMAT
from tests.support.random_play import Sitting
from tests.support.worlds import worlds_of

every_bot = pytest.mark.parametrize("bot", illimat.BOTS)


@every_bot
@pytest.mark.parametrize("seats", illimat.SEATS)
def test_a_bot_makes_a_legal_step_wherever_it_is_asked(bot: str, seats: int) -> None:
    """Also where a person has begun something: random steps come before each question."""
    sitting = Sitting("illimat", seats, {}, f"bots {seats}")
    for _ in sitting.turns(250):
        for seat in sitting.on_turn():
            moves = illimat.legal(sitting.state, seat)
            seen = illimat.view(sitting.state, seat)
            assert illimat.BOTS[bot].choose(seen, moves, Random(1)) in moves


@every_bot
def test_a_bot_chooses_the_same_whatever_it_cannot_see(bot: str) -> None:
    choose = illimat.BOTS[bot].choose
    sitting = Sitting("illimat", 4, frozenset(), "worlds")
    for _ in sitting.turns(150):
        for seat in sitting.on_turn():
            other = worlds_of("illimat").another_world(sitting.state, seat, Random(2))
            here, there = (
                choose(illimat.view(state, seat), illimat.legal(state, seat), Random(1))
                for state in (sitting.state, other)
            )
            assert here == there


@every_bot
@pytest.mark.parametrize("seats", illimat.SEATS)
def test_bots_play_whole_games_among_themselves(bot: str, seats: int) -> None:
    for options in (dict[str, int](), {"beginner": 1, "stars_four": 1}):
        assert bot_game(ILLIMAT, [bot] * seats, options, "among").moves > 40


some_games = pytest.mark.parametrize("games", [8, pytest.param(24, marks=pytest.mark.long)])


@some_games
@pytest.mark.parametrize(("others", "share"), [(1, 0.75), (3, 0.6)])
def test_the_steady_bot_wins_most_games_against_players_by_lot(
    others: int, share: float, games: int
) -> None:
    bots = ["steady", *[RANDOM] * others]
    records = [bot_game(ILLIMAT, bots, {}, f"lot {n}", n % len(bots)) for n in range(games)]
    assert sum(record.shares[0] for record in records) >= share * games


@some_games
def test_the_steady_bot_wins_most_games_against_the_casual_one(games: int) -> None:
    records = [
        bot_game(ILLIMAT, ["steady", "casual"], {}, f"casual {n}", n % 2) for n in range(games)
    ]
    assert sum(record.shares[0] for record in records) >= 0.85 * games
