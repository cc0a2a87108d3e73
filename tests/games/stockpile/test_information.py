"""The Information Phase: who is dealt which pair, and who may see it."""

import pytest

from stockpile_web.engine import Dealer
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.data import FORECASTS
from tests.games.stockpile.table import begin, table, told


def test_every_company_is_paired_with_its_own_forecast_each_round() -> None:
    for seats in (2, 3, 4, 5):
        state = stockpile.setup(seats, {}, Dealer("pairs"))
        assert sorted(p.company for p in state.pairs) == ["AA", "BB", "CC", "EE", "LL", "SS"]
        assert sorted(p.forecast for p in state.pairs) == ["$$", "+1", "+2", "+4", "-2", "-3"]


@pytest.mark.parametrize(
    ("seats", "each", "face_up", "face_down"),
    [(2, 2, 0, 2), (3, 1, 1, 2), (4, 1, 1, 1), (5, 1, 1, 0)],
)
def test_pairs_go_to_the_players_then_face_up_then_face_down(
    seats: int, each: int, face_up: int, face_down: int
) -> None:
    pairs = stockpile.setup(seats, {}, Dealer("pairs")).pairs
    assert all(sum(pair.holder == seat for pair in pairs) == each for seat in range(seats))
    assert sum(pair.up for pair in pairs) == face_up
    assert sum(pair.holder is None and not pair.up for pair in pairs) == face_down


def test_a_player_sees_their_own_pair_and_the_open_one_alone() -> None:
    state = stockpile.setup(4, {}, Dealer("pairs"))
    for viewer in range(4):
        seen = stockpile.view(state, viewer).pairs
        assert {pair.holder for pair in seen if pair.company and not pair.up} == {viewer}
        assert all((pair.company is None) == (pair.forecast is None) for pair in seen)
        assert sum(pair.company is not None for pair in seen) == 2


def test_with_two_players_each_sees_two_pairs_and_nobody_the_other_two() -> None:
    state = stockpile.setup(2, {}, Dealer("pairs"))
    for viewer in range(2):
        known = [pair for pair in stockpile.view(state, viewer).pairs if pair.company]
        assert [pair.holder for pair in known] == [viewer, viewer]
    assert not any(pair.company for pair in stockpile.view(state, None).pairs)


def test_a_player_who_knows_both_falls_knows_that_all_others_rise_or_pay() -> None:
    assert {forecast for forecast in FORECASTS if forecast not in ("-3", "-2")} == {
        "+4", "+2", "+1", "$$",
    }  # fmt: skip


def test_american_automotive_with_plus_two_rises_by_two() -> None:
    state = table(pairs={"AA": "+2"})
    events = begin(state, "movement")
    assert told(events, "ticker_moved") == [
        {"company": "AA", "steps": 2, "before": 5, "after": 7},
    ]
    assert state.price("AA") == 7
