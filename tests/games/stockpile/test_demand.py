"""The Demand Phase: bids, re-bids, and what the winners pay and get."""

from typing import Any

import pytest

from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.data import BID_TRACK
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, bid, bids, cash, held, on_turn, table, told

STOCK = "CC | BB | LL | AA | SS"


def demand(seats: int = 3, piles: str = "", **things: Any) -> State:
    """Return a table at the start of the phase."""
    piles = piles or "|".join(STOCK.split("|")[:seats])
    state = table(seats, piles=piles, **things)
    begin(state, "demand")
    return state


def test_a_bidding_track_has_eight_spaces_up_to_twenty_five_thousand() -> None:
    assert BID_TRACK == (0, 1, 3, 6, 10, 15, 20, 25)


def test_players_bid_in_turn_order_on_any_track() -> None:
    state = demand(first=1)
    for seat, pile in [(1, 2), (2, 0)]:
        assert on_turn(state) == [seat]
        bid(state, seat, pile, 0)
    assert on_turn(state) == [0]


def test_a_bid_may_be_placed_on_a_track_with_a_bid_so_long_as_it_increases() -> None:
    state = demand()
    bid(state, 0, 1, 6)
    assert bids(state, 1, 1) == [10, 15, 20]
    assert bids(state, 1, 0) == [0, 1, 3, 6, 10, 15, 20]


def test_nobody_bids_more_than_they_have() -> None:
    state = demand(cash={0: 5, 1: 10, 2: 0})
    assert bids(state, 0, 0) == [0, 1, 3]
    bid(state, 0, 0, 3)
    assert bids(state, 1, 0) == [6, 10]


def test_a_track_is_locked_at_twenty_five_thousand() -> None:
    state = demand(cash={0: 40, 1: 99, 2: 99})
    bid(state, 0, 0, 25)
    assert bids(state, 1, 0) == []
    assert bids(state, 1, 1)[-1] == 25


def test_whoever_is_outbid_bids_again_only_after_all_have_bid_once() -> None:
    state = demand(first=1)
    bid(state, 1, 0, 0)
    bid(state, 2, 0, 1)
    assert on_turn(state) == [0]
    bid(state, 0, 1, 0)
    assert on_turn(state) == [1]


def test_only_a_player_who_was_outbid_bids_again() -> None:
    state = demand()
    bid(state, 0, 0, 3)
    bid(state, 1, 1, 0)
    bid(state, 2, 0, 6)
    assert on_turn(state) == [0]
    bid(state, 0, 2, 0)
    assert state.phase != "demand"


def test_rebids_go_clockwise_from_the_last_bidder() -> None:
    state = demand(4)
    for seat, pile, amount in [(0, 0, 0), (1, 1, 0), (2, 0, 1), (3, 1, 1)]:
        bid(state, seat, pile, amount)
    assert on_turn(state) == [0]
    bid(state, 0, 0, 3)  # Seat 2 is outbid, but seat 1 comes first.
    assert on_turn(state) == [1]
    bid(state, 1, 2, 0)
    assert on_turn(state) == [2]


def test_rebids_pass_over_those_whose_bid_stands() -> None:
    state = demand(4)
    for seat, pile, amount in [(0, 0, 0), (1, 1, 0), (2, 1, 1), (3, 2, 0)]:
        bid(state, seat, pile, amount)
    assert on_turn(state) == [1]
    bid(state, 1, 0, 6)
    assert on_turn(state) == [0]


def test_a_rebid_may_be_on_the_same_track_or_another() -> None:
    state = demand()
    bid(state, 0, 0, 0)
    bid(state, 1, 0, 3)
    bid(state, 2, 1, 1)
    assert bids(state, 0, 0) == [6, 10, 15, 20]
    assert bids(state, 0, 1) == [3, 6, 10, 15, 20]
    assert bids(state, 0, 2) == [0, 1, 3, 6, 10, 15, 20]


def test_bidding_goes_on_until_every_track_holds_one_meeple() -> None:
    state = demand()
    bid(state, 0, 0, 0)
    bid(state, 1, 0, 1)
    bid(state, 2, 0, 3)
    bid(state, 0, 0, 6)
    assert on_turn(state) == [1]
    bid(state, 1, 1, 0)
    assert on_turn(state) == [2]
    assert state.phase == "demand"
    bid(state, 2, 2, 0)
    assert state.phase != "demand"


def test_the_only_bid_that_is_left_makes_itself() -> None:
    state = demand(cash={0: 0, 1: 0, 2: 0})
    bid(state, 0, 2, 0)
    events = bid(state, 1, 0, 0)
    assert [(facts["seat"], facts["pile"]) for facts in told(events, "bid_placed")] == [
        (1, 0),
        (2, 1),
    ]
    assert state.phase != "demand"


def test_a_pile_bid_of_ten_thousand_costs_ten_thousand() -> None:
    state = demand()
    bid(state, 0, 1, 10)
    bid(state, 1, 0, 0)
    bid(state, 2, 2, 3)
    assert cash(state) == [10, 20, 17]


def test_a_pile_may_be_had_for_nothing() -> None:
    state = demand(cash={0: 0})
    bid(state, 0, 1, 0)
    bid(state, 1, 0, 1)
    bid(state, 2, 2, 1)
    assert cash(state)[0] == 0
    assert held(state.players[0].shares) == {"BB": 1}


def test_whoever_was_outbid_pays_for_the_last_bid_alone() -> None:
    state = demand()
    bid(state, 0, 0, 15)
    bid(state, 1, 0, 20)
    bid(state, 2, 1, 0)
    bid(state, 0, 2, 1)
    assert cash(state) == [19, 0, 20]


def test_winners_take_all_cards_of_their_pile_and_the_piles_are_empty() -> None:
    state = demand(piles="CC (EE) CC | BB (boom) | LL", shares={0: "CC"})
    for seat in range(3):
        bid(state, seat, seat, 0)
    assert held(state.players[0].shares) == {"CC": 3, "EE": 1}
    assert held(state.players[1].shares) == {"BB": 1}
    assert state.players[1].actions == ["boom"]
    assert state.piles == [[], [], []]


def test_new_stock_goes_to_the_regular_portfolio_even_after_a_split() -> None:
    state = demand(split={0: "CC"})
    for seat in range(3):
        bid(state, seat, seat, 0)
    assert held(state.players[0].shares) == {"CC": 1}
    assert held(state.players[0].split) == {"CC": 1}


def test_the_winner_alone_learns_what_lay_face_down() -> None:
    state = demand(piles="CC (EE) (boom) | BB | LL")
    bid(state, 0, 0, 3)
    bid(state, 1, 1, 0)
    won = next(event for event in bid(state, 2, 2, 0) if event.kind == "pile_won")
    public = won.seen_by(None)
    assert public == won.seen_by(1)
    assert public == {
        "kind": "pile_won", "seat": 0, "pile": 0, "cards": ["CC"], "hidden_count": 2, "money": -3,
    }  # fmt: skip
    assert won.seen_by(0) == {**public, "hidden": ["EE", "boom"]}


def test_a_pile_that_was_won_is_seen_beside_its_winner_until_the_round_ends() -> None:
    state = demand(piles="CC (BB) | AA | LL")
    state.piles[0][1].by, state.piles[0][1].known = 1, [1]
    for seat in range(3):
        bid(state, seat, seat, 0)

    def won(viewer: int | None) -> list[list[str | None]]:
        players = stockpile.view(state, viewer).players
        return [[laid.card for laid in pile.cards] for pile in players[0].won]

    assert won(0) == won(1) == [["CC", "BB"]]  # Its winner, and who had laid the card.
    assert won(2) == won(None) == [["CC", None]]
    assert [len(player.won) for player in stockpile.view(state, None).players] == [1, 1, 1]
    begin(state, "round_beginning")
    assert won(0) == []


def test_stock_is_kept_secret_but_its_owner_may_look_at_any_time() -> None:
    state = demand()
    for seat in range(3):
        bid(state, seat, seat, 0)
    assert [player.face_down for player in stockpile.view(state, 1).players] == [1, 1, 1]
    own = stockpile.view(state, 1).own
    assert own is not None
    assert own.shares == {"BB": 1}
    assert stockpile.view(state, None).own is None


def test_money_is_public() -> None:
    state = demand(cash={0: 1, 1: 2, 2: 3})
    assert [player.cash for player in stockpile.view(state, None).players] == [1, 2, 3]


@pytest.mark.parametrize(("fee", "amount"), [("fee1", 1), ("fee2", 2), ("fee3", 3)])
def test_a_trading_fee_is_paid_after_the_bid_and_discarded_face_up(fee: str, amount: int) -> None:
    state = demand(piles=f"CC ({fee}) | BB | LL")
    bid(state, 0, 0, 10)
    bid(state, 1, 1, 0)
    bid(state, 2, 2, 0)
    assert cash(state)[0] == 20 - 10 - amount
    assert state.players[0].fees == []
    assert stockpile.view(state, None).discard == [fee]


def test_a_fee_that_cannot_be_paid_stays_open_for_all_to_see() -> None:
    state = demand(piles="CC fee3 | BB | LL", cash={0: 12})
    bid(state, 0, 0, 10)
    bid(state, 1, 1, 0)
    bid(state, 2, 2, 0)
    assert cash(state)[0] == 2
    assert stockpile.view(state, 2).players[0].fees == ["fee3"]
    assert state.discard == []


def test_of_several_fees_the_smallest_are_paid_first() -> None:
    state = demand(piles="fee3 fee1 (fee2) | BB | LL", cash={0: 4})
    bid(state, 0, 0, 0)
    bid(state, 1, 1, 0)
    bid(state, 2, 2, 0)
    assert cash(state)[0] == 1
    assert state.players[0].fees == ["fee3"]


def test_an_old_fee_is_not_paid_while_no_money_comes_in() -> None:
    state = demand(fees={0: "fee2"}, cash={0: 1})
    for seat in range(3):
        bid(state, seat, seat, 0)
    assert cash(state)[0] == 1
    assert state.players[0].fees == ["fee2"]
