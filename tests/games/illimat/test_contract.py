"""What every game must keep, where Illimat has more to lose than others: long games, and steps."""

from copy import deepcopy

import pytest

from stockpile_web.engine import Dealer, Step
from stockpile_web.games import illimat
from tests.games.test_games import play_and_count
from tests.support.option_sets import of_size
from tests.support.random_play import Sitting

every_number = pytest.mark.parametrize("seats", illimat.SEATS)


@pytest.mark.long
@every_number
@pytest.mark.parametrize(
    "options", [frozenset(), *of_size(illimat, 2)], ids=lambda mix: "-".join(sorted(mix))
)
def test_thousands_of_random_games_end(seats: int, options: frozenset[str]) -> None:
    for seed in range(60):
        play_and_count(Sitting("illimat", seats, options, f"long {seed}"))


@every_number
def test_a_step_shows_to_nobody_else(seats: int) -> None:
    sitting, steps = Sitting("illimat", seats, frozenset(), "steps"), 0
    for _ in sitting.turns(60):
        seat, move = sitting.choose()
        if not isinstance(move, Step):
            continue
        steps += 1
        begun = deepcopy(sitting.state)
        illimat.play(begun, seat, move, Dealer("begun"))
        for viewer in [None, *range(seats)]:
            is_alike = illimat.view(begun, viewer) == illimat.view(sitting.state, viewer)
            assert is_alike == (viewer != seat)
    assert steps > 10


def test_there_are_no_standing_orders() -> None:
    assert illimat.ORDERS is None
