"""The rules page says what is printed and played; its numbers are those of the tables."""

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from stockpile_web.games.stockpile.amounts import money
from stockpile_web.games.stockpile.data import (
    ACTIONS,
    BID_TRACK,
    BOARDS,
    COMPANIES,
    FEES,
    FORECASTS,
    MAJORITY,
    MAJORITY_TIED,
    MARKET_DECK,
    SPLIT_BONUS,
    TABLES,
)
from stockpile_web.games.stockpile.data_epic import (
    COMMERCE_DECK,
    COMMODITIES,
    DICE,
    STRATEGIES_BEYOND_ROUNDS,
    STRATEGIES_DISCARDED,
    TAX,
    TAX_PENALTY,
)
from stockpile_web.games.stockpile.investors import INVESTORS, starting_money
from stockpile_web.games.stockpile.modules import OPTIONS
from stockpile_web.games.stockpile.modules.strategies.titles import STRATEGIES
from stockpile_web.settings import ROOT

WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
Page = dict[str, str]


@pytest.fixture
def page(client: FlaskClient) -> Page:
    """The sections of the page as plain text, by the names of their anchors."""
    html = client.get("/rules/stockpile").text
    parts = re.split(r'<h2 id="([^"]+)">', html)
    return dict(zip(parts[1::2], [plain(part) for part in parts[2::2]], strict=True))


def plain(html: str) -> str:
    """Return the words of a page as one reads them."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split()).replace(" ,", ",")


def test_the_deck_is_told_as_printed(page: Page) -> None:
    counts = [sum(MARKET_DECK[card] for card in kind) for kind in (COMPANIES, FEES, ACTIONS)]
    assert counts == [60, 12, 8]
    fees = " and ".join(", ".join(map(money, FEES.values())).rsplit(", ", 1))
    assert f"ten shares of each company, twelve trading fees (four each of {fees})" in page["setup"]
    assert "four Stock Booms and four Stock Busts" in page["setup"]


def test_money_and_rounds_are_told_by_players(page: Page) -> None:
    rounds = {seats: WORDS[printed.rounds] for seats, printed in TABLES.items()}
    told = f"With three players you play {rounds[3]} rounds, with four {rounds[4]}, "
    assert f"{told}with five {rounds[5]}." in page["setup"]
    assert f"You begin with {money(TABLES[3].cash)}" in page["setup"]
    assert f"begins with {money(TABLES[2].cash)}" in page["two-players"]
    assert f"{WORDS[TABLES[2].piles]} stockpiles and {rounds[2]} rounds" in page["two-players"]


def test_as_many_pairs_are_said_to_be_hidden_as_are_left(page: Page) -> None:
    hidden = {
        seats: len(FORECASTS) - seats * printed.pairs - printed.open_pairs
        for seats, printed in TABLES.items()
    }
    by_players = [f"{WORDS[hidden[seats]]} with {WORDS[seats]}" for seats in (3, 4, 5)]
    assert f"{by_players[0]} players, {', '.join(by_players[1:])}." in page["information"]
    assert f"{WORDS[hidden[2]]} stay hidden" in page["two-players"]


def test_the_example_of_information_counts_its_hidden_pair(page: Page) -> None:
    assert "The $$ is another player’s tip or lies hidden" in page["information"]


def test_the_ladder_is_the_bidding_track(page: Page) -> None:
    *lower, highest = map(money, BID_TRACK)
    assert f"ladder: {', '.join(lower)} or {highest}." in page["demand"]


def test_the_rule_of_bidding_leaves_room_for_donald(page: Page) -> None:
    assert "never bid more than you have" not in page["demand"]
    assert "Discount Donald, who pays one space less, may bid more than he has" in page["demand"]


def test_splits_bankruptcies_and_majorities_are_told_as_the_tables_have_them(page: Page) -> None:
    (track,) = set(BOARDS["standard"].values())
    assert f"moves up from {money(track.values[-1])} splits" in page["splits"]
    assert f"puts the price at {money(track.values[track.octagon])}" in page["splits"]
    assert f"pays its owner {money(SPLIT_BONUS)}" in page["splits"]
    assert f"would fall below {money(track.values[0])}" in page["bankruptcy"]
    assert f"returns to {money(track.values[track.start])}" in page["bankruptcy"]
    assert f"gets {money(MAJORITY)};" in page["game-end"]
    assert f"each gets {money(MAJORITY_TIED)}" in page["game-end"]


def test_the_summary_has_the_numbers_of_the_tables(client: FlaskClient) -> None:
    words = plain(client.get("/rules/stockpile/summary").text)
    (track,) = set(BOARDS["standard"].values())
    low, high = money(track.values[0]), money(track.values[-1])
    start, octagon = (money(track.values[space]) for space in (track.start, track.octagon))
    for told in (
        f"All prices at {start}.",
        f"Split: up from {high}.",
        f"the price goes to {octagon} by one step",
        f"Bankrupt: below {low}.",
        f"the price returns to {start}",
        " · ".join(map(money, BID_TRACK)),
    ):
        assert told in words, told
    for forecast in FORECASTS:
        assert forecast.replace("-", "−") in words


def test_every_roll_of_the_dice_has_what_the_page_says(page: Page) -> None:
    kinds = ["".join(sorted({face[0] for face in die})) for die in DICE]
    assert sorted(kinds) == ["$", "$", "+", "+", "-", "-"]
    faces = [int(face) for die in DICE for face in die if "$" not in face]
    assert (min(faces), max(faces)) == (-4, 4)
    assert (
        "two rises, from +1 to +4, two falls, from −1 to −4, and two dividends"
        in (page["forecast-dice"])
    )


def test_taxes_are_told_to_the_last_card(page: Page) -> None:
    assert len(TAX_PENALTY) == COMMERCE_DECK[TAX] + 1
    assert ", ".join(map(money, TAX_PENALTY[2:])) in page["commodities"]


def test_the_hand_of_strategies_is_told_as_it_is_dealt(page: Page) -> None:
    assert f"{WORDS[STRATEGIES_BEYOND_ROUNDS]} more of these cards" in page["strategies"]
    assert f"return {WORDS[STRATEGIES_DISCARDED]} of them" in page["strategies"]


def test_every_strategy_is_shown_with_its_cost_and_with_what_of_it_is_ours(page: Page) -> None:
    modules = {option.key: option.title for option in OPTIONS}
    for title in STRATEGIES.values():
        mark = f"ours: {title.ours}" if title.ours else "ours" if title.house else ""
        cost = f"Costs {title.cost[0].lower()}{title.cost[1:]}." if title.cost else ""
        told = [title.name, mark, modules.get(title.needs, ""), title.text, cost]
        assert " ".join(filter(None, told)) in page["strategies"]


def test_every_investor_is_shown_with_both_sums_of_money(page: Page) -> None:
    for key, investor in INVESTORS.items():
        alone, of_two = (money(starting_money(key, seats)) for seats in (3, 2))
        begins = f"Begins with {alone}; with two players, where each has two, with {of_two}."
        assert f"{investor.text} {begins}" in page["investors"]


def test_the_page_says_what_is_printed_and_what_is_not(page: Page) -> None:
    assert "How many cards of each kind the deck has is as printed" in page["sources"]
    (copies,) = {COMMERCE_DECK[card] for card in COMMODITIES}
    guess = f"{WORDS[copies]} cards of each commodity and {WORDS[COMMERCE_DECK[TAX]]} taxes"
    assert guess in page["sources"]
    uncertain = ("fees amount to", "advanced board", "first ten investors", "faces of the dice")
    assert all(what in page["sources"] for what in uncertain)


def test_the_rulings_say_that_deck_counts_are_printed_and_amounts_are_not() -> None:
    rulings = " ".join((ROOT / "docs" / "rulings" / "stockpile.md").read_text().split())
    (ruling,) = re.findall(r" 12\. (.*?) 13\. ", rulings)
    counts, amounts = ruling.split(" That ", 1)
    assert "as printed: ten of each of six stocks, four of each of three trading fees" in counts
    assert "one other implementation" in amounts
