"""The Action Phase: Stock Boom and Stock Bust."""

from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.moves import Boom, Bust
from tests.games.stockpile.table import begin, cash, held, on_turn, play, table, told


def test_a_boom_moves_the_chosen_stock_up_by_two() -> None:
    state = table(actions={0: "boom"})
    begin(state, "action")
    play(state, 0, Boom("LL"))
    assert state.price("LL") == 7


def test_a_bust_moves_the_chosen_stock_down_by_two() -> None:
    state = table(actions={0: "bust"})
    begin(state, "action")
    play(state, 0, Bust("LL"))
    assert state.price("LL") == 3


def test_a_player_must_use_the_card_on_one_of_the_six_stocks() -> None:
    state = table(actions={0: "boom"}, shares={0: "CC"})
    begin(state, "action")
    companies = ["CC", "BB", "LL", "AA", "SS", "EE"]
    assert stockpile.legal(state, 0) == [Boom(company) for company in companies]


def test_players_act_in_turn_order_and_those_without_cards_are_passed_over() -> None:
    state = table(5, first=3, actions={1: "boom", 3: "bust", 4: "boom"}, shares={0: "CC"})
    begin(state, "action")
    seen = []
    while state.phase == "action":
        seen += on_turn(state)
        play(state, seen[-1], stockpile.legal(state, seen[-1])[0])
    assert seen == [3, 4, 1]


def test_all_action_cards_are_used_in_any_order_before_the_next_player() -> None:
    state = table(actions={0: "boom bust boom", 1: "boom"}, shares={0: "CC"})
    begin(state, "action")
    assert len(stockpile.legal(state, 0)) == 12
    play(state, 0, Bust("CC"), Boom("CC"))
    assert on_turn(state) == [0]
    play(state, 0, Boom("EE"))
    assert on_turn(state) == [1]


def test_used_action_cards_lie_face_up_in_the_discard() -> None:
    state = table(actions={0: "boom bust"}, shares={0: "CC"})
    begin(state, "action")
    play(state, 0, Bust("CC"), Boom("BB"))
    assert state.discard == ["bust", "boom"]
    assert state.players[0].actions == []


def test_the_phase_is_passed_over_when_nobody_has_an_action_card() -> None:
    state = table(shares={0: "CC"})
    begin(state, "action")
    assert state.phase == "selling"


def test_a_boom_from_nine_lands_on_the_split_and_the_value_is_six() -> None:
    state = table(actions={0: "boom"}, prices={"EE": 9}, shares={1: "EE EE"})
    begin(state, "action")
    play(state, 0, Boom("EE"))
    assert state.price("EE") == 6
    assert held(state.players[1].split) == {"EE": 2}
    assert held(state.players[1].shares) == {}


def test_a_boom_from_ten_splits_and_goes_on_to_seven() -> None:
    state = table(actions={0: "boom"}, prices={"EE": 10}, shares={1: "EE"})
    begin(state, "action")
    play(state, 0, Boom("EE"))
    assert state.price("EE") == 7


def test_a_split_by_an_action_card_pays_for_cards_that_are_split_already() -> None:
    state = table(actions={0: "boom"}, prices={"EE": 9}, split={1: "EE EE"})
    begin(state, "action")
    play(state, 0, Boom("EE"))
    assert cash(state) == [20, 40, 20]


def test_a_bust_from_three_ends_at_one() -> None:
    state = table(actions={0: "bust"}, prices={"EE": 3}, shares={1: "EE"})
    begin(state, "action")
    play(state, 0, Bust("EE"))
    assert state.price("EE") == 1
    assert held(state.players[1].shares) == {"EE": 1}


def test_a_bust_below_one_is_a_bankruptcy() -> None:
    state = table(actions={0: "bust"}, prices={"EE": 2}, shares={1: "EE"}, split={2: "EE"})
    begin(state, "action")
    events = play(state, 0, Bust("EE"))
    assert state.price("EE") == 5
    assert told(events, "bankrupt") == [{"company": "EE", "cards": [0, 1, 1], "after": 5}]
    assert [held(player.shares) | held(player.split) for player in state.players] == [{}, {}, {}]
