"""The round end, the game end, and who has won."""

from typing import Any

from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.data import FEES
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, cash, held, lines, scores, table, told
from tests.support.random_play import Sitting


def end(seats: int = 3, **things: Any) -> State:
    """Return a table at which the last round is over."""
    state = table(seats, round={2: 6, 3: 7, 4: 6, 5: 5}[seats], **things)
    begin(state, "round_end")
    return state


def test_before_the_last_round_is_over_another_one_starts() -> None:
    state = table(round=6, first=2)
    events = begin(state, "round_end")
    assert told(events, "round_began") == [{"round": 7, "seat": 0}]
    assert stockpile.result(state) is None


def test_after_the_last_movement_the_game_is_over() -> None:
    state = table(round=7, pairs={"EE": "+1"}, shares={0: "EE"})
    begin(state, "movement")
    assert scores(state) == [20 + 10 + 6, 20, 20]
    assert stockpile.view(state, None).over


def test_the_majority_shareholder_of_each_company_receives_ten_thousand() -> None:
    state = end(shares={0: "EE EE", 1: "EE AA"}, prices={"EE": 1, "AA": 1})
    assert [line["money"] for line in lines(state, 0, "majority")] == [10]
    assert lines(state, 1, "majority") == [
        {"kind": "majority", "company": "AA", "shares": 1, "money": 10},
    ]


def test_one_player_may_be_paid_for_several_majorities() -> None:
    state = end(shares={0: "EE AA CC"})
    assert [line["company"] for line in lines(state, 0, "majority")] == ["CC", "AA", "EE"]
    assert scores(state)[0] == 20 + 30 + 15


def test_split_cards_count_double_for_the_majority() -> None:
    state = end(shares={0: "EE EE EE"}, split={1: "EE EE"})
    assert lines(state, 0, "majority") == []
    assert [line["shares"] for line in lines(state, 1, "majority")] == [4]


def test_two_who_tie_receive_five_thousand_each() -> None:
    state = end(shares={0: "EE EE"}, split={2: "EE"})
    assert [line["money"] for line in lines(state, 0, "majority")] == [5]
    assert [line["money"] for line in lines(state, 2, "majority")] == [5]


def test_three_who_tie_receive_five_thousand_each() -> None:
    state = end(4, shares={0: "EE", 1: "EE", 3: "EE"}, prices={"EE": 1})
    assert scores(state) == [26, 26, 20, 26]


def test_a_company_that_nobody_owns_pays_no_majority() -> None:
    state = end()
    assert scores(state) == [20, 20, 20]


def test_shares_are_sold_back_at_the_final_value_split_ones_twice() -> None:
    state = end(shares={0: "EE EE AA"}, split={0: "EE"}, prices={"EE": 7, "AA": 2})
    sales = [
        (line["company"], line["shares"], line["money"]) for line in lines(state, 0, "final_sale")
    ]
    assert sales == [("AA", 1, 2), ("EE", 4, 28)]
    assert scores(state)[0] == 20 + 20 + 30


def test_majorities_are_settled_before_the_sale() -> None:
    state = table(round=7, shares={0: "EE EE", 1: "EE"})
    kinds = [event.kind for event in begin(state, "round_end")]
    assert kinds == ["majority", "final_sale", "final_sale", "game_ended"]


def test_an_open_fee_is_paid_out_of_the_final_money() -> None:
    state = end(shares={0: "EE"}, fees={0: "fee3"}, cash={0: 0}, prices={"EE": 1})
    assert scores(state)[0] == 10 + 1 - 3
    assert lines(state, 0, "fees") == [{"kind": "fees", "money": -3}]


def test_whoever_has_not_the_funds_for_a_fee_at_the_end_keeps_the_card_and_the_money() -> None:
    state = end(fees={0: "fee3", 1: "fee2 fee3"}, cash={0: 2, 1: 0})
    assert scores(state) == [2, 0, 20]
    assert [player.fees for player in state.players] == [["fee3"], ["fee2", "fee3"], []]
    assert lines(state, 0, "fees") == lines(state, 1, "fees") == []


def test_fees_at_the_end_are_paid_smallest_first_each_in_full_or_not_at_all() -> None:
    state = end(shares={0: "EE", 1: "EE"}, fees={0: "fee3 fee2 fee1 fee3"}, cash={0: 0, 1: 0})
    assert lines(state, 0, "fees") == [{"kind": "fees", "money": -9}]  # Out of five and five.
    assert scores(state)[0] == 1
    state = end(shares={0: "EE"}, prices={"EE": 1}, fees={0: "fee3 " * 4 + "fee1"}, cash={0: 0})
    assert scores(state)[0] == 10 + 1 - 1 - 9
    assert state.players[0].fees == ["fee3"]


def test_the_most_money_wins() -> None:
    state = end(4, cash={0: 10, 1: 40, 2: 30, 3: 20})
    result = stockpile.result(state)
    assert result is not None
    assert result.places == [4, 1, 2, 3]


def test_equal_money_shares_the_victory() -> None:
    state = end(4, cash={0: 40, 1: 10, 2: 40, 3: 5})
    result = stockpile.result(state)
    assert result is not None
    assert result.places == [1, 3, 1, 4]


def test_the_lines_of_a_score_add_up_to_it() -> None:
    for seats in (2, 3, 4, 5):
        for seed in range(10):
            sitting = Sitting("stockpile", seats, frozenset(), f"score {seed}").play_on()
            result = stockpile.result(sitting.state)
            assert result is not None
            for score in result.scores:
                assert sum(line["money"] for line in score.lines) == score.total
            assert cash(sitting.state) == scores(sitting.state)


def test_nobody_ever_owes_money_and_nothing_is_held_at_the_end() -> None:
    for seats in (2, 3, 4, 5):
        for options in (frozenset[str](), frozenset({"advanced_board"})):
            sitting = Sitting("stockpile", seats, options, "money")
            for _ in sitting.turns():
                assert min(cash(sitting.state)) >= 0
            for player in sitting.state.players:
                assert held(player.shares) == held(player.split) == {}
                assert player.actions == player.hand == []
                assert all(FEES[fee] > player.cash for fee in player.fees)
