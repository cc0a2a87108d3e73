"""Investors of the auction: Bernie, Barbara, Carlos, Donald, Liliane and Mitt."""

from typing import Any

import pytest

from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, bid, bids, cash, on_turn, table, told


def demand(investors: dict[int, str], seats: int = 3, piles: str = "", **things: Any) -> State:
    """Return a table at the start of the Demand Phase."""
    piles = piles or "|".join(["CC", "BB", "LL", "AA", "SS"][: 4 if seats == 2 else seats])
    state = table(seats, piles=piles, investors=investors, **things)
    begin(state, "demand")
    return state


def test_bernie_gains_the_trading_fees_he_picks_up() -> None:
    state = demand({0: "bernie"}, piles="CC fee2 (fee3) | BB fee1 | LL")
    for seat in range(3):
        bid(state, seat, seat, 0)
    assert cash(state) == [25, 19, 20]
    assert state.players[0].fees == []
    assert sorted(state.discard) == ["fee1", "fee2", "fee3"]


def test_bernie_must_be_able_to_pay_for_the_pile_before_he_gains() -> None:
    state = demand({0: "bernie"}, piles="CC fee3 (fee3) | BB | LL", cash={0: 5})
    assert bids(state, 0, 0) == [0, 1, 3]


def test_with_two_players_bernie_pays_both_piles_before_he_gains() -> None:
    state = demand({0: "bernie bill"}, 2, "fee3 | BB | LL | AA", cash={0: 3})
    bid(state, 0, 0, 1)
    bid(state, 1, 2, 0)
    assert bids(state, 0, 1, meeple=1) == [0, 1]


def test_barbara_bids_by_a_list_of_her_own() -> None:
    state = demand({0: "barbara"}, cash={0: 21, 1: 99, 2: 99})
    assert bids(state, 0, 0) == [0, 1, 3, 6, 10, 15]  # Spaces up to $15K for her; $22K is next.


@pytest.mark.parametrize(
    ("space", "money"), [(0, 4), (1, 3), (3, 0), (6, -3), (10, -8), (15, -15), (20, -22), (25, -30)]
)
def test_barbara_pays_and_is_paid_as_depicted(space: int, money: int) -> None:
    state = demand({0: "barbara"}, cash={0: 30})
    bid(state, 0, 0, space)
    bid(state, 1, 1, 0)
    events = bid(state, 2, 2, 0)
    assert cash(state)[0] == 30 + money
    assert told(events, "pile_won")[0]["money"] == money


def test_barbaras_first_spaces_pay_her_only_when_she_has_the_pile() -> None:
    state = demand({0: "barbara bill"}, 2, cash={0: 2})
    bid(state, 0, 0, 0)
    bid(state, 1, 2, 0)
    assert cash(state)[0] == 2
    assert bids(state, 0, 1, meeple=1) == [0, 1, 3]  # Not with the $4K that are to come.
    bid(state, 0, 1, 1, meeple=1)
    bid(state, 1, 3, 0, meeple=1)
    assert cash(state)[0] == 2 + 4 + 3


def test_barbaras_money_pays_an_open_fee() -> None:
    state = demand({0: "barbara"}, cash={0: 0}, fees={0: "fee2"})
    bid(state, 0, 0, 0)
    bid(state, 1, 1, 0)
    bid(state, 2, 2, 0)
    assert (cash(state)[0], state.players[0].fees) == (2, [])


def test_whoever_bids_ten_as_donald_pays_six() -> None:
    state = demand({0: "donald"})
    bid(state, 0, 0, 10)
    bid(state, 1, 1, 10)
    bid(state, 2, 2, 0)
    assert cash(state) == [14, 10, 20]


def test_donald_pays_nothing_on_the_first_two_spaces() -> None:
    state = demand({0: "donald"})
    bid(state, 0, 0, 1)
    bid(state, 1, 1, 0)
    bid(state, 2, 2, 0)
    assert cash(state)[0] == 20


def test_donald_may_bid_what_he_can_pay_at_his_own_price() -> None:
    state = demand({0: "donald"}, cash={0: 6})
    assert bids(state, 0, 0) == [0, 1, 3, 6, 10]


def test_donalds_meeples_both_have_the_discount_with_two_players() -> None:
    state = demand({0: "donald bill"}, 2)
    bid(state, 0, 0, 20)
    bid(state, 1, 2, 0)
    assert bids(state, 0, 1, meeple=1) == [0, 1, 3, 6, 10, 15, 20]  # $15K of $30K are left.
    bid(state, 0, 1, 20, meeple=1)
    bid(state, 1, 3, 0, meeple=1)
    assert cash(state)[0] == 0


def test_barbara_and_donald_together_pay_the_space_below_on_her_list() -> None:
    state = demand({0: "barbara donald"}, 2)
    bid(state, 0, 0, 10)
    bid(state, 1, 2, 0)
    bid(state, 0, 1, 0, meeple=1)
    bid(state, 1, 3, 0, meeple=1)
    assert cash(state)[0] == 30 - 3 + 4


def test_a_bid_of_ten_by_carlos_is_outbid_with_twenty_or_more() -> None:
    state = demand({0: "carlos"}, cash={0: 99, 1: 99, 2: 99})
    bid(state, 0, 0, 10)
    assert bids(state, 1, 0) == [20, 25]
    assert bids(state, 1, 1) == [0, 1, 3, 6, 10, 15, 20, 25]


def test_carlos_himself_outbids_others_by_one_space() -> None:
    state = demand({1: "carlos"})
    bid(state, 0, 0, 3)
    assert bids(state, 1, 0)[0] == 6


@pytest.mark.parametrize(("amount", "left"), [(15, [25]), (20, []), (25, [])])
def test_carlos_on_twenty_or_twenty_five_cannot_be_outbid(amount: int, left: list[int]) -> None:
    state = demand({0: "carlos"}, cash={0: 99, 1: 99, 2: 99})
    bid(state, 0, 0, amount)
    assert bids(state, 1, 0) == left


def test_both_meeples_of_carlos_are_hard_to_outbid_with_two_players() -> None:
    state = demand({0: "carlos bill"}, 2, cash={0: 99, 1: 99})
    bid(state, 0, 0, 0)
    bid(state, 1, 2, 0)
    bid(state, 0, 1, 3, meeple=1)
    assert bids(state, 1, 0, meeple=1)[0] == 3
    assert bids(state, 1, 1, meeple=1)[0] == 10


def test_liliane_gets_five_thousand_as_the_demand_phase_begins() -> None:
    state = demand({1: "liliane"}, cash={1: 0})
    assert cash(state) == [20, 5, 20]
    bid(state, 0, 0, 0)
    assert bids(state, 1, 1) == [0, 1, 3]


def test_liliane_pays_a_thousand_each_time_she_is_outbid() -> None:
    state = demand({0: "liliane"})
    bid(state, 0, 0, 0)
    bid(state, 1, 0, 1)
    assert cash(state)[0] == 24
    bid(state, 2, 1, 0)
    bid(state, 0, 1, 1)
    bid(state, 2, 1, 3)
    assert cash(state)[0] == 23


def test_liliane_without_money_pays_nothing_when_outbid() -> None:
    state = demand({0: "liliane"}, cash={0: 0, 1: 20, 2: 20})
    state.players[0].cash = 0
    bid(state, 0, 0, 0)
    bid(state, 1, 0, 1)
    assert cash(state)[0] == 0


def test_liliane_pays_only_what_her_other_bid_does_not_bind() -> None:
    state = demand({0: "liliane bill"}, 2, cash={0: 10, 1: 30})
    bid(state, 0, 0, 15)
    bid(state, 1, 2, 0)
    bid(state, 0, 1, 0, meeple=1)
    events = bid(state, 1, 1, 1, meeple=1)
    assert told(events, "paid_for_being_outbid") == []
    assert told(events, "pile_won")[0]["money"] == -15
    assert cash(state)[0] == 0  # All $15K were bound.


def test_mitt_gets_a_thousand_for_every_bid_and_rebid() -> None:
    state = demand({0: "mitt"})
    events = bid(state, 0, 0, 0)
    assert told(events, "paid_to_bid") == [{"seat": 0, "money": 1}]
    bid(state, 1, 0, 1)
    bid(state, 2, 1, 0)
    assert on_turn(state) == [0]
    bid(state, 0, 2, 0)
    assert cash(state)[0] == 22


def test_mitt_must_have_the_money_before_he_bids() -> None:
    state = demand({0: "mitt"}, cash={0: 5})
    assert bids(state, 0, 0) == [0, 1, 3]


def test_mitt_pays_an_open_fee_with_what_a_bid_brings() -> None:
    state = demand({0: "mitt"}, cash={0: 0}, fees={0: "fee1"})
    bid(state, 0, 0, 0)
    assert (cash(state)[0], state.players[0].fees) == (0, [])


def test_mitt_does_not_pay_a_fee_with_money_that_he_has_bid() -> None:
    state = demand({0: "mitt"}, cash={0: 1}, fees={0: "fee2"})
    bid(state, 0, 0, 1)
    assert (cash(state)[0], state.players[0].fees) == (2, ["fee2"])
    bid(state, 1, 1, 0)
    bid(state, 2, 2, 0)
    assert (cash(state)[0], state.players[0].fees) == (1, ["fee2"])


def test_the_track_shows_where_a_meeple_stands_not_what_is_paid() -> None:
    state = demand({0: "donald"})
    events = bid(state, 0, 0, 10)
    assert told(events, "bid_placed")[0]["amount"] == 10
    standing = stockpile.view(state, None).piles[0].bid
    assert standing is not None
    assert standing.amount == 10
