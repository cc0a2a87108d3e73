"""Investors of the market: Cramer, Chanda, Deborah, Graham, Soros, Talal and Barack."""

from typing import Any

import pytest

from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.moves import (
    Boom,
    BuyDiscarded,
    Collect,
    DeclareDividend,
    Done,
    DoubleUp,
    Move,
    Nudge,
    Sell,
    SellHalf,
    SellSplit,
    Short,
)
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, cash, held, lines, on_turn, play, scores, table, told


def at(phase: str, investors: dict[int, str], seats: int = 3, **things: Any) -> State:
    state = table(seats, investors=investors, **things)
    begin(state, phase)
    return state


@pytest.mark.parametrize(("steps", "price"), [(1, 6), (-1, 4)])
def test_cramer_moves_one_company_by_one(steps: int, price: int) -> None:
    state = at("action", {0: "cramer"})
    assert len(stockpile.legal(state, 0)) == 12 + 1
    play(state, 0, Nudge("EE", steps))
    assert state.price("EE") == price
    assert state.phase != "action"


def test_cramer_may_leave_the_market_alone() -> None:
    state = at("action", {0: "cramer"}, shares={0: "EE"})
    play(state, 0, Done())
    assert state.phase == "selling"


@pytest.mark.parametrize("power_first", [True, False])
def test_a_power_is_used_before_or_after_the_action_cards(power_first: bool) -> None:
    state = at("action", {0: "cramer"}, actions={0: "boom"}, shares={0: "EE"})
    assert Done() not in stockpile.legal(state, 0)  # The card has to be used.
    moves: list[Move] = [Nudge("EE", -1), Boom("AA")]
    for move in moves if power_first else reversed(moves):
        assert on_turn(state) == [0]
        play(state, 0, move)
    assert state.phase == "selling"


def test_cramer_can_split_a_company_or_break_it() -> None:
    state = at("action", {0: "cramer"}, prices={"EE": 10}, shares={1: "EE"})
    play(state, 0, Nudge("EE", 1))
    assert held(state.players[1].split) == {"EE": 1}
    state = at("action", {0: "cramer"}, prices={"EE": 1}, shares={1: "EE"})
    play(state, 0, Nudge("EE", -1))
    assert held(state.players[1].shares) == {}


def test_chanda_discards_a_stock_to_split_another_and_both_are_shown() -> None:
    state = at("action", {0: "chanda"}, shares={0: "EE AA"})
    events = play(state, 0, DoubleUp("AA", False, "EE"))
    assert held(state.players[0].shares) == {}
    assert held(state.players[0].split) == {"EE": 1}
    assert state.discard == ["AA"]
    assert told(events, "share_given_up") == [{"seat": 0, "company": "AA", "half": False}]
    assert told(events, "doubled") == [{"seat": 0, "company": "EE"}]


def test_chanda_may_move_a_split_card_back_to_split_another() -> None:
    state = at("action", {0: "chanda"}, shares={0: "EE"}, split={0: "AA"})
    play(state, 0, DoubleUp("AA", True, "EE"))
    assert held(state.players[0].shares) == {"AA": 1}
    assert held(state.players[0].split) == {"EE": 1}
    assert state.discard == []


def test_chanda_needs_two_cards() -> None:
    state = at("action", {0: "chanda"}, shares={0: "EE EE"})
    assert stockpile.legal(state, 0) == [DoubleUp("EE", False, "EE"), Done()]
    assert at("action", {0: "chanda"}, shares={0: "EE"}).phase == "selling"
    assert at("action", {0: "chanda"}, split={0: "EE EE"}).phase == "selling"


def test_whether_chanda_is_asked_tells_nobody_what_her_cards_are() -> None:
    """A face-down card may be an action card as far as the others know."""
    for actions, shares in [({0: "boom"}, {0: "EE"}), ({}, {0: "EE EE"})]:
        state = at("action", {0: "chanda"}, actions=actions, shares=shares)
        assert stockpile.view(state, 1).on_turn == [0]


def test_deborah_lets_one_company_pay_all_who_hold_it() -> None:
    state = at("end_of_round", {0: "deborah"}, shares={0: "EE", 1: "EE EE"}, split={2: "EE"})
    assert len(stockpile.legal(state, 0)) == 6 + 1
    play(state, 0, DeclareDividend("EE"))
    assert on_turn(state) == [0, 1, 2]
    play(state, 0, Collect(1, 0))
    play(state, 1, Collect(2, 0))
    play(state, 2, Collect(0, 1))
    assert cash(state) == [21, 22, 22]
    assert state.price("EE") == 5
    assert state.round == 2


def test_deborah_may_declare_nothing() -> None:
    state = at("end_of_round", {0: "deborah"}, shares={0: "EE"})
    play(state, 0, Done())
    assert state.round == 2


def test_graham_gets_a_thousand_more_for_every_share_sold_split_ones_twice() -> None:
    state = at("selling", {0: "graham"}, shares={0: "EE EE"}, split={0: "AA CC"})
    play(state, 0, Sell("EE", 2), SellSplit("AA", 1), SellHalf("CC", 1))
    assert cash(state)[0] == 20 + 2 * 6 + 2 * 6 + 6


def test_grahams_power_works_for_all_his_stock_with_two_players() -> None:
    state = at("selling", {0: "graham bill"}, 2, shares={0: "EE AA"})
    play(state, 0, Sell("EE", 1), Sell("AA", 1))
    assert cash(state)[0] == 30 + 12


def test_graham_gets_more_in_the_final_sale_too() -> None:
    state = at("round_end", {0: "graham"}, round=7, shares={0: "EE"}, split={0: "AA"}, cash={0: 0})
    assert scores(state)[0] == 20 + 6 + 12


def test_soros_sells_one_share_for_eight_thousand_once_a_selling_phase() -> None:
    state = at("selling", {0: "soros"}, shares={0: "EE EE"}, split={0: "AA"}, prices={"EE": 1})
    assert Short("EE", half=False) in stockpile.legal(state, 0)
    play(state, 0, Short("EE", half=False))
    assert cash(state)[0] == 28
    assert held(state.players[0].shares) == {"EE": 1}
    assert state.discard == ["EE"]
    assert not any(isinstance(move, Short) for move in stockpile.legal(state, 0))
    play(state, 0, Sell("EE", 1))
    assert cash(state)[0] == 29


def test_soros_may_sell_half_a_split_card_short() -> None:
    state = at("selling", {0: "soros"}, split={0: "AA"})
    play(state, 0, Short("AA", half=True))
    assert held(state.players[0].split) == {}
    assert held(state.players[0].shares) == {"AA": 1}
    assert cash(state)[0] == 28


def test_soros_sells_his_cheapest_share_for_eight_in_the_final_sale() -> None:
    state = at(
        "round_end",
        {0: "soros"},
        round=7,
        shares={0: "EE AA"},
        prices={"EE": 2, "AA": 7},
        cash={0: 0},
    )
    assert scores(state)[0] == 20 + 8 + 7
    assert [(line["company"], line["each"]) for line in lines(state, 0, "final_sale")] == [
        ("AA", 7), ("EE", 8),
    ]  # fmt: skip


def test_soros_sells_one_half_of_a_split_card_short_at_the_end() -> None:
    state = at("round_end", {0: "soros"}, round=7, split={0: "EE"}, prices={"EE": 3}, cash={0: 0})
    assert scores(state)[0] == 10 + 8 + 3


def test_soros_does_not_sell_for_less_than_a_share_is_worth() -> None:
    state = at("round_end", {0: "soros"}, round=7, shares={0: "EE"}, prices={"EE": 9}, cash={0: 0})
    assert scores(state)[0] == 10 + 9


def test_talal_sells_again_when_all_have_sold() -> None:
    state = at("selling", {0: "talal"}, shares={0: "EE EE EE", 1: "EE"})
    play(state, 0, Sell("EE", 1), Done())
    play(state, 1, Sell("EE", 1), Done())
    assert on_turn(state) == [0]
    play(state, 0, Sell("EE", 1), Sell("EE", 1))
    assert cash(state)[0] == 35
    assert stockpile.legal(state, 0) == [Done()]
    play(state, 0, Done())
    assert state.round == 2


def test_talal_may_sell_any_card_again_and_may_sell_none() -> None:
    state = at("after_selling", {0: "talal"}, shares={0: "EE"}, split={0: "AA"})
    assert stockpile.legal(state, 0) == [
        SellSplit("AA", 1), SellHalf("AA", 1), Sell("EE", 1), Done(),
    ]  # fmt: skip
    play(state, 0, Done())
    assert cash(state)[0] == 20


def test_talal_soros_and_graham_together() -> None:
    """With two players: the short sale is once; Graham's thousand is on every share."""
    state = at("selling", {0: "soros graham", 1: "talal bill"}, 2, shares={0: "EE EE", 1: "EE"})
    play(state, 0, Short("EE", half=False))
    assert cash(state)[0] == 30 + 8 + 1
    play(state, 0, Sell("EE", 1))
    assert cash(state)[0] == 39 + 6


def test_soros_who_is_talal_too_may_sell_his_short_share_in_the_second_sale() -> None:
    state = at("selling", {0: "soros talal"}, 2, shares={0: "EE EE EE", 1: "EE"})
    play(state, 0, Done())
    play(state, 1, Done())
    assert (state.phase, on_turn(state)) == ("after_selling", [0])
    play(state, 0, Short("EE", half=False))
    assert cash(state)[0] == 30 + 8
    assert not any(isinstance(move, Short) for move in stockpile.legal(state, 0))
    play(state, 0, Sell("EE", 1))
    assert cash(state)[0] == 38 + 5


def test_whoever_sells_their_last_card_short_says_that_they_are_done() -> None:
    state = at("after_selling", {0: "soros talal"}, 2, shares={0: "EE"})
    play(state, 0, Short("EE", half=False))
    assert stockpile.legal(state, 0) == [Done()]
    play(state, 0, Done())
    assert state.round == 2


def test_soros_who_has_sold_short_does_not_do_so_again_in_the_second_sale() -> None:
    state = at("selling", {0: "soros talal"}, 2, shares={0: "EE EE"})
    play(state, 0, Short("EE", half=False), Done())
    assert state.phase == "after_selling"
    assert not any(isinstance(move, Short) for move in stockpile.legal(state, 0))


def test_soros_alone_has_no_second_sale() -> None:
    state = at("selling", {0: "soros", 1: "talal"}, shares={0: "EE", 1: "EE"})
    play(state, 0, Done())
    play(state, 1, Done())
    assert (state.phase, on_turn(state)) == ("after_selling", [1])
    assert not any(isinstance(move, Short) for move in stockpile.legal(state, 1))


def test_soros_and_graham_get_nine_for_the_cheapest_share_at_the_end() -> None:
    state = at(
        "round_end", {0: "soros graham"}, 2, round=6, shares={0: "EE AA"}, prices={"EE": 2},
        cash={0: 0},
    )  # fmt: skip
    assert scores(state)[0] == 20 + 9 + 6


def test_barack_buys_a_card_of_nine_for_seven_and_shows_it() -> None:
    state = at("after_selling", {0: "barack"}, discard="CC EE fee1", prices={"CC": 9})
    assert state.phase == "before_movement"
    assert stockpile.legal(state, 0) == [BuyDiscarded("CC"), BuyDiscarded("EE"), Done()]
    events = play(state, 0, BuyDiscarded("CC"))
    assert cash(state)[0] == 13
    assert held(state.players[0].shares) == {"CC": 1}
    assert state.discard == ["EE", "fee1"]
    assert told(events, "discard_bought") == [{"seat": 0, "company": "CC", "money": -7}]
    assert state.round == 2


@pytest.mark.parametrize(("price", "cost"), [(1, 0), (2, 0), (3, 1)])
def test_barack_pays_no_less_than_nothing(price: int, cost: int) -> None:
    state = at("before_movement", {0: "barack"}, discard="EE", prices={"EE": price})
    play(state, 0, BuyDiscarded("EE"))
    assert cash(state)[0] == 20 - cost


def test_barack_buys_what_he_can_pay_and_only_stock() -> None:
    prices = {"EE": 9, "AA": 4}
    state = at("before_movement", {0: "barack"}, discard="EE AA boom", prices=prices, cash={0: 3})
    assert stockpile.legal(state, 0) == [BuyDiscarded("AA"), Done()]
    assert at("before_movement", {0: "barack"}, discard="boom fee1").round == 2


def test_barack_may_buy_what_was_sold_this_round_before_the_market_moves() -> None:
    state = at("selling", {1: "barack"}, shares={0: "EE"}, pairs={"EE": "+2"})
    play(state, 0, Sell("EE", 1), Done())
    assert on_turn(state) == [1]
    play(state, 1, BuyDiscarded("EE"))
    assert cash(state)[1] == 17
    assert state.price("EE") == 7
