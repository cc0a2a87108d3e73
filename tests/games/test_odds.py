"""The odds, in every game: whatever is on the table there are chances, and they tell no secret."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from tests.games.test_games import sit_down, some
from tests.support.looking import environment
from tests.support.worlds import worlds_of


@pytest.mark.parametrize("slug", GAMES)
@some(12)
@given(data=st.data())
def test_the_odds_are_chances_told_in_words_and_by_what_the_seat_sees(
    slug: str, data: st.DataObject
) -> None:
    sitting = sit_down(slug, data)
    game = sitting.game
    template = environment().get_template(f"games/{slug}/odds.html")
    for turn in sitting.turns(60):
        if sitting.number % 5:
            continue
        odds = game.odds(game.view(sitting.state, turn.seat))
        assert game.odds(game.view(sitting.state, None)) is None
        if odds is None:
            assert game.result(sitting.state) is not None
            continue
        other = worlds_of(slug).another_world(sitting.state, turn.seat, Random(sitting.seed))
        assert codec.dump(game.odds(game.view(other, turn.seat))) == codec.dump(odds)
        for chance in chances_in(msgspec.to_builtins(odds)):
            assert -1e-9 <= chance <= 1 + 1e-9
        words = template.render(odds=odds)
        assert "<caption>" in words and "None" not in words


def chances_in(told: Any, name: str = "") -> Iterator[float]:
    """Yield all numbers that are chances: those that may be broken, but for averages."""
    if isinstance(told, dict):
        for key, value in told.items():
            yield from chances_in(value, key)
    elif isinstance(told, list):
        for value in told:
            yield from chances_in(value, name)
    elif isinstance(told, float) and name != "average":
        yield told
