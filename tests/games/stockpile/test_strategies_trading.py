"""Strategies that trade shares, and those that look at pairs."""

from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.moves import (
    BuyBonds,
    Done,
    PlayStrategy,
    Sell,
    SellHalf,
    SellSplit,
)
from tests.games.stockpile.table import begin, cash, held, on_turn, play, table, told
from tests.games.stockpile.test_strategies_market import acting, ways

PAIRS = {"CC": "+4", "BB": "+2", "LL": "-2", "AA": "-3", "EE": "$$"}
HOLDERS = {"CC": 0, "BB": 1, "LL": 2}


def test_convertible_bond_gives_a_bond_back_for_a_discarded_stock_that_is_shown() -> None:
    state = acting("convertible_bond", modules="bonds", bonds={0: 2}, discard="EE fee1 AA EE")
    assert ways(state, "convertible_bond") == [("AA",), ("EE",)]
    events = play(state, 0, PlayStrategy("convertible_bond", ("EE",)))
    assert (state.players[0].bonds, state.bonds_left) == (1, 39)
    assert held(state.players[0].shares) == {"EE": 1}
    assert sorted(state.discard) == ["AA", "EE", "fee1"]
    assert told(events, "discard_taken") == [{"seat": 0, "company": "EE"}]


def test_a_converted_bond_goes_back_to_the_supply_and_can_be_bought_again() -> None:
    things = {"modules": "bonds", "discard": "EE", "cash": {1: 6, 2: 0}}
    state = acting("convertible_bond", bonds={0: 40}, **things)
    assert state.bonds_left == 0
    play(state, 0, PlayStrategy("convertible_bond", ("EE",)))
    begin(state, "round_beginning")
    play(state, 0, Done())
    assert stockpile.legal(state, 1) == [BuyBonds(1), Done()]


def test_convertible_bond_needs_a_bond_and_a_discarded_stock() -> None:
    assert ways(acting("convertible_bond", modules="bonds", discard="EE"), "convertible_bond") == []
    state = acting("convertible_bond", modules="bonds", bonds={0: 1}, discard="boom")
    assert ways(state, "convertible_bond") == []


def test_fraudulent_transfer_exchanges_a_stock_for_a_discarded_one() -> None:
    state = acting("fraudulent_transfer", shares={0: "EE"}, discard="AA")
    events = play(state, 0, PlayStrategy("fraudulent_transfer", ("EE", False, "AA")))
    assert held(state.players[0].shares) == {"AA": 1}
    assert state.discard == ["EE"]
    assert cash(state)[0] == 23
    assert told(events, "share_given_up") == [{"seat": 0, "company": "EE", "half": False}]
    assert told(events, "discard_taken") == [{"seat": 0, "company": "AA"}]


def test_fraudulent_transfer_may_cost_half_a_split_card() -> None:
    state = acting("fraudulent_transfer", split={0: "EE"}, discard="AA")
    assert ways(state, "fraudulent_transfer") == [("EE", True, "AA")]
    play(state, 0, PlayStrategy("fraudulent_transfer", ("EE", True, "AA")))
    assert held(state.players[0].shares) == {"AA": 1, "EE": 1}
    assert held(state.players[0].split) == {}
    assert state.discard == []


def test_the_card_given_up_is_not_the_one_taken_unless_another_lies_there() -> None:
    for card in ("fraudulent_transfer", "vulture_capitalism"):
        assert ways(acting(card, shares={0: "EE"}, discard="fee1"), card) == []
        picks = ways(acting(card, shares={0: "EE"}, discard="AA"), card)
        assert {pick[2] for pick in picks} == {"AA"}
    state = acting("fraudulent_transfer", shares={0: "EE"}, discard="EE")
    assert ways(state, "fraudulent_transfer") == [("EE", False, "EE")]


def test_vulture_capitalism_exchanges_and_lowers_the_given_or_raises_the_taken_company() -> None:
    state = acting("vulture_capitalism", shares={0: "EE"}, discard="AA")
    play(state, 0, PlayStrategy("vulture_capitalism", ("EE", False, "AA", -1)))
    assert (state.price("EE"), state.price("AA")) == (4, 5)
    state = acting("vulture_capitalism", split={0: "EE"}, discard="AA")
    play(state, 0, PlayStrategy("vulture_capitalism", ("EE", True, "AA", 1)))
    assert (state.price("EE"), state.price("AA")) == (5, 6)
    assert held(state.players[0].shares) == {"AA": 1, "EE": 1}
    assert cash(state)[0] == 20


def test_rogue_trading_shows_a_regular_card_and_splits_it() -> None:
    state = acting("rogue_trading", shares={0: "EE AA"}, split={0: "CC"})
    assert ways(state, "rogue_trading") == [("AA",), ("EE",)]
    events = play(state, 0, PlayStrategy("rogue_trading", ("EE",)))
    assert held(state.players[0].shares) == {"AA": 1}
    assert held(state.players[0].split) == {"CC": 1, "EE": 1}
    assert told(events, "doubled") == [{"seat": 0, "company": "EE"}]
    assert cash(state)[0] == 17


def test_short_and_distort_sells_up_to_three_shares_for_eight_thousand_each() -> None:
    state = acting("short_and_distort", shares={0: "EE EE"}, split={0: "AA"}, prices={"EE": 1})
    picks = ways(state, "short_and_distort")
    assert ("EE", False) in picks
    assert ("EE", False, "EE", False, "AA", True) in picks
    assert ("EE", False, "EE", False, "EE", False) not in picks
    play(state, 0, PlayStrategy("short_and_distort", ("EE", False, "EE", False, "AA", True)))
    assert cash(state)[0] == 20 + 24
    assert held(state.players[0].shares) == {"AA": 1}
    assert held(state.players[0].split) == {}
    assert state.discard == ["EE", "EE"]


def test_short_and_distort_sells_a_split_card_as_two_shares() -> None:
    state = acting("short_and_distort", shares={0: "EE"}, split={0: "AA AA"})
    whole, half, card = ("AA", True, "AA", False), ("AA", True), ("EE", False)
    picks = ways(state, "short_and_distort")
    assert sorted(picks) == sorted(
        [card, whole, half, card + whole, card + half, card + half + half, whole + half, half * 2]
    )
    events = play(state, 0, PlayStrategy("short_and_distort", card + whole))
    assert cash(state)[0] == 20 + 24
    assert held(state.players[0].shares) == {}
    assert held(state.players[0].split) == {"AA": 1}
    assert sorted(state.discard) == ["AA", "EE"]
    assert sum(facts["money"] for facts in told(events, "sold_short")) == 24


def test_short_and_distort_never_sells_more_than_there_is() -> None:
    state = acting("short_and_distort", split={0: "AA"})
    assert ways(state, "short_and_distort") == [("AA", True, "AA", False), ("AA", True)]
    play(state, 0, PlayStrategy("short_and_distort", ("AA", True)))
    assert (held(state.players[0].shares), held(state.players[0].split)) == ({"AA": 1}, {})


def test_graham_gets_more_for_strategies_that_sell() -> None:
    state = acting("short_and_distort", shares={0: "EE"}, investors={0: "graham"})
    play(state, 0, PlayStrategy("short_and_distort", ("EE", False)))
    assert cash(state)[0] == 29
    state = acting("pump_and_dump", shares={0: "EE"}, investors={0: "graham"})
    play(state, 0, PlayStrategy("pump_and_dump", ("EE",)), Sell("EE", 1))
    assert cash(state)[0] == 20 - 2 + 8
    state = acting("front_running", shares={0: "EE"}, investors={0: "graham"})
    play(state, 0, PlayStrategy("front_running"), Sell("EE", 1))
    assert cash(state)[0] == 27


def test_front_running_sells_any_shares_now_for_a_thousand_more_each() -> None:
    state = acting("front_running", shares={0: "EE EE"}, split={0: "AA CC"})
    play(state, 0, PlayStrategy("front_running"))
    play(state, 0, Sell("EE", 1), SellSplit("AA", 1), SellHalf("CC", 1))
    assert cash(state)[0] == 20 + 6 + 12 + 6
    play(state, 0, Done())
    assert state.phase == "selling"
    play(state, 0, Sell("EE", 1))
    assert cash(state)[0] == 44 + 5


def test_when_the_turn_of_front_running_is_over_prices_are_as_before() -> None:
    strategies = {0: "front_running data_broker", 1: "data_broker"}
    state = table(modules="strategies", strategies=strategies, shares={0: "EE EE", 1: "EE"})
    begin(state, "action")
    play(state, 0, PlayStrategy("front_running"))
    own = stockpile.view(state, 0).own
    assert own is not None
    assert own.prices["EE"] == 6
    play(state, 0, Done())
    assert (state.phase, on_turn(state)) == ("action", [1])
    seen = stockpile.view(state, 0)
    assert seen.own is not None
    assert seen.own.prices["EE"] == 5
    assert seen.players[0].selling == ""


def test_whoever_has_sold_all_by_front_running_says_that_they_are_done() -> None:
    strategies = {0: "front_running", 1: "data_broker"}
    state = table(modules="strategies", strategies=strategies, shares={0: "EE"})
    begin(state, "action")
    play(state, 0, PlayStrategy("front_running"), Sell("EE", 1))
    assert stockpile.legal(state, 0) == [Done()]
    play(state, 0, Done())
    assert on_turn(state) == [1]
    assert stockpile.view(state, None).players[0].selling == ""


def test_front_running_needs_something_to_sell() -> None:
    assert ways(acting("front_running"), "front_running") == []


def test_stock_buyback_buys_a_discarded_card_for_three_thousand_less() -> None:
    state = acting("stock_buyback", discard="EE AA CC", prices={"EE": 9, "AA": 2}, cash={0: 5})
    assert ways(state, "stock_buyback") == [("CC",), ("AA",)]
    play(state, 0, PlayStrategy("stock_buyback", ("CC",)))
    assert cash(state)[0] == 3
    assert held(state.players[0].shares) == {"CC": 1}
    state = acting("stock_buyback", discard="AA", prices={"AA": 2}, cash={0: 0})
    play(state, 0, PlayStrategy("stock_buyback", ("AA",)))
    assert cash(state)[0] == 0


def test_corporate_espionage_shows_one_pair_and_pays_four_thousand() -> None:
    state = acting("corporate_espionage", pairs=PAIRS, holders=HOLDERS)
    assert ways(state, "corporate_espionage") == [(1,), (2,), (3,), (4,)]
    events = play(state, 0, PlayStrategy("corporate_espionage", (3,)))
    seen = next(event for event in events if event.kind == "pair_seen")
    public = {"kind": "pair_seen", "seat": 0, "holder": None, "pair": 3, "nth": 0, "of": 2}
    assert seen.seen_by(1) == public
    assert (seen.private[0]["company"], seen.private[0]["forecast"]) == ("AA", "-3")
    assert cash(state)[0] == 24


def test_insider_trading_shows_three_pairs_face_down_ones_included() -> None:
    state = acting("insider_trading", pairs=PAIRS, holders=HOLDERS, shares={0: "CC"})
    assert len(ways(state, "insider_trading")) == 4
    play(state, 0, PlayStrategy("insider_trading", (1, 3, 4)))
    known = [pair.company for pair in stockpile.view(state, 0).pairs]
    assert known == ["CC", "BB", None, "AA", "EE"]
    assert [pair.company for pair in stockpile.view(state, 1).pairs].count(None) == 4


def test_insider_trading_shows_what_there_is_where_fewer_are_hidden() -> None:
    state = acting("insider_trading", pairs={"CC": "+4", "BB": "+1"}, holders={"CC": 0})
    assert ways(state, "insider_trading") == [(1,)]


def test_data_broker_turns_up_a_pair_of_ones_own_for_six_thousand() -> None:
    state = acting("data_broker", pairs=PAIRS, holders=HOLDERS, shares={0: "CC"})
    assert ways(state, "data_broker") == [(0,)]
    events = play(state, 0, PlayStrategy("data_broker", (0,)))
    assert cash(state)[0] == 26
    assert told(events, "pair_shown") == [
        {"seat": 0, "pair": 0, "company": "CC", "forecast": "+4"},
    ]
    assert stockpile.view(state, None).pairs[0].forecast == "+4"


def test_with_two_players_data_broker_turns_up_one_pair_alone() -> None:
    state = table(
        2,
        modules="strategies",
        strategies={0: "data_broker"},
        pairs=PAIRS,
        holders={"CC": 0, "BB": 0, "LL": 1},
        shares={0: "CC"},
    )
    begin(state, "action")
    assert ways(state, "data_broker") == [(0,), (1,)]
    play(state, 0, PlayStrategy("data_broker", (1,)))
    assert [pair.up for pair in state.pairs] == [False, True, False, False, False]


def test_data_broker_cannot_turn_up_a_pair_that_was_falsified() -> None:
    strategies = {0: "falsified_earnings", 1: "data_broker"}
    state = table(modules="strategies", strategies=strategies, pairs=PAIRS, holders=HOLDERS)
    begin(state, "action")
    play(state, 0, PlayStrategy("falsified_earnings", (1,)))
    assert on_turn(state) == [1]
    assert ways(state, "data_broker", seat=1) == []
    assert not stockpile.view(state, None).pairs[1].up


def test_with_two_players_data_broker_turns_up_the_pair_that_was_not_falsified() -> None:
    state = acting("data_broker", pairs=PAIRS, holders={"CC": 0, "BB": 0}, shares={0: "CC"})
    state.pairs[0].falsified = True
    assert ways(state, "data_broker") == [(1,)]


def test_a_falsified_pair_may_still_be_looked_at_in_secret() -> None:
    """Nobody else sees it, so it is not revealed."""
    state = acting("corporate_espionage", pairs=PAIRS, holders=HOLDERS, shares={0: "CC"})
    state.pairs[1].falsified = True
    play(state, 0, PlayStrategy("corporate_espionage", (1,)))
    assert stockpile.view(state, 0).pairs[1].forecast == "+2"
    assert stockpile.view(state, 2).pairs[1].forecast is None


def test_a_pair_that_was_turned_up_moves_the_market_in_its_turn() -> None:
    state = acting("data_broker", pairs={"CC": "+4"}, holders={"CC": 0}, shares={0: "CC"})
    play(state, 0, PlayStrategy("data_broker", (0,)))
    begin(state, "movement")
    assert state.price("CC") == 9
