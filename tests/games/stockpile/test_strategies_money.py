"""Strategies that pay: by bids, fees, goods and shares, or just so."""

import pytest

from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.moves import Boom, Done, PlayStrategy
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, bid, cash, held, on_turn, play, table, told
from tests.games.stockpile.test_strategies_market import acting, ways


def after_bids(card: str, amounts: list[int], investors: str = "", seats: int = 3) -> State:
    """Return a table at which seat 0 has won the first piles at these amounts."""
    state = table(
        seats,
        modules="strategies",
        strategies={0: card},
        investors={0: investors},
        piles="CC | BB | LL | AA" if seats == 2 else "CC | BB | LL",
        cash={0: 99},
    )
    begin(state, "demand")
    if seats == 2:
        for meeple, amount in enumerate(amounts):
            bid(state, 0, meeple, amount, meeple)
            bid(state, 1, 2 + meeple, 0, meeple)
    else:
        bid(state, 0, 0, amounts[0])
        bid(state, 1, 1, 0)
        bid(state, 2, 2, 0)
    state.players[0].cash = 0
    assert state.phase == "action"
    return state


@pytest.mark.parametrize(("amount", "money"), [(10, 4), (15, 6), (20, 8), (25, 10)])
def test_block_trading_pays_by_the_space_of_a_high_bid(amount: int, money: int) -> None:
    state = after_bids("block_trading", [amount])
    play(state, 0, PlayStrategy("block_trading"))
    assert cash(state)[0] == money


@pytest.mark.parametrize(("amount", "money"), [(0, 7), (1, 6), (3, 4), (6, 2)])
def test_value_investing_pays_by_the_space_of_a_low_bid(amount: int, money: int) -> None:
    state = after_bids("value_investing", [amount])
    play(state, 0, PlayStrategy("value_investing"))
    assert cash(state)[0] == money


def test_they_are_not_played_where_they_bring_nothing() -> None:
    assert ways(after_bids("block_trading", [6]), "block_trading") == []
    assert ways(after_bids("value_investing", [10]), "value_investing") == []


@pytest.mark.parametrize(("investor", "money"), [("donald", 4), ("barbara", 4)])
def test_where_the_meeple_ended_counts_and_not_what_was_paid(investor: str, money: int) -> None:
    state = after_bids("block_trading", [10], investor)
    play(state, 0, PlayStrategy("block_trading"))
    assert cash(state)[0] == money


def test_with_two_players_the_better_meeple_counts() -> None:
    state = after_bids("block_trading", [10, 20], seats=2)
    play(state, 0, PlayStrategy("block_trading"))
    assert cash(state)[0] == 8
    state = after_bids("value_investing", [10, 1], seats=2)
    play(state, 0, PlayStrategy("value_investing"))
    assert cash(state)[0] == 6


def test_two_platinum_and_three_corn_corner_the_market_for_fifteen_thousand() -> None:
    goods = "platinum corn corn platinum corn gold"
    state = acting("corner_the_market", modules="commodities", goods={0: goods}, cash={0: 0})
    play(state, 0, PlayStrategy("corner_the_market"))
    assert cash(state)[0] == 15
    assert len(state.players[0].goods) == 6


def test_duplicate_taxes_do_not_corner_the_market() -> None:
    state = acting("corner_the_market", modules="commodities", goods={0: "tax tax tax gold"})
    assert ways(state, "corner_the_market") == []


def test_diversification_pays_two_thousand_for_each_company_shown() -> None:
    state = acting("diversification", shares={0: "EE EE AA"}, split={0: "CC AA"}, cash={0: 0})
    events = play(state, 0, PlayStrategy("diversification"))
    assert cash(state)[0] == 6
    assert told(events, "strategy_showed") == [{"seat": 0, "companies": ["CC", "AA", "EE"]}]
    assert ways(acting("diversification"), "diversification") == []


def test_interpositioning_pays_six_thousand_for_each_fee_of_the_round() -> None:
    state = table(
        modules="strategies", strategies={0: "interpositioning"}, piles="fee1 (fee3) CC | BB | LL"
    )
    begin(state, "demand")
    for seat in range(3):
        bid(state, seat, seat, 0)
    assert cash(state)[0] == 16  # They are paid all the same.
    play(state, 0, PlayStrategy("interpositioning"))
    assert cash(state)[0] == 28


def test_interpositioning_counts_fees_of_this_round_alone() -> None:
    state = acting("interpositioning", fees={0: "fee3"}, cash={0: 0})
    assert ways(state, "interpositioning") == []


def test_naked_short_costs_an_unused_action_card_and_pays_twelve_thousand() -> None:
    state = acting("naked_short", actions={0: "bust boom"}, shares={0: "CC"})
    assert ways(state, "naked_short") == [("bust",), ("boom",)]
    play(state, 0, PlayStrategy("naked_short", ("bust",)))
    assert cash(state)[0] == 32
    assert state.discard == ["bust"]
    assert [state.price(company) for company in ("CC", "EE")] == [5, 5]
    assert on_turn(state) == [0]  # The other card is still to be used.
    play(state, 0, Boom("EE"))
    assert state.phase == "selling"


def test_naked_short_cannot_be_played_when_the_action_cards_are_used() -> None:
    state = acting("naked_short", actions={0: "boom"})
    play(state, 0, Boom("EE"))
    assert stockpile.legal(state, 0) == [Done()]


def test_golden_parachute_pays_twice_the_value_of_a_share_given_up() -> None:
    state = acting("golden_parachute", shares={0: "EE"}, split={0: "AA"}, prices={"EE": 7})
    assert ways(state, "golden_parachute") == [("EE", False), ("AA", True)]
    play(state, 0, PlayStrategy("golden_parachute", ("EE", False)))
    assert cash(state)[0] == 34
    assert state.discard == ["EE"]


def test_golden_parachute_takes_half_a_split_card_too() -> None:
    state = acting("golden_parachute", split={0: "AA"})
    play(state, 0, PlayStrategy("golden_parachute", ("AA", True)))
    assert (held(state.players[0].shares), held(state.players[0].split)) == ({"AA": 1}, {})
    assert cash(state)[0] == 30


def test_golden_parachute_does_not_sell_so_graham_gets_nothing_more() -> None:
    state = acting("golden_parachute", shares={0: "EE"}, investors={0: "graham"})
    play(state, 0, PlayStrategy("golden_parachute", ("EE", False)))
    assert cash(state)[0] == 30


def test_offshore_account_pays_four_thousand() -> None:
    state = acting("offshore_account")
    play(state, 0, PlayStrategy("offshore_account"))
    assert cash(state)[0] == 24


def test_money_of_a_strategy_pays_an_open_fee() -> None:
    state = acting("offshore_account", fees={0: "fee3"}, cash={0: 0})
    play(state, 0, PlayStrategy("offshore_account"))
    assert (cash(state)[0], state.players[0].fees) == (1, [])


def test_tax_haven_returns_one_tax_to_the_box() -> None:
    state = acting("tax_haven", modules="commodities", goods={0: "tax gold tax"})
    events = play(state, 0, PlayStrategy("tax_haven"))
    assert told(events, "tax_avoided") == [{"seat": 0}]
    assert state.players[0].goods == ["gold", "tax"]
    assert (state.spent, state.commerce.count("tax")) == (["tax"], 7)  # Not back in the deck.
    assert ways(acting("tax_haven", modules="commodities", goods={0: "gold"}), "tax_haven") == []


def test_junk_bonds_give_a_bond_for_two_thousand() -> None:
    state = acting("junk_bonds", modules="bonds", shares={0: "CC"})
    events = play(state, 0, PlayStrategy("junk_bonds"))
    assert told(events, "bond_taken") == [{"seat": 0}]
    assert (cash(state)[0], state.players[0].bonds, state.bonds_left) == (18, 1, 39)


def test_junk_bonds_need_a_bond_in_the_supply() -> None:
    state = acting("junk_bonds", modules="bonds", shares={0: "CC"})
    state.bonds_left = 0
    assert ways(state, "junk_bonds") == []
