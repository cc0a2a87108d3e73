"""The Selling Phase: shares, split cards, halves of split cards, and old fees."""

from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.moves import Done, Sell, SellHalf, SellSplit
from tests.games.stockpile.table import begin, cash, held, on_turn, play, table, told


def test_any_number_of_stocks_may_be_sold_at_the_current_value() -> None:
    state = table(shares={0: "EE EE EE AA"}, prices={"EE": 7, "AA": 3})
    begin(state, "selling")
    assert stockpile.legal(state, 0) == [
        Done(), Sell("AA", 1), Sell("EE", 1), Sell("EE", 2), Sell("EE", 3),
    ]  # fmt: skip
    play(state, 0, Sell("EE", 2), Sell("AA", 1))
    assert cash(state)[0] == 20 + 14 + 3
    assert held(state.players[0].shares) == {"EE": 1}


def test_a_player_may_sell_nothing() -> None:
    state = table(shares={0: "EE", 1: "EE"})
    begin(state, "selling")
    play(state, 0, Done())
    assert cash(state)[0] == 20
    assert on_turn(state) == [1]


def test_a_player_may_sell_everything_and_then_says_that_they_are_done() -> None:
    state = table(shares={0: "EE EE", 1: "EE"}, split={0: "AA"})
    begin(state, "selling")
    play(state, 0, Sell("EE", 2), SellSplit("AA", 1))
    assert cash(state)[0] == 20 + 10 + 10
    assert stockpile.legal(state, 0) == [Done()]
    play(state, 0, Done())
    assert on_turn(state) == [1]


def test_sold_stock_lies_face_up_in_the_discard_and_all_are_told() -> None:
    state = table(shares={0: "EE EE CC"})
    begin(state, "selling")
    events = play(state, 0, Sell("EE", 2))
    assert stockpile.view(state, None).discard == ["EE", "EE"]
    assert told(events, "sold") == [
        {"seat": 0, "company": "EE", "cards": 2, "each": 5, "money": 10},
    ]


def test_players_sell_in_turn_order_and_those_without_stock_are_passed_over() -> None:
    state = table(4, first=2, shares={0: "CC", 3: "CC"}, split={1: "CC"})
    begin(state, "selling")
    seen = []
    while state.phase == "selling":
        seen += on_turn(state)
        play(state, seen[-1], Done())
    assert seen == [3, 0, 1]


def test_a_split_card_sells_for_twice_the_value() -> None:
    state = table(split={0: "EE EE EE"}, prices={"EE": 4})
    begin(state, "selling")
    play(state, 0, SellSplit("EE", 2))
    assert cash(state)[0] == 20 + 16
    assert held(state.players[0].split) == {"EE": 1}
    assert state.discard == ["EE", "EE"]


def test_half_a_split_card_sells_for_the_value_and_the_card_goes_back_to_the_portfolio() -> None:
    state = table(split={0: "EE EE"}, prices={"EE": 4})
    begin(state, "selling")
    play(state, 0, SellHalf("EE", 1))
    assert cash(state)[0] == 20 + 4
    assert held(state.players[0].split) == {"EE": 1}
    assert held(state.players[0].shares) == {"EE": 1}
    assert state.discard == []


def test_the_other_half_may_be_sold_in_the_same_turn() -> None:
    state = table(split={0: "EE"}, shares={1: "CC"}, prices={"EE": 4})
    begin(state, "selling")
    play(state, 0, SellHalf("EE", 1), Sell("EE", 1))
    assert cash(state)[0] == 20 + 8


def test_an_open_fee_is_paid_at_once_out_of_a_sale() -> None:
    state = table(shares={0: "EE EE"}, fees={0: "fee3"}, cash={0: 0})
    begin(state, "selling")
    events = play(state, 0, Sell("EE", 1))
    assert cash(state)[0] == 5 - 3
    assert state.players[0].fees == []
    assert state.discard == ["EE", "fee3"]
    assert told(events, "fee_paid") == [{"seat": 0, "card": "fee3", "money": -3}]


def test_an_open_fee_waits_until_the_money_suffices() -> None:
    state = table(shares={0: "EE AA"}, fees={0: "fee3"}, cash={0: 0}, prices={"EE": 2, "AA": 1})
    begin(state, "selling")
    play(state, 0, Sell("EE", 1))
    assert (cash(state)[0], state.players[0].fees) == (2, ["fee3"])
    play(state, 0, Sell("AA", 1))
    assert (cash(state)[0], state.players[0].fees) == (0, [])


def test_of_several_open_fees_all_that_can_be_paid_are_paid_smallest_first() -> None:
    state = table(shares={0: "EE EE"}, fees={0: "fee3 fee2 fee1"}, cash={0: 0})
    begin(state, "selling")
    play(state, 0, Sell("EE", 1))
    assert (cash(state)[0], state.players[0].fees) == (2, ["fee3"])


def test_the_phase_is_passed_over_when_nobody_has_stock() -> None:
    state = table(pairs={"EE": "$$", "AA": "+1"})
    begin(state, "selling")
    assert state.price("AA") == 6
    assert state.round == 2
