"""Stockpile's bots: what shares are worth, and that each plays as it should where it is plain."""

from random import Random
from typing import Any

import pytest

from stockpile_web.engine import codec
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.bots import BOTS, sharp
from stockpile_web.games.stockpile.bots.auction import Auction
from stockpile_web.games.stockpile.bots.minds import casual_mind, steady_mind
from stockpile_web.games.stockpile.bots.outlook import Outlook, at_most_drawn, goods_worth
from stockpile_web.games.stockpile.bots.value import value
from stockpile_web.games.stockpile.bots.worth import any_forecast, held_through, moved
from stockpile_web.games.stockpile.data import COMPANIES, FORECASTS
from stockpile_web.games.stockpile.moves import (
    Bid,
    Boom,
    Bust,
    BuyBonds,
    Collect,
    Done,
    Give,
    KeepInvestors,
    LayOpening,
    LookAtPair,
    Move,
    Place,
    PlayStrategy,
    Sell,
    ShowCompanies,
)
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, bid, table

PAIRS = dict(zip(COMPANIES, FORECASTS, strict=True))
EVERYONE = [*BOTS]
every_bot = pytest.mark.parametrize("key", EVERYONE)
thoughtful = pytest.mark.parametrize("key", EVERYONE[1:])


@pytest.fixture(autouse=True)
def little_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is plain needs no more."""
    monkeypatch.setattr(sharp, "TABLES", 20)
    monkeypatch.setattr(sharp, "PLAUSIBLE", 10)
    monkeypatch.setattr(sharp, "LAID_OUT", 8)


def chosen(key: str, state: State, seat: int = 0) -> Move:
    state.forecasts = FORECASTS
    view, moves = stockpile.view(state, seat), stockpile.legal(state, seat)
    move: Move = BOTS[key].choose(view, moves, Random(1))
    return move


# The figures of the sheet of facts: one share, sold when that is better, forecasts by chance.
@pytest.mark.parametrize(
    ("price", "left", "worth"),
    [(1, 1, 2.2), (5, 1, 5.7), (5, 5, 9.1), (10, 1, 11.8), (10, 7, 19.2)],
)
def test_a_share_is_worth_its_price_and_what_may_come(price: int, left: int, worth: float) -> None:
    card = held_through("standard", "CC", price - 1, left, False, any_forecast(False))
    assert card.regular == pytest.approx(worth, abs=0.05)


def test_a_split_doubles_a_card_and_a_second_one_pays() -> None:
    assert moved("standard", "CC", 9, 1, 0, False) == (12, 10 + 12)
    assert moved("standard", "CC", 8, 4, 0, False) == (16, 10 + 16)


def test_a_bankrupt_company_is_worth_nothing() -> None:
    assert moved("standard", "CC", 1, -2, 3, False) == (0, 0)


def test_dollars_on_the_way_are_counted() -> None:
    """Stanford Steel from 1 by three spaces, two of them with a dollar, to 2."""
    assert moved("advanced", "SS", 0, 3, 0, False) == (2 + 2, 4 + 4)


def test_goods_are_scored_by_sets_and_taxes() -> None:
    assert goods_worth(["gold", "oil", "gold", "tax"]) == 8 + 3 - 2
    assert goods_worth([]) == 0


def test_how_many_of_a_kind_were_drawn_is_a_matter_of_chance() -> None:
    assert at_most_drawn(-1, 3, 0.5) == 0
    assert at_most_drawn(0, 2, 0.5) == pytest.approx(0.25)
    assert at_most_drawn(5, 2, 0.5) == pytest.approx(1)


def test_a_seat_counts_the_cards_it_has_seen() -> None:
    state = table(4, shares={0: "EE EE"}, split={1: "EE"}, discard="EE EE", piles="EE (EE) | CC")
    begin(state, "selling")
    assert Outlook(stockpile.view(state, 0)).unseen["EE"] == 10 - 2 - 1 - 2 - 1


@every_bot
def test_all_that_pays_is_shown_for_a_dividend(key: str) -> None:
    state = table(shares={0: "EE EE"}, split={0: "EE"}, pairs={"EE": "$$"})
    begin(state, "movement")
    assert chosen(key, state) == Collect(2, 1)


@every_bot
def test_what_is_known_to_fall_is_sold_in_the_last_round(key: str) -> None:
    pairs, holders = {"EE": "-3", "CC": "+4"}, {"EE": 0, "CC": 0}
    split = {1: "EE EE"}  # Nobody else can hope for the majority.
    state = table(round=7, shares={0: "EE EE CC"}, split=split, pairs=pairs, holders=holders)
    begin(state, "selling")
    assert chosen(key, state) == Sell("EE", 2)
    state.players[0].shares["EE"] = 0
    assert chosen(key, state) == Done()


@thoughtful
def test_a_company_about_to_break_is_sold_before(key: str) -> None:
    state = table(shares={0: "EE"}, prices={"EE": 2}, pairs={"EE": "-3"}, holders={"EE": 0})
    begin(state, "selling")
    assert chosen(key, state) == Sell("EE", 1)


@thoughtful
def test_a_majority_that_is_safe_is_not_sold_for_little(key: str) -> None:
    """One share at 1 that falls brings nothing but the majority: all others have no card."""
    state = table(
        round=7, shares={0: "EE"}, prices={"EE": 5}, pairs={"EE": "-2"}, holders={"EE": 0}
    )
    begin(state, "selling")
    assert chosen(key, state) == Done()


@every_bot
def test_the_own_company_is_raised(key: str) -> None:
    state = table(shares={0: "AA AA AA", 1: "CC"}, actions={0: "boom"})
    begin(state, "action")
    assert chosen(key, state) == Boom("AA")


@every_bot
def test_the_own_company_is_not_lowered(key: str) -> None:
    state = table(shares={0: "AA AA AA", 1: "CC CC"}, split={1: "BB BB"}, actions={0: "bust"})
    begin(state, "action")
    assert chosen(key, state) != Bust("AA")


@thoughtful
def test_the_others_open_cards_are_what_to_break(key: str) -> None:
    state = table(shares={0: "AA"}, split={1: "BB BB BB"}, prices={"BB": 2}, actions={0: "bust"})
    begin(state, "action")
    assert chosen(key, state) == Bust("BB")


@every_bot
def test_the_best_pile_is_bid_for(key: str) -> None:
    piles, cash = "EE EE AA | fee3 fee2 fee3 | fee1 fee2 fee3", {0: 20, 1: 0, 2: 0}
    state = table(piles=piles, cash=cash, pairs=PAIRS)
    begin(state, "demand")
    move = chosen(key, state)
    assert isinstance(move, Bid) and move.pile == 0 and move.space < 5


@thoughtful
def test_the_dearer_card_is_hidden_and_the_bad_one_is_not_beside_it_unseen(key: str) -> None:
    hands, prices = {0: "EE fee3"}, {"EE": 10}
    piles = "CC (CC) | CC (CC) | CC (CC)"
    state = table(hands=hands, piles=piles, prices=prices, pairs=PAIRS)
    state.phase, state.queue, state.supplies = "supply", [0], 1
    move = chosen(key, state)
    assert isinstance(move, Place) and move.down == "EE"


@thoughtful
def test_a_pair_is_looked_at_when_that_costs_nothing(key: str) -> None:
    state = table(
        4, investors={0: "martha"}, pairs={"EE": "+4", "CC": "-3"}, piles="EE | CC | AA | BB"
    )
    begin(state, "demand")
    assert isinstance(chosen(key, state), LookAtPair)


@every_bot
def test_every_company_is_shown_that_pays(key: str) -> None:
    state = table(investors={0: "ana"}, shares={0: "EE CC"}, split={0: "AA"})
    begin(state, "end_of_round")
    assert chosen(key, state) == ShowCompanies()


@thoughtful
@pytest.mark.parametrize("cash", [0, 1, 9])
@pytest.mark.parametrize("other", ["ana", "dangote", "deborah"])
def test_what_must_be_given_is_given_before_more_comes_in(key: str, other: str, cash: int) -> None:
    state = table(
        2,
        modules="commodities",
        investors={0: f"oprah {other}"},
        goods={0: "gold oil"},
        shares={0: "EE CC"},
        cash={0: cash},
    )
    begin(state, "interest")
    assert isinstance(chosen(key, state), Give)


@every_bot
def test_bonds_are_bought_with_idle_money(key: str) -> None:
    state = table(4, modules="bonds", cash={0: 90})
    begin(state, "round_beginning")
    state.round = 1
    assert isinstance(chosen(key, state), BuyBonds)


@every_bot
def test_an_investor_is_kept(key: str) -> None:
    state = table(modules="investors")
    state.players[0].offered = ["bill", "warren"]
    begin(state, "keeping")
    assert chosen(key, state) == KeepInvestors(("bill",))


@thoughtful
def test_money_for_nothing_is_taken(key: str) -> None:
    state = table(round=7, modules="strategies", strategies={0: "offshore_account"})
    begin(state, "action")
    assert chosen(key, state) == PlayStrategy("offshore_account")


@thoughtful
def test_a_strategy_that_costs_more_than_it_brings_is_not_played(key: str) -> None:
    state = table(round=7, modules="bonds strategies", strategies={0: "junk_bonds pump_and_dump"})
    begin(state, "action")
    assert chosen(key, state) != PlayStrategy("pump_and_dump", ("CC",))


def test_a_position_is_worth_more_with_more_money_and_less_if_the_others_have_it() -> None:
    def worth(**cash: int) -> float:
        amounts = {int(seat[1:]): money for seat, money in cash.items()}
        state = table(cash=amounts, shares={0: "EE", 1: "CC"})
        begin(state, "selling")
        return value(stockpile.view(state, 0))

    assert worth(s0=30) > worth(s0=20) > worth(s0=20, s1=30)


def bidding(hidden: str = "CC", **more: Any) -> State:
    """Return a table at which seat 1 has bid $6K on a pile that looks no better than the others."""
    piles = f"CC ({hidden}) | CC (CC) | CC (CC)"
    state = table(pairs=PAIRS, piles=piles, first=1, **more)
    state.forecasts = FORECASTS
    state.piles[0][1].known = [1]
    begin(state, "demand")
    bid(state, 1, 0, 6)
    return state


def test_a_high_bid_is_believed_where_a_good_card_lies_face_down() -> None:
    good, bad = bidding("EE", prices={"EE": 10}), bidding("fee3")
    beliefs = [steady_mind(stockpile.view(state, 1)).belief(state.bids, 1) for state in (good, bad)]
    assert beliefs[0] == pytest.approx(1, abs=0.1)
    assert beliefs[1] < 0.01


def test_a_bid_on_the_pile_that_looks_dearest_may_be_one_at_a_glance() -> None:
    """On it lie two cards that are about to fall, as whoever bids there has seen."""
    falling = next(company for company, forecast in PAIRS.items() if forecast == "-3")
    piles = f"{falling} {falling} | CC | CC"
    state = table(pairs=PAIRS, holders={falling: 1}, piles=piles, first=1)
    state.forecasts = FORECASTS
    begin(state, "demand")
    bid(state, 1, 0, 3)
    view = stockpile.view(state, 1)
    at_a_glance, weighed = casual_mind(view, Random(1)), steady_mind(view)
    assert at_a_glance.belief(state.bids, 1) == 1
    assert weighed.belief(state.bids, 1) < 0.1


def test_an_auction_in_the_head_leaves_the_table_as_it_was() -> None:
    investors = {0: "mitt", 1: "liliane", 2: "donald"}
    state = bidding(investors=investors, fees={0: "fee1"}, cash={0: 0})
    before = codec.dump(state)
    minds = [steady_mind(stockpile.view(state, seat)) for seat in range(len(state.players))]
    auction = Auction(state, minds)
    chances = [auction.chance(2, Bid(pile, 0)) for pile in (1, 2)]
    assert all(0 < chance < 1 for chance in chances)
    assert codec.dump(state) == before
    assert [auction.chance(2, Bid(pile, 0)) for pile in (1, 2)] == chances


def test_sharp_outbids_for_what_it_knows_to_be_there() -> None:
    """The pile on which nobody else sees more than the others is worth a bid to whoever laid it."""
    state = bidding("EE", prices={"EE": 10})
    state.piles[1][1].card, state.piles[1][1].known = "EE", [2]
    assert isinstance(move := chosen("sharp", state, 2), Bid) and move.pile == 1


def test_sharp_lays_the_opening_cards_though_nobody_after_it_does() -> None:
    state = table(4, modules="investors", investors={1: "robins"}, pairs=PAIRS)
    state.deck = ["EE", "CC", "AA", "SS"]
    begin(state, "opening")
    assert isinstance(chosen("sharp", state, 1), LayOpening)
