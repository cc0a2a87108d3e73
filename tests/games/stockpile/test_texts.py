"""What cards say is what they do: amounts, choices, and what of a card is our own."""

import re
from typing import Any

import pytest

from stockpile_web.engine import Event
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.amounts import money
from stockpile_web.games.stockpile.data import BID_TRACK, TABLES
from stockpile_web.games.stockpile.data_epic import (
    BARBARAS_TRACK,
    BLOCK_TRADING,
    SHORT_PRICE,
    VALUE_INVESTING,
)
from stockpile_web.games.stockpile.in_play import of_table
from stockpile_web.games.stockpile.investors import INVESTORS, starting_money
from stockpile_web.games.stockpile.modules.strategies.titles import STRATEGIES
from stockpile_web.games.stockpile.moves import PlayStrategy, Sell
from stockpile_web.games.stockpile.state import Pair, State
from tests.games.stockpile.table import begin, bids, cash, play, table, told

LONGEST = 170  # Characters, in small print on a card on a phone.


def amounts(text: str) -> list[int]:
    """Return the sums of money in a text, in its order."""
    return [int(amount) for amount in re.findall(r"\$(\d+)", text)]


@pytest.mark.parametrize("card", [*INVESTORS.values(), *STRATEGIES.values()], ids=lambda c: c.name)
def test_a_text_is_whole_sentences_and_fits_on_a_card(card: Any) -> None:
    assert len(card.text) <= LONGEST
    assert card.text[0] in "$ABCDEFGHIJKLMNOPQRSTUVWXYZ" and card.text.endswith(".")
    assert "'" not in card.text  # As on all pages, apostrophes are ’.


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("bill", "of the first ten"),
        ("bernie", "once the piles are paid for"),
        ("graham", "strategies that say “sell”"),
        ("martha", "All see which pair"),
        ("mark", "All see which one moves"),
        ("warren", "All see which pile"),
        ("ana", "all of them or nothing"),
        ("chanda", "discard a stock card, or make a split one regular again"),
        ("chanda", "Both are shown"),
        ("barack", "at least $0. All see which"),
        ("donald", "you may bid more than you have"),
        ("phil", "All learn which of the two kinds"),
        ("mitt", "must be there already"),
        ("oprah", "must give"),
        ("oprah", "as much as you have"),
        ("sanders", "then has least: perhaps you, never the one you took it from"),
    ],
)
def test_an_investor_says_what_a_player_must_know(key: str, words: str) -> None:
    assert words in INVESTORS[key].text


def test_an_investor_says_you_may_if_the_power_need_not_be_used() -> None:
    for investor in INVESTORS.values():
        if hasattr(investor.power, "must"):
            assert ("you may" in investor.text) != investor.power.must, investor.name


def test_bill_has_the_most_money_of_the_first_ten_but_not_of_all() -> None:
    first = {key for key, investor in INVESTORS.items() if investor.set == "base"}
    assert len(first) == 10
    for players in (2, 3):
        money_of = {key: starting_money(key, players) for key in INVESTORS}
        assert max(first, key=money_of.__getitem__) == "bill"
        assert max(money_of, key=money_of.__getitem__) != "bill"


def test_barbara_says_what_each_space_of_her_list_costs() -> None:
    assert amounts(INVESTORS["barbara"].text) == [abs(price) for price in BARBARAS_TRACK]


def test_donald_says_what_he_pays_and_that_he_may_bid_more_than_he_has() -> None:
    pays, stands_on = amounts(INVESTORS["donald"].text)
    assert BID_TRACK.index(stands_on) == BID_TRACK.index(pays) + 1
    state = table(piles="EE | CC | LL", investors={0: "donald"}, cash={0: pays})
    begin(state, "demand")
    assert max(bids(state, 0, 0)) == stands_on


def test_carlos_says_on_which_spaces_he_is_safe() -> None:
    carlos = INVESTORS["carlos"]
    beyond = carlos.power.spaces_to_outbid(1)
    assert amounts(carlos.text) == [*BID_TRACK[-beyond:]]


def test_ivan_says_how_many_strategies_he_draws() -> None:
    assert "one less than there are rounds" in INVESTORS["ivan"].text
    for seats, printed in TABLES.items():
        drawn = INVESTORS["ivan"].power.strategies_drawn(0, table(seats))
        assert drawn == printed.rounds - 1


def test_li_says_what_three_bonds_bring() -> None:
    state = table(modules="bonds", bonds={0: 3})
    more = INVESTORS["li"].power.interest(0, state, 0)
    assert INVESTORS["li"].text.endswith(f"{money(more)} for three.")


@pytest.mark.parametrize("card", [INVESTORS["soros"], STRATEGIES["short_and_distort"]])
def test_a_short_sale_says_what_a_share_brings(card: Any) -> None:
    assert amounts(card.text) == [SHORT_PRICE]


@pytest.mark.parametrize(
    ("key", "pays"), [("block_trading", BLOCK_TRADING), ("value_investing", VALUE_INVESTING)]
)
def test_a_strategy_says_what_each_space_pays(key: str, pays: dict[int, int]) -> None:
    spaces = [f"{money(brings)} on {money(BID_TRACK[space])}" for space, brings in pays.items()]
    assert ", ".join(spaces) in STRATEGIES[key].text


def test_a_strategy_says_its_cost_in_money() -> None:
    for title in STRATEGIES.values():
        costs = amounts(title.cost) if title.cost.startswith("$") else []
        assert title.card.cost == sum(costs), title.name


@pytest.mark.parametrize(("forecast", "becomes"), [("+2", "−1"), ("−2", "+1")])
def test_falsified_earnings_says_what_becomes_of_a_forecast(forecast: str, becomes: str) -> None:
    assert f"{forecast} becomes {becomes}" in STRATEGIES["falsified_earnings"].text
    pair = Pair("EE", forecast.replace("−", "-"), None, known=[], falsified=True)
    (strategies,) = of_table(table(modules="strategies"))
    assert strategies.forecast((0, int(pair.forecast)), pair) == (0, int(becomes.replace("−", "-")))


def playing(key: str, investor: str = "bill") -> tuple[State, list[Event]]:
    """Play a strategy at a table where each of them brings something."""
    state = table(
        modules="strategies bonds commodities",
        investors={0: investor},
        strategies={0: key},
        shares={0: "CC CC"},
        split={0: "LL"},
        actions={0: "boom"},
        goods={0: "gold gold tax"},
        bonds={0: 1},
        pairs={"CC": "+1", "EE": "-2", "SS": "$$", "AA": "+2"},
        holders={"CC": 0, "EE": 1},
        prices={"CC": 6},
        discard="AA",
    )
    state.players[0].ended, state.players[0].fees_won = [0, 7], 1
    begin(state, "action")
    way = next(move for move in stockpile.legal(state, 0) if isinstance(move, PlayStrategy))
    return state, play(state, 0, way)


@pytest.mark.parametrize(
    ("key", "times"),
    [
        ("corner_the_market", 1),
        ("corporate_espionage", 1),
        ("data_broker", 1),
        ("diversification", 2),
        ("fraudulent_transfer", 1),
        ("interpositioning", 1),
        ("naked_short", 1),
        ("offshore_account", 1),
    ],
)
def test_a_strategy_says_what_it_pays(key: str, times: int) -> None:
    state, _ = playing(key)
    assert [cash(state)[0] - 20] == [each * times for each in amounts(STRATEGIES[key].text)]


@pytest.mark.parametrize("key", ["dividend_growth", "special_dividend"])
def test_a_strategy_says_what_dividend_it_declares(key: str) -> None:
    (declared,) = told(playing(key)[1], "dividend_declared")
    assert f"pays {money(declared['each'])} a share to all who show" in STRATEGIES[key].text


@pytest.mark.parametrize("key", STRATEGIES)
def test_graham_gains_by_those_strategies_that_say_sell_and_by_no_others(key: str) -> None:
    gain = gained(key, "graham") - gained(key, "bill")
    assert gain == bool(re.search(r"\bsell\b", STRATEGIES[key].text, re.I))


def gained(key: str, investor: str) -> int:
    """Return what a strategy brings, with the sale of one share if it allows that."""
    state, _ = playing(key, investor)
    if state.dividend is None and state.phase == "action":
        sale = Sell("CC", 1)
        if sale in stockpile.legal(state, 0):
            play(state, 0, sale)
    return cash(state)[0]


def test_only_two_named_strategies_have_nothing_of_our_own() -> None:
    unmarked = {key for key, title in STRATEGIES.items() if not (title.ours or title.house)}
    assert unmarked == {"convertible_bond", "naked_short"}


def test_a_title_of_our_own_is_ours_altogether() -> None:
    assert not any(title.house and title.ours for title in STRATEGIES.values())
