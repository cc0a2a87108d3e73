"""Why a move is not open: what players can really meet, in their words."""

from typing import Any

import pytest

from stockpile_web.engine import IllegalMove
from stockpile_web.games.stockpile.data import BID_TRACK
from stockpile_web.games.stockpile.moves import (
    Bid,
    Boom,
    Bust,
    BuyBonds,
    BuyDiscarded,
    Collect,
    Done,
    Place,
    PlayStrategy,
    Sell,
    SellHalf,
    SellSplit,
)
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, bid, play, table


def refusal(state: State, seat: int, move: Any) -> str:
    """Return the words in which a move is refused."""
    with pytest.raises(IllegalMove) as refused:
        play(state, seat, move)
    return str(refused.value)


def bidding(**facts: Any) -> State:
    state = table(piles="CC | EE | AA", **facts)
    begin(state, "demand")
    return state


def on(amount: int, pile: int = 0) -> Bid:
    return Bid(pile, BID_TRACK.index(amount))


def test_whoever_is_not_on_turn_is_told_so() -> None:
    assert refusal(bidding(), 1, on(3)) == "It is not your turn."


def test_a_bid_needs_the_money_for_it() -> None:
    state = bidding(cash={0: 6})
    assert refusal(state, 0, on(10)) == "You do not have enough money for that bid."


def test_a_bid_must_be_higher_than_the_one_that_stands() -> None:
    state = bidding()
    bid(state, 0, 0, 6)
    words = "A bid on that pile must be higher than the $6K there."
    assert refusal(state, 1, on(6)) == refusal(state, 1, on(3)) == words
    bid(state, 1, 1, 0)
    assert "higher than the $0 there" in refusal(state, 2, on(0, 1))


def test_whoever_cannot_pay_more_than_stands_cannot_outbid_it() -> None:
    state = bidding(cash={1: 6})
    bid(state, 0, 0, 6)
    assert refusal(state, 1, on(10)) == "You cannot outbid the $6K on that pile."


def test_cunning_carlos_is_outbid_from_further_up() -> None:
    state = bidding(investors={0: "carlos"})
    bid(state, 0, 0, 3)
    assert refusal(state, 1, on(6)).startswith("To outbid that player you must bid $")


def test_nobody_outbids_themselves() -> None:
    state = table(2, piles="CC | EE | AA | BB")
    begin(state, "demand")
    bid(state, 0, 0, 0)
    bid(state, 1, 1, 0)
    assert refusal(state, 0, Bid(0, 3, 1)) == "Your own bid stands on that pile."
    assert refusal(state, 0, Bid(2, 3, 0)) == "That meeple is not the one to bid with now."


@pytest.mark.parametrize(("pile", "space"), [(-1, 0), (3, 0), (0, -1), (0, 99)])
def test_what_is_not_on_the_table_is_not_bid_on(pile: int, space: int) -> None:
    assert refusal(bidding(), 0, Bid(pile, space)).startswith("There is no such")


def test_only_the_cards_in_hand_are_placed() -> None:
    state = table(piles="CC | EE | AA", hands={0: "CC EE"})
    state.phase, state.queue = "supply", [0]
    assert refusal(state, 0, Place("CC", 0, "AA", 1)) == "Those are not the two cards in your hand."
    assert refusal(state, 0, Place("CC", 0, "EE", 7)) == "There is no such pile."


def test_an_action_needs_its_card_and_all_cards_are_used() -> None:
    state = table(actions={0: "boom"})
    begin(state, "action")
    assert refusal(state, 0, Bust("CC")) == "You have no Stock Bust card to use."
    assert refusal(state, 0, Done()) == "Use all your action cards first."
    state = table(actions={0: "bust"})
    begin(state, "action")
    assert refusal(state, 0, Boom("CC")) == "You have no Stock Boom card to use."


def test_nobody_sells_what_they_do_not_have() -> None:
    state = table(shares={0: "EE EE"}, split={0: "AA"})
    begin(state, "selling")
    epic, american, cosmic = "Epic Electric", "American Automotive", "Cosmic Computers"
    assert refusal(state, 0, Sell("EE", 3)) == f"You have only 2 cards of {epic} to sell."
    assert refusal(state, 0, Sell("CC", 1)) == f"You have no cards of {cosmic} to sell."
    assert refusal(state, 0, SellSplit("EE", 1)) == f"You have no split cards of {epic} to sell."
    assert (
        refusal(state, 0, SellHalf("AA", 2)) == f"You have only 1 split card of {american} to sell."
    )


def test_nobody_shows_cards_for_a_dividend_that_they_do_not_have() -> None:
    state = table(shares={0: "EE", 1: "AA"}, pairs={"EE": "$$"})
    begin(state, "movement")
    words = "You do not have so many cards of Epic Electric to show."
    assert refusal(state, 0, Collect(2, 0)) == refusal(state, 1, Collect(1, 0)) == words


def test_what_cannot_be_bought_says_why() -> None:
    state = table(modules="bonds", cash={0: 20})
    begin(state, "round_beginning")
    assert refusal(state, 0, BuyBonds(39)) == "You cannot buy so many bonds."
    state = table(investors={0: "barack"}, discard="CC EE", prices={"EE": 9}, cash={0: 3})
    begin(state, "before_movement")
    nothing = "No card of American Automotive lies on the discard pile."
    assert refusal(state, 0, BuyDiscarded("AA")) == nothing
    assert refusal(state, 0, BuyDiscarded("EE")) == "You do not have enough money for that card."


def test_a_strategy_that_cannot_be_played_says_why() -> None:
    state = table(modules="strategies", strategies={0: "front_running"})
    begin(state, "action")
    assert refusal(state, 0, PlayStrategy("data_broker")) == "You do not hold that strategy."
    words = "That strategy cannot be played like this now."
    assert refusal(state, 0, PlayStrategy("front_running")) == words
