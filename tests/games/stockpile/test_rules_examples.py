"""The examples of the rules page: each is played, and what comes of it stands on the page."""

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from stockpile_web.games.stockpile.amounts import money
from stockpile_web.games.stockpile.data import MARKET_DECK, TABLES
from stockpile_web.games.stockpile.data_epic import (
    DICE,
    STRATEGIES_BEYOND_ROUNDS,
    STRATEGIES_DISCARDED,
)
from stockpile_web.games.stockpile.moves import (
    Boom,
    Bust,
    Collect,
    GiveFirstCard,
    Sell,
    SellHalf,
)
from tests.games.stockpile.table import (
    begin,
    bid,
    bids,
    cash,
    held,
    lines,
    on_turn,
    play,
    scores,
    table,
    told,
)

NAMES = ("Ann", "Bob", "Carol")


class Page:
    """The sections of the page, in plain text."""

    def __init__(self, client: FlaskClient) -> None:
        html = client.get("/rules/stockpile").text
        parts = re.split(r'<h2 id="([^"]+)">', html)
        self.sections = dict(zip(parts[1::2], map(plain, parts[2::2]), strict=True))

    def says(self, section: str, *words: str) -> None:
        for each in words:
            assert each in self.sections[section], each


def plain(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split()).replace(" ,", ",")


@pytest.fixture
def page(client: FlaskClient) -> Page:
    return Page(client)


def test_the_examples_of_a_round_come_out_as_the_page_says(page: Page) -> None:
    state = table(piles="CC | BB | LL", cash={0: 20, 1: 20, 2: 20})
    begin(state, "demand")
    bid(state, 0, 0, 3)
    bid(state, 1, 0, 6)
    bid(state, 2, 1, 0)
    assert on_turn(state) == [0]
    least = [money(bids(state, 0, pile)[0]) for pile in range(3)]
    page.says("demand", f"{least[0]} or more on pile 1, {least[1]} or more on pile 2")
    assert least[2] == "$0"

    state = table(actions={0: "boom", 1: "bust"}, prices={"AA": 4, "SS": 2}, shares={2: "SS"})
    begin(state, "action")
    play(state, 0, Boom("AA"))
    page.says("action", f"Ann’s Boom lifts it to {money(state.price('AA'))}")
    play(state, 1, Bust("SS"))
    assert state.price("SS") == 5 and not held(state.players[2].shares)
    page.says("action", "so it is bankrupt at once")

    state = table(shares={0: "EE EE"}, split={0: "EE"}, prices={"EE": 7}, cash={0: 0})
    begin(state, "selling")
    play(state, 0, Sell("EE", 1), SellHalf("EE", 1))
    page.says("selling", f"half of the split one for {money(cash(state)[0])}, and keeps two cards")
    assert held(state.players[0].shares) == {"EE": 2} and not held(state.players[0].split)


def test_the_examples_of_movement_come_out_as_the_page_says(page: Page) -> None:
    pairs = {"EE": "+4", "LL": "-2", "SS": "-3", "BB": "$$"}
    state = table(pairs=pairs, shares={0: "BB BB"}, split={0: "BB"}, cash={0: 0})
    begin(state, "movement")
    prices = {company: money(state.price(company)) for company in pairs}
    page.says(
        "movement",
        f"Epic Electric goes to {prices['EE']}",
        f"Leading Laboratories falls to {prices['LL']}",
        f"Stanford Steel falls to {prices['SS']}",
        f"stays at {prices['BB']}",
    )
    shown = ((Collect(2, 1), "All of them bring her {}"), (Collect(0, 1), "she gets {} and gives"))
    for move, words in shown:
        paid = table(pairs={"BB": "$$"}, shares={0: "BB BB"}, split={0: "BB"}, cash={0: 0})
        begin(paid, "movement")
        play(paid, 0, move)
        page.says("dividends", words.format(money(cash(paid)[0])))

    state = table(pairs={"LL": "+4"}, prices={"LL": 9})
    begin(state, "movement")
    page.says("splits", f"and on to {money(state.price('LL'))} (four)")

    state = table(pairs={"CC": "-3"}, prices={"CC": 2}, shares={0: "CC CC"}, split={1: "CC"})
    begin(state, "movement")
    assert not any(held(player.shares) or held(player.split) for player in state.players)
    page.says("bankruptcy", f"the price is {money(state.price('CC'))} again")


def test_the_example_of_a_rounds_end_comes_out_as_the_page_says(page: Page) -> None:
    state = table(modules="bonds", bonds={0: 2, 2: 1}, cash=dict.fromkeys(range(3), 0))
    events = begin(state, "interest")
    ann, _, carol = map(money, cash(state))
    page.says("round-end", f"Ann gets {ann} and Carol {carol}")
    (began,) = told(events, "round_began")
    page.says("round-end", f"In the next round {NAMES[began['seat']]} goes first")


def test_the_example_of_the_games_end_is_reckoned_as_the_page_says(page: Page) -> None:
    state = table(
        round=7,
        cash={0: 12, 1: 20, 2: 30},
        shares={0: "EE EE SS", 2: "EE"},
        split={1: "SS"},
        prices={"EE": 6, "SS": 3},
    )
    before = cash(state)
    begin(state, "round_end")
    for seat, total in enumerate(scores(state)):
        most = sum(line["money"] for line in lines(state, seat, "majority"))
        sums = (before[seat], most, total - before[seat] - most, total)
        page.says("game-end", " ".join([NAMES[seat], *map(money, sums)]))


def test_the_example_of_two_players_comes_out_as_the_page_says(page: Page) -> None:
    state = table(2, piles="CC | BB | LL | AA", cash={0: 12})
    begin(state, "demand")
    bid(state, 0, 0, 10)
    bid(state, 1, 1, 0)
    low, high = bids(state, 0, 2, meeple=1)
    page.says("two-players", f"she can bid {money(low)} or {money(high)}, on any pile but that")
    assert bids(state, 0, 0, meeple=1) == []


def test_the_examples_of_modules_come_out_as_the_page_says(page: Page) -> None:
    state = table(board="advanced", spaces={"AA": 4, "SS": 8}, pairs={"AA": "+2", "SS": "+1"})
    state.players[0].shares["SS"] = 1
    assert (money(state.price("AA")), money(state.price("SS"))) == ("$9K", "$5K")
    events = begin(state, "movement")
    page.says("advanced-board", f"+2 takes it to {money(state.price('AA'))}")
    assert state.dividend is not None and told(events, "ticker_moved")
    page.says("advanced-board", f"it pays {money(state.dividend.each)} a share")

    ways = [set(die) for die in DICE]
    for face in ("+2", "+2", "-1", "-4", "$", "$$$"):  # One die each: a roll that can be.
        ways.remove(next(die for die in ways if face in die))

    state = table(round=7, modules="commodities", goods={0: "gold oil corn gold tax tax"})
    begin(state, "round_end")
    page.says("commodities", f"all of it brings her {money(scores(state)[0] - 20)}")

    state = table(modules="first_player_card", piles="CC | BB first | LL")
    begin(state, "demand")
    for seat, pile in ((0, 0), (1, 2), (2, 1)):
        bid(state, seat, pile, 0)
    assert on_turn(state) == [2]
    play(state, 2, GiveFirstCard(1))
    assert state.first == 0
    page.says("first-player-card", "In this one Ann still acts first")


def test_the_examples_of_what_is_dealt_count_the_cards(page: Page) -> None:
    four = TABLES[4]
    each = four.piles + 4 * 2 * four.supplies
    assert each == 12 and four.rounds == 6
    used, cards = 4 + four.rounds * each, sum(MARKET_DECK.values())
    page.says("setup", f"{used} of the {cards} cards come into play")
    dealt = four.rounds + STRATEGIES_BEYOND_ROUNDS
    kept = dealt - STRATEGIES_DISCARDED
    assert (dealt, kept, kept - four.rounds) == (9, 7, 1)
    page.says("strategies", "gets nine cards and keeps seven: even with one a round, one is never")
