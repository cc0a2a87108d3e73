"""The two-player variant's Demand Phase: two meeples each, on four piles."""

from typing import Any

from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, bid, bids, cash, on_turn, table


def demand(piles: str = "CC | BB | LL | AA", **things: Any) -> State:
    state = table(2, piles=piles, **things)
    begin(state, "demand")
    return state


def test_players_alternate_and_place_all_meeples_before_any_rebid() -> None:
    state = demand(first=1)
    bid(state, 1, 0, 0)
    assert on_turn(state) == [0]
    bid(state, 0, 0, 1)
    assert on_turn(state) == [1]
    assert bids(state, 1, 2, meeple=0) == []  # It was outbid, and has to wait.
    bid(state, 1, 1, 3, meeple=1)
    assert on_turn(state) == [0]
    bid(state, 0, 1, 6, meeple=1)
    assert on_turn(state) == [1]
    assert bids(state, 1, 2, meeple=0) != []


def test_a_player_does_not_bid_on_a_track_with_their_own_meeple() -> None:
    state = demand()
    bid(state, 0, 0, 0)
    bid(state, 1, 1, 0)
    assert bids(state, 0, 0, meeple=1) == []
    assert bids(state, 0, 1, meeple=1) == [1, 3, 6, 10, 15, 20, 25]


def test_both_bids_together_do_not_exceed_the_money() -> None:
    state = demand()
    bid(state, 0, 0, 25)
    bid(state, 1, 1, 20)
    assert bids(state, 0, 2, meeple=1) == [0, 1, 3]
    assert bids(state, 0, 1, meeple=1) == []
    bid(state, 0, 2, 3, meeple=1)
    assert bids(state, 1, 3, meeple=1) == [0, 1, 3, 6, 10]


def test_the_money_of_an_outbid_meeple_is_free_again() -> None:
    state = demand()
    bid(state, 0, 0, 20)
    bid(state, 1, 0, 25)
    assert bids(state, 0, 1, meeple=1)[-1] == 25


def test_a_player_may_bid_twice_in_a_row() -> None:
    state = demand()
    bid(state, 0, 0, 0)
    bid(state, 1, 0, 1)
    bid(state, 0, 1, 0, meeple=1)
    bid(state, 1, 1, 1, meeple=1)
    assert on_turn(state) == [0]
    bid(state, 0, 2, 0)
    assert on_turn(state) == [0]
    bid(state, 0, 3, 0, meeple=1)
    assert state.phase != "demand"


def test_whoever_has_both_meeples_outbid_chooses_which_to_use_first() -> None:
    state = demand()
    bid(state, 0, 0, 0)
    bid(state, 1, 0, 1)
    bid(state, 0, 1, 0, meeple=1)
    bid(state, 1, 1, 1, meeple=1)
    everything = [0, 1, 3, 6, 10, 15, 20, 25]
    assert bids(state, 0, 2, meeple=0) == bids(state, 0, 2, meeple=1) == everything
    bid(state, 0, 2, 0, meeple=1)
    assert bids(state, 0, 3, meeple=1) == []
    assert bids(state, 0, 3, meeple=0) == everything


def test_both_bids_are_paid_before_either_pile_is_opened() -> None:
    state = demand("CC (fee1) | BB | LL | AA", cash={0: 9})
    bid(state, 0, 0, 6)
    bid(state, 1, 2, 1)
    bid(state, 0, 1, 3, meeple=1)
    bid(state, 1, 3, 1, meeple=1)
    assert cash(state) == [0, 28]
    assert state.players[0].fees == ["fee1"]


def test_both_piles_go_to_the_same_player() -> None:
    state = demand()
    bid(state, 0, 0, 6)
    bid(state, 1, 2, 0)
    bid(state, 0, 1, 3, meeple=1)
    bid(state, 1, 3, 0, meeple=1)
    assert cash(state) == [21, 30]
    own = stockpile.view(state, 0).own
    assert own is not None
    assert own.shares == {"CC": 1, "BB": 1}
