"""Standing orders of Stockpile: each kind, each reason to ask, and what they never do."""

from random import Random
from typing import Any

import pytest

from stockpile_web.engine import Followed, codec
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.data import BID_TRACK
from stockpile_web.games.stockpile.moves import (
    DONE,
    Bid,
    Boom,
    Bust,
    Collect,
    Place,
    Sell,
    SellSplit,
)
from stockpile_web.games.stockpile.orders import follow
from stockpile_web.games.stockpile.orders.book import Book, Offer, look
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, bid, on_turn, play, table
from tests.support.option_sets import large
from tests.support.random_play import Sitting
from tests.support.worlds import worlds_of


def ordered(state: State, seat: int, book: Book) -> Followed | None:
    """Return what a seat's orders come to."""
    return follow(book, stockpile.view(state, seat), stockpile.legal(state, seat))


def why(state: State, seat: int, book: Book) -> str:
    """Return why a seat is asked in spite of its orders."""
    followed = ordered(state, seat, book)
    assert followed is not None and followed.move is None and followed.why is not None
    return str(followed.why["kind"])


def move(state: State, seat: int, book: Book) -> Any:
    """Return the move that was ordered, and see that it is open."""
    followed = ordered(state, seat, book)
    assert followed is not None and followed.why is None
    assert followed.move in stockpile.legal(state, seat)
    return followed.move


def bids_for(state: State, seat: int, *offers: tuple[int, int], **orders: Any) -> Book:
    """Return orders to bid on piles up to so many thousand dollars, in this order."""
    piles = stockpile.view(state, seat).piles
    wanted = [Offer(pile, BID_TRACK.index(most), look(piles[pile])) for pile, most in offers]
    return Book(round=state.round, offers=wanted, **orders)


def bidding(seats: int = 3, **facts: Any) -> State:
    piles = {2: "CC | AA | BB | EE", 3: "CC (boom) | AA | BB", 4: "CC | AA | BB | EE"}[seats]
    state = table(seats, piles=piles, **facts)
    begin(state, "demand")
    return state


# Bids.


def test_the_lowest_bid_is_made_on_the_pile_that_is_wanted_most() -> None:
    state = bidding()
    assert move(state, 0, bids_for(state, 0, (1, 10), (2, 3))) == Bid(1, 0)


def test_whoever_is_outbid_bids_again_as_long_as_the_order_goes() -> None:
    state = bidding()
    book = bids_for(state, 0, (1, 6), (2, 3))
    play(state, 0, move(state, 0, book))
    bid(state, 1, 1, 3)
    bid(state, 2, 0, 0)
    assert on_turn(state) == [0]
    assert move(state, 0, book) == Bid(1, BID_TRACK.index(6))


def test_a_pile_that_costs_more_gives_way_to_the_next() -> None:
    state = bidding(first=1)
    bid(state, 1, 1, 6)
    bid(state, 2, 0, 3)
    assert move(state, 0, bids_for(state, 0, (1, 6), (0, 6))) == Bid(0, BID_TRACK.index(6))


def test_when_no_pile_can_be_had_the_player_is_asked() -> None:
    state = bidding(first=1)
    bid(state, 1, 1, 6)
    bid(state, 2, 0, 3)
    assert why(state, 0, bids_for(state, 0, (1, 6), (0, 3))) == "bids_too_low"


def test_or_the_cheapest_bid_is_made() -> None:
    state = bidding(first=1)
    bid(state, 1, 1, 6)
    bid(state, 2, 0, 3)
    assert move(state, 0, bids_for(state, 0, (1, 6), then="cheapest")) == Bid(2, 0)
    assert move(state, 0, bids_for(state, 0, then="cheapest")) == Bid(2, 0)


def test_an_order_never_bids_more_than_the_player_has() -> None:
    state = bidding(first=1, cash={0: 5})
    bid(state, 1, 1, 3)
    bid(state, 2, 0, 3)
    assert why(state, 0, bids_for(state, 0, (1, 25), (0, 25))) == "bids_too_low"


def test_a_pile_that_has_changed_is_asked_about() -> None:
    state = bidding()
    book = bids_for(state, 0, (1, 10))
    state.piles[1].append(state.piles[0].pop())
    assert why(state, 0, book) == "pile_changed"
    book.anyway = True
    assert move(state, 0, book) == Bid(1, 0)


def test_a_changed_pile_that_is_not_bid_on_does_not_matter() -> None:
    state = bidding()
    book = bids_for(state, 0, (1, 10), (0, 10))
    state.piles[0].pop()
    assert move(state, 0, book) == Bid(1, 0)


def test_bids_lapse_with_their_round() -> None:
    state = bidding()
    book = bids_for(state, 0, (1, 10), then="cheapest", boom="CC", now=["CC"], rest="round")
    state.round += 1
    assert ordered(state, 0, book) is None
    assert book == Book()


def test_with_two_players_both_meeples_follow_the_order() -> None:
    state = bidding(2)
    book = bids_for(state, 0, (1, 10), (2, 3))
    play(state, 0, move(state, 0, book))
    bid(state, 1, 3, 0)
    assert move(state, 0, book) == Bid(2, 0, 1)
    play(state, 0, move(state, 0, book))
    bid(state, 1, 2, 1, meeple=1)
    assert move(state, 0, book) == Bid(2, BID_TRACK.index(3), 1)


def test_with_two_players_the_second_meeple_is_asked_about_if_one_pile_was_named() -> None:
    state = bidding(2)
    book = bids_for(state, 0, (1, 10))
    play(state, 0, move(state, 0, book))
    bid(state, 1, 3, 0)
    assert why(state, 0, book) == "bids_too_low"


def test_investors_are_bid_for_by_order_too() -> None:
    sitting = Sitting("stockpile", 4, frozenset({"investors", "investor_bidding"}), "auction")
    while sitting.state.phase != "auction":
        sitting.step()
    state = sitting.state
    (seat,) = on_turn(state)
    assert move(state, seat, bids_for(state, seat, (2, 3))) == Bid(2, 0)


def worth(**amounts: int) -> Book:
    """Return orders to bid by what cards are worth."""
    return Book(round=1, then="worth", worth={"action": 3, "hidden": 4, **amounts})


def test_by_worth_the_bid_is_made_that_leaves_most_of_what_a_pile_is_worth() -> None:
    state = table(3, piles="CC fee2 | AA (BB) | BB boom")
    begin(state, "demand")
    book = worth(CC=9, AA=1, BB=2)
    assert move(state, 0, book) == Bid(0, 0)  # 7 against 5 and 5: the hidden card counts 4.
    bid(state, 0, 0, 3)
    assert move(state, 1, book).pile in (1, 2)  # To outbid costs 6 and leaves 1.
    assert move(state, 1, worth(CC=20, AA=1, BB=2)) == Bid(0, BID_TRACK.index(6))


def test_by_worth_wished_for_piles_go_first_and_what_is_not_known_is_asked_about() -> None:
    state = table(3, piles="CC | AA | gold")
    begin(state, "demand")
    book = worth(CC=9, AA=1, BB=2)
    assert why(state, 0, book) == "worth_unknown"
    book.offers = bids_for(state, 0, (1, 3)).offers
    assert move(state, 0, book) == Bid(1, 0)


# Selling.


def selling(**facts: Any) -> State:
    state = table(shares={0: "CC CC AA", 1: "BB"}, **facts)
    begin(state, "selling")
    return state


def test_all_of_a_company_is_sold_at_the_price_or_above() -> None:
    book = Book(at={"CC": 8})
    assert ordered(selling(prices={"CC": 7}), 0, book) is None
    for price in (8, 9):
        assert move(selling(prices={"CC": price}), 0, book) == Sell("CC", 2)
    assert book.at == {"CC": 8}


def test_split_cards_are_sold_with_the_others() -> None:
    state = selling(split={0: "CC CC"}, prices={"CC": 9})
    book = Book(at={"CC": 8}, rest="always")
    assert move(state, 0, book) == Sell("CC", 2)
    play(state, 0, Sell("CC", 2))
    assert move(state, 0, book) == SellSplit("CC", 2)
    play(state, 0, SellSplit("CC", 2))
    assert move(state, 0, book) == DONE


def test_what_is_to_be_sold_now_is_sold_at_any_price_and_once() -> None:
    state = selling(split={0: "CC"}, prices={"CC": 1})
    book = Book(round=1, now=["CC"])
    play(state, 0, move(state, 0, book))
    assert book.now == ["CC"]
    play(state, 0, move(state, 0, book))
    assert book.now == []
    assert ordered(state, 0, book) is None


def test_orders_that_have_sold_everything_end_the_turn() -> None:
    state = table(shares={0: "CC", 1: "CC"}, split={0: "EE"}, prices={"EE": 9})
    begin(state, "selling")
    book = Book(round=1, now=["CC"], at={"EE": 8})
    while on_turn(state) == [0]:
        play(state, 0, move(state, 0, book))
    assert state.discard == ["CC", "EE"]
    assert book == Book(round=1, at={"EE": 8})


def test_whoever_has_sold_the_last_card_themselves_is_not_done_by_an_order() -> None:
    state = table(shares={0: "CC"})
    begin(state, "selling")
    play(state, 0, Sell("CC", 1))
    assert ordered(state, 0, Book(round=1, at={"CC": 8})) is None


def test_nothing_is_sold_this_round_and_the_next_is_asked_about() -> None:
    state = selling()
    book = Book(round=1, rest="round")
    assert move(state, 0, book) == DONE
    state.round = 2
    assert ordered(state, 0, book) is None


def test_an_order_for_the_next_round_leaves_this_one_alone() -> None:
    state = selling()
    assert ordered(state, 0, Book(round=2, now=["CC"], rest="round")) is None


def test_an_order_to_sell_what_is_gone_is_put_to_the_player_once() -> None:
    book = Book(round=1, now=["CC", "LL"], rest="round")
    assert why(selling(), 0, book) == "nothing_to_sell"
    assert book.now == ["CC"]
    assert move(selling(), 0, book) == Sell("CC", 2)


# Dividends.


def paying() -> State:
    state = table(shares={0: "CC CC", 1: "CC"}, split={0: "CC"}, pairs={"CC": "$$"})
    begin(state, "movement")
    return state


def test_a_dividend_is_always_collected_in_full() -> None:
    assert move(paying(), 0, Book(dividends="always")) == Collect(2, 1)


def test_never_showing_anything_new_still_collects_on_split_cards() -> None:
    assert move(paying(), 0, Book(dividends="never")) == Collect(0, 1)
    assert move(paying(), 1, Book(dividends="never")) == Collect(0, 0)


def test_without_an_order_a_dividend_is_asked_about() -> None:
    assert ordered(paying(), 0, Book(at={"CC": 1}, rest="always")) is None


def test_whoever_is_asked_about_dividends_is_asked_each_time_whatever_they_hold() -> None:
    """Who was asked only when they hold shares would tell the others by taking their time."""
    holds = table(shares={0: "CC", 1: "AA"}, pairs={"CC": "$$"})
    holds_none = table(shares={0: "AA", 1: "CC"}, pairs={"CC": "$$"})
    for state in (holds, holds_none):
        begin(state, "movement")
        assert ordered(state, 0, everything(state, dividends="ask")) is None


def test_a_new_seat_collects_every_dividend() -> None:
    assert stockpile.ORDERS is not None and stockpile.ORDERS.usual is not None
    assert move(paying(), 0, stockpile.ORDERS.usual()) == Collect(2, 1)


# Actions.


def test_action_cards_are_used_as_ordered() -> None:
    state = table(actions={0: "boom bust boom"})
    begin(state, "action")
    book = Book(round=1, boom="CC")
    play(state, 0, move(state, 0, book))
    assert move(state, 0, book) == Boom("CC")
    play(state, 0, Boom("CC"))
    assert ordered(state, 0, book) is None
    book.bust = "AA"
    assert move(state, 0, book) == Bust("AA")


# Whatever is on the table.


def everything(state: State, dividends: str = "always") -> Book:
    """Return a book that has something to say of every kind of decision."""
    return Book(
        round=state.round,
        then="cheapest",
        at=dict.fromkeys(("CC", "AA"), 6),
        rest="always",
        dividends=dividends,
        boom="CC",
        bust="AA",
    )


def options() -> list[frozenset[str]]:
    return [frozenset(), *large(stockpile)[:2]]


@pytest.mark.parametrize("seats", stockpile.SEATS)
@pytest.mark.parametrize("modules", options(), ids=lambda keys: str(len(keys)))
def test_orders_only_make_legal_moves_and_survive_json(seats: int, modules: frozenset[str]) -> None:
    acted = 0
    for seed in range(3):
        sitting = Sitting("stockpile", seats, modules, f"orders {seed}")
        for _ in sitting.turns():
            for seat in sitting.on_turn():
                book = everything(sitting.state)
                followed = ordered(sitting.state, seat, book)
                assert codec.load(Book, codec.dump(book)) == book
                if followed is not None:
                    acted += 1
                    assert followed.move in stockpile.legal(sitting.state, seat)
    assert acted > 50


def test_orders_do_the_same_in_every_world_that_their_player_cannot_tell_apart() -> None:
    compared = 0
    for seed in range(6):
        sitting = Sitting("stockpile", 2 + seed % 4, options()[seed % 3], f"worlds {seed}")
        for _ in sitting.turns():
            for seat in sitting.on_turn():
                other = worlds_of("stockpile").another_world(sitting.state, seat, Random(seed))
                here = ordered(sitting.state, seat, everything(sitting.state))
                assert ordered(other, seat, everything(other)) == here
                compared += sitting.text() != codec.dump(other)
    assert compared > 100


def test_laying_cards_is_never_ordered() -> None:
    sitting = Sitting("stockpile", 4, frozenset(), "supply")
    (seat,) = sitting.on_turn()
    assert isinstance(stockpile.legal(sitting.state, seat)[0], Place)
    assert ordered(sitting.state, seat, everything(sitting.state)) is None
