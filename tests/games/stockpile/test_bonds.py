"""Bonds: bought before everything else, with interest each round, and paid back at the end."""

from typing import Any

import pytest

from stockpile_web.engine import Dealer
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.moves import BuyBonds, Done
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, cash, lines, on_turn, play, scores, table, told


def beginning(seats: int = 4, **things: Any) -> State:
    """Return a table at the beginning of a round."""
    state = table(seats, modules="bonds", **things)
    begin(state, "round_beginning")
    return state


def test_there_are_forty_bonds() -> None:
    assert stockpile.setup(3, {"bonds": 1}, Dealer("bonds")).bonds_left == 40


@pytest.mark.parametrize(("seats", "price"), [(2, 7), (3, 6), (4, 5), (5, 4)])
def test_the_price_of_a_bond_depends_on_the_number_of_players(seats: int, price: int) -> None:
    state = beginning(seats, cash={0: 30})
    events = play(state, 0, BuyBonds(2))
    assert told(events, "bonds_bought") == [{"seat": 0, "count": 2, "money": -2 * price}]
    assert cash(state)[0] == 30 - 2 * price
    assert state.players[0].bonds == 2


def test_up_to_three_bonds_may_be_bought_at_the_beginning_of_a_round() -> None:
    state = beginning()
    assert stockpile.legal(state, 0) == [BuyBonds(1), BuyBonds(2), BuyBonds(3), Done()]


def test_nobody_buys_bonds_beyond_their_money() -> None:
    state = beginning(cash={0: 14, 1: 4})
    assert stockpile.legal(state, 0) == [BuyBonds(1), BuyBonds(2), Done()]
    play(state, 0, Done())
    assert on_turn(state) == [2]  # Seat 1 can buy none, as all can see.


def test_bonds_are_bought_in_turn_order_once_each() -> None:
    state, seen = beginning(first=2), []
    while state.phase == "round_beginning":
        seen += on_turn(state)
        play(state, seen[-1], BuyBonds(1))
    assert seen == [2, 3, 0, 1]


def test_bonds_are_bought_before_the_dice_are_rolled() -> None:
    state = table(3, modules="bonds forecast_dice")
    assert told(begin(state, "round_beginning"), "dice_rolled") == []
    play(state, 0, Done())
    play(state, 1, Done())
    assert len(told(play(state, 2, Done()), "dice_rolled")) == 1


def test_nobody_buys_a_bond_when_the_last_is_gone() -> None:
    state = table(3, modules="bonds")
    state.bonds_left = 2
    begin(state, "round_beginning")
    assert stockpile.legal(state, 0) == [BuyBonds(1), BuyBonds(2), Done()]
    play(state, 0, BuyBonds(2))
    assert state.phase != "round_beginning"


def test_the_number_of_bonds_is_public() -> None:
    state = beginning()
    play(state, 0, BuyBonds(3))
    seen = stockpile.view(state, None)
    assert [player.bonds for player in seen.players] == [3, 0, 0, 0]
    assert seen.bonds_left == 37


def test_a_bond_bears_a_thousand_at_the_end_of_each_round() -> None:
    state = table(modules="bonds", bonds={0: 3, 2: 1})
    events = begin(state, "interest")
    assert told(events, "interest_paid") == [{"seat": 0, "money": 3}, {"seat": 2, "money": 1}]
    assert cash(state) == [23, 20, 21]


def test_interest_comes_after_the_market_has_moved() -> None:
    state = table(modules="bonds", bonds={0: 1}, pairs={"EE": "+1"})
    kinds = [event.kind for event in begin(state, "movement")]
    assert kinds.index("ticker_moved") < kinds.index("interest_paid") < kinds.index("round_began")


def test_an_open_fee_is_paid_out_of_the_interest() -> None:
    state = table(modules="bonds", bonds={0: 2}, fees={0: "fee2"}, cash={0: 0})
    begin(state, "interest")
    assert (cash(state)[0], state.players[0].fees) == (0, [])


def test_bonds_are_not_redeemed_during_the_game() -> None:
    state = table(modules="bonds", bonds={0: 3}, cash={0: 0, 1: 0, 2: 0})
    begin(state, "round_end")
    assert state.players[0].bonds == 3
    assert cash(state)[0] == 0


def test_seven_bonds_with_four_players_bring_thirty_five_thousand_at_the_end() -> None:
    state = table(4, round=6, modules="bonds", bonds={0: 7}, cash={0: 0})
    begin(state, "round_end")
    assert scores(state)[0] == 35
    assert lines(state, 0, "bonds_redeemed") == [
        {"kind": "bonds_redeemed", "count": 7, "money": 35},
    ]


def test_the_last_round_bears_interest_before_the_bonds_are_redeemed() -> None:
    state = table(5, round=5, modules="bonds", bonds={0: 2}, cash={0: 0})
    kinds = [event.kind for event in begin(state, "movement")]
    assert kinds.index("interest_paid") < kinds.index("bonds_redeemed")
    assert scores(state)[0] == 2 + 8
