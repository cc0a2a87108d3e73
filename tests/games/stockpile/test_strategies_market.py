"""Strategies that move the market, let it pay, or bend a forecast."""

from typing import Any

import pytest

from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.moves import Collect, Done, PlayStrategy, Sell
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, cash, held, on_turn, play, table, told


def acting(strategies: str, **things: Any) -> State:
    """Return a table with the first seat on its Action turn."""
    modules = f"strategies {things.pop('modules', '')}"
    state = table(modules=modules, strategies={0: strategies}, **things)
    begin(state, "action")
    return state


def ways(state: State, card: str, seat: int = 0) -> list[tuple[object, ...]]:
    """Return the picks with which a card may be played now."""
    return [
        move.picks
        for move in stockpile.legal(state, seat)
        if isinstance(move, PlayStrategy) and move.card == card
    ]


def test_special_dividend_pays_all_who_hold_the_company_a_thousand_a_share() -> None:
    state = acting("special_dividend", shares={0: "EE", 1: "EE EE"}, split={2: "EE"})
    play(state, 0, PlayStrategy("special_dividend", ("EE",)))
    assert on_turn(state) == [0, 1, 2]
    play(state, 0, Collect(1, 0))
    play(state, 1, Collect(2, 0))
    play(state, 2, Collect(0, 1))
    assert cash(state) == [21, 22, 22]
    assert state.price("EE") == 5


def test_dividend_growth_pays_all_two_thousand_a_share_of_a_company_worth_six() -> None:
    state = acting("dividend_growth", shares={0: "EE", 1: "EE"}, prices={"EE": 6, "AA": 9})
    assert ways(state, "dividend_growth") == [("AA",), ("EE",)]
    play(state, 0, PlayStrategy("dividend_growth", ("EE",)))
    play(state, 0, Collect(1, 0))
    play(state, 1, Collect(1, 0))
    assert cash(state) == [20 - 2 + 2, 22, 20]


def test_bear_raid_lets_a_company_fall_by_three() -> None:
    state = acting("bear_raid", prices={"EE": 8, "AA": 2}, shares={1: "AA"})
    play(state, 0, PlayStrategy("bear_raid", ("EE",)))
    assert state.price("EE") == 5
    state = acting("bear_raid", prices={"AA": 3}, shares={1: "AA"})
    play(state, 0, PlayStrategy("bear_raid", ("AA",)))
    assert held(state.players[1].shares) == {}


def test_pump_and_dump_raises_a_company_and_lets_its_shares_be_sold_at_once() -> None:
    state = acting("pump_and_dump", shares={0: "EE EE AA"})
    play(state, 0, PlayStrategy("pump_and_dump", ("EE",)))
    assert state.price("EE") == 7
    assert stockpile.legal(state, 0) == [Sell("EE", 1), Sell("EE", 2), Done()]
    play(state, 0, Sell("EE", 1))
    assert cash(state)[0] == 20 - 2 + 7
    play(state, 0, Done())
    assert state.phase == "selling"


def test_pump_and_dump_may_split_the_company_before_the_sale() -> None:
    state = acting("pump_and_dump", shares={0: "EE"}, prices={"EE": 9})
    play(state, 0, PlayStrategy("pump_and_dump", ("EE",)))
    assert held(state.players[0].split) == {"EE": 1}
    assert state.price("EE") == 6


def test_whether_the_sale_goes_on_tells_nobody_which_cards_are_left() -> None:
    """A player with a face-down card of any kind is asked."""
    for shares in ("EE", "AA"):
        state = acting("pump_and_dump", shares={0: shares})
        play(state, 0, PlayStrategy("pump_and_dump", ("EE",)))
        assert stockpile.view(state, 1).on_turn == [0]


def test_market_maker_costs_an_unused_action_card_and_moves_two_companies_by_two() -> None:
    state = acting("market_maker", actions={0: "boom"}, shares={0: "CC"})
    events = play(state, 0, PlayStrategy("market_maker", ("boom", "AA", -2, "EE", 2)))
    assert (state.price("AA"), state.price("EE")) == (3, 7)
    assert state.discard == ["boom"]
    assert told(events, "action_wasted") == [{"seat": 0, "card": "boom"}]
    assert told(events, "action_used") == []
    assert state.phase == "selling"


def test_market_maker_needs_an_action_card_and_two_different_companies() -> None:
    assert ways(acting("market_maker"), "market_maker") == []
    picks = ways(acting("market_maker", actions={0: "bust"}), "market_maker")
    assert len(picks) == 15 * 4
    assert all(pick[1] != pick[3] for pick in picks)


def test_systemic_shock_moves_three_different_companies_by_one() -> None:
    state = acting("systemic_shock", modules="commodities", goods={0: "gold tax"})
    picks = ways(state, "systemic_shock")
    assert len(picks) == 20 * 8
    assert ("gold", "AA", 1, "SS", -1, "EE", 1) in picks
    events = play(state, 0, PlayStrategy("systemic_shock", ("gold", "AA", 1, "SS", -1, "EE", 1)))
    assert told(events, "commodity_spent") == [{"seat": 0, "card": "gold"}]
    assert [state.price(company) for company in ("AA", "SS", "EE")] == [6, 4, 6]
    assert state.players[0].goods == ["tax"]


def test_a_tax_card_is_no_cost_for_systemic_shock() -> None:
    state = acting("systemic_shock", modules="commodities", goods={0: "tax"}, actions={0: "boom"})
    assert ways(state, "systemic_shock") == []


def test_without_commodities_systemic_shock_costs_an_action_card() -> None:
    state = acting("systemic_shock", actions={0: "bust"}, shares={0: "CC"})
    play(state, 0, PlayStrategy("systemic_shock", ("bust", "AA", 1, "SS", 1, "EE", -1)))
    assert state.discard == ["bust"]
    assert state.price("EE") == 4


def test_the_tickers_of_systemic_shock_move_one_after_the_other() -> None:
    """Steel pays on its way up; the companies after it wait until that is paid."""
    state = acting(
        "systemic_shock", board="advanced", spaces={"SS": 0}, actions={0: "boom"}, shares={1: "SS"}
    )
    play(state, 0, PlayStrategy("systemic_shock", ("boom", "AA", 1, "SS", 1, "EE", 1)))
    assert (state.tickers["AA"], state.tickers["SS"], state.tickers["EE"]) == (3, 1, 4)
    play(state, 1, Collect(1, 0))
    assert cash(state)[1] == 21
    assert state.tickers["EE"] == 5


@pytest.mark.parametrize(
    ("forecast", "price"),
    [("+1", 3), ("+2", 4), ("+3", 5), ("+4", 6), ("-1", 7), ("-2", 6), ("-3", 5), ("-4", 4)],
)
def test_falsified_earnings_bend_a_rise_down_and_a_fall_up_by_three(
    forecast: str, price: int
) -> None:
    state = acting("falsified_earnings", pairs={"EE": forecast}, shares={0: "CC"})
    play(state, 0, PlayStrategy("falsified_earnings", (0,)))
    assert cash(state)[0] == 18
    begin(state, "movement")
    assert state.price("EE") == price


def test_the_log_says_why_a_falsified_ticker_moves_otherwise() -> None:
    state = acting("falsified_earnings", pairs={"EE": "+2"}, shares={0: "CC"})
    play(state, 0, PlayStrategy("falsified_earnings", (0,)))
    told = begin(state, "movement")
    assert {"company": "EE", "steps": -1} in [
        event.public for event in told if event.kind == "forecast_changed"
    ]


@pytest.mark.parametrize(("forecast", "each"), [("$", 1), ("$$", 2), ("$$$", 3)])
def test_a_falsified_dividend_is_paid_first_and_then_the_company_falls_by_three(
    forecast: str, each: int
) -> None:
    state = acting("falsified_earnings", pairs={"EE": forecast, "AA": "+1"}, shares={1: "EE"})
    play(state, 0, PlayStrategy("falsified_earnings", (0,)))
    begin(state, "movement")
    assert state.price("EE") == 5
    play(state, 1, Collect(1, 0))
    assert cash(state)[1] == 20 + each
    assert state.price("EE") == 2


def test_a_falsified_dividend_is_paid_even_if_the_fall_is_a_bankruptcy() -> None:
    state = acting("falsified_earnings", pairs={"EE": "$$"}, shares={1: "EE"}, prices={"EE": 2})
    play(state, 0, PlayStrategy("falsified_earnings", (0,)))
    begin(state, "movement")
    play(state, 1, Collect(1, 0))
    assert cash(state)[1] == 22
    assert held(state.players[1].shares) == {}


def test_falsified_earnings_go_on_any_forecast_another_players_included() -> None:
    state = acting("falsified_earnings", pairs={"EE": "+1", "AA": "-2"}, holders={"EE": 1})
    state.pairs[1].up = True
    assert ways(state, "falsified_earnings") == [(0,), (1,)]


def test_a_forecast_is_falsified_once_and_stays_hidden_until_it_moves() -> None:
    state = acting(
        "falsified_earnings falsified_earnings",
        pairs={"EE": "+1", "AA": "-2"},
        holders={"EE": 1},
        investors={0: "ivan"},
    )
    events = play(state, 0, PlayStrategy("falsified_earnings", (0,)))
    assert ways(state, "falsified_earnings") == [(1,)]
    assert told(events, "forecast_falsified") == [
        {"seat": 0, "company": None, "pair": 0, "holder": 1, "nth": 0, "of": 1},
    ]
    for viewer in (0, 2, None):
        seen = stockpile.view(state, viewer).pairs[0]
        assert (seen.falsified, seen.company, seen.forecast) == (True, None, None)


def test_an_honest_forecast_beside_a_falsified_one_is_not_bent() -> None:
    state = acting("falsified_earnings", pairs={"EE": "+1", "AA": "+1"}, shares={0: "CC"})
    play(state, 0, PlayStrategy("falsified_earnings", (0,)))
    begin(state, "movement")
    assert (state.price("EE"), state.price("AA")) == (3, 6)
