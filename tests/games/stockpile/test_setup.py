"""Stockpile's setup and the shape of a round."""

from collections import Counter

import pytest

from stockpile_web.engine import Dealer
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.data import FORECASTS, MARKET_DECK
from stockpile_web.games.stockpile.phases import PHASES
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, cash, held, on_turn, table
from tests.games.stockpile.worlds import cards
from tests.support.random_play import Sitting


def deal(seats: int, seed: str = "deal") -> State:
    return stockpile.setup(seats, {}, Dealer(seed))


def test_the_market_deck_has_eighty_cards() -> None:
    assert sum(MARKET_DECK.values()) == 80
    assert [MARKET_DECK[company] for company in ("CC", "BB", "LL", "AA", "SS", "EE")] == [10] * 6
    assert [MARKET_DECK[fee] for fee in ("fee1", "fee2", "fee3")] == [4, 4, 4]
    assert [MARKET_DECK[action] for action in ("boom", "bust")] == [4, 4]


@pytest.mark.parametrize(("seats", "money"), [(2, 30), (3, 20), (4, 20), (5, 20)])
def test_everyone_starts_with_twenty_thousand_or_thirty_with_two(seats: int, money: int) -> None:
    assert cash(deal(seats)) == [money] * seats


@pytest.mark.parametrize(("seats", "rounds"), [(2, 6), (3, 7), (4, 6), (5, 5)])
def test_the_number_of_players_sets_the_number_of_rounds(seats: int, rounds: int) -> None:
    sitting = Sitting("stockpile", seats, frozenset(), "rounds").play_on()
    assert sitting.state.round == rounds
    assert stockpile.view(sitting.state, None).rounds == rounds


def test_every_ticker_starts_at_five() -> None:
    assert [ticker.price for ticker in stockpile.view(deal(3), None).market] == [5] * 6


def test_the_base_game_has_one_of_each_forecast() -> None:
    assert sorted(FORECASTS) == sorted(["+4", "+2", "+1", "$$", "-2", "-3"])


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_each_player_is_dealt_one_stock_and_no_two_the_same(seats: int) -> None:
    for seed in range(20):
        state = deal(seats, str(seed))
        dealt = [held(player.shares) for player in state.players]
        assert all(list(shares.values()) == [1] for shares in dealt)
        assert len({company for shares in dealt for company in shares}) == seats
        assert all(held(player.split) == {} for player in state.players)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_stocks_that_were_not_dealt_go_back_into_the_deck(seats: int) -> None:
    assert cards(deal(seats)) == Counter(MARKET_DECK)


def test_the_first_player_is_drawn_by_lot() -> None:
    assert {deal(4, str(seed)).first for seed in range(50)} == {0, 1, 2, 3}


def test_a_round_has_six_phases_in_the_order_of_the_rulebook() -> None:
    phases = ["information", "supply", "demand", "action", "selling", "movement"]
    assert [name for name in PHASES if name in phases] == phases


def test_the_phases_of_a_game_follow_one_another() -> None:
    sitting = Sitting("stockpile", 4, frozenset(), "phases")
    order = {"supply": 0, "demand": 1, "action": 2, "selling": 3, "movement": 4}
    seen = [(1, 0)]
    for _ in sitting.turns():
        if sitting.state.phase in order:
            seen.append((sitting.state.round, order[sitting.state.phase]))
    assert seen == sorted(seen)
    rounds = range(1, sitting.state.table().rounds + 1)
    assert set(seen) >= {(round, order["demand"]) for round in rounds}
    assert {phase for _, phase in seen} == {0, 1, 2, 3, 4}


def test_play_begins_with_the_first_player_and_goes_on_clockwise() -> None:
    state = table(4, first=2, shares={0: "CC", 1: "CC", 2: "CC", 3: "CC"})
    begin(state, "selling")
    assert state.queue == [2, 3, 0, 1]
    assert on_turn(state) == [2]


def test_the_first_player_token_passes_to_the_left_after_each_round() -> None:
    sitting = Sitting("stockpile", 3, frozenset(), "token")
    firsts = {1: sitting.state.first}
    for _ in sitting.turns():
        firsts.setdefault(sitting.state.round, sitting.state.first)
    start = firsts[1]
    assert [firsts[round] for round in range(1, 8)] == [(start + step) % 3 for step in range(7)]


def test_five_players_use_the_deck_to_the_last_card() -> None:
    sitting = Sitting("stockpile", 5, frozenset(), "deck").play_on()
    assert sitting.state.deck == []


@pytest.mark.parametrize(("seats", "left"), [(2, 6), (3, 14), (4, 4)])
def test_cards_left_in_the_deck_are_not_used(seats: int, left: int) -> None:
    sitting = Sitting("stockpile", seats, frozenset(), "deck").play_on()
    assert len(sitting.state.deck) == left
