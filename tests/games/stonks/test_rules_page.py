"""The page of rules: its examples come out as it says, and it leaves out nothing that counts."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from flask.testing import FlaskClient

from stockpile_web.games.stonks import legal, result
from stockpile_web.games.stonks.data import CARDS, COMPANIES
from stockpile_web.games.stonks.moves import Acquire, Invest
from stockpile_web.games.stonks.state import OVER, State
from tests.games.stonks.table import black, choosing, deal, lay, play, table, values

NAMES = ["Ann", "Bob", "Carol", "Dave"]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def section(client: FlaskClient) -> Callable[[str], str]:
    """What a section of the page says, in plain text."""

    def read(anchor: str) -> str:
        html = client.get(f"/rules/stonks/{anchor}", headers=HTMX).text
        words = html.replace("All the rules", "")
        return " ".join(unescape(re.sub(r"<[^>]*>", "", words)).split())

    return read


def test_the_examples_of_who_starts_come_out_as_the_page_says(
    section: Callable[[str], str],
) -> None:
    shown = {0: "PA1 PA9 MG1", 1: "RA9 RA8 CO1", 2: "RA4 PA2 MG2"}
    for levels in ("RA1 PA2 MG3 GG4 CO5", "RA1 PA1 MG3 GG4 CO5"):
        state = choosing(shown, levels=levels)
        play(state, Invest("PA1", "PA9"), Invest("RA9", "RA8"), Invest("RA4", "PA2"))
        words = "{} starts" if levels.startswith("RA1 PA2") else "{} would start"
        assert words.format(NAMES[state.leader]) in section("portfolio")


@pytest.mark.parametrize("seats", [3, 5])
def test_the_page_tells_where_small_caps_and_blue_chips_start(
    section: Callable[[str], str], seats: int
) -> None:
    *values, last = (tile.value for tile in deal(seats, "small_caps")[0].tiles)
    assert f"{', '.join(map(str, values))} and {last}" in section("small-caps")


def drawn(html: str) -> list[tuple[str, int, str]]:
    """Return the tiles drawn in a section: company, value, and whether it is trump or rests."""
    tiles = re.findall(r'<li class="tile (\w\w)([^"]*)">.*?<p class="at">(\d)</p>', html, re.S)
    return [(company, int(value), state.strip()) for company, state, value in tiles]


def standing(state: State) -> list[tuple[str, int, str]]:
    """Return the tiles of a table in the same way."""
    trump = state.trump()
    return [
        (tile.company, tile.value, "trump" if tile.company == trump else "black" * tile.black)
        for tile in state.tiles
    ]


def test_the_examples_of_who_wins_and_takes_what_fit_the_market_beside_them(
    section: Callable[[str], str], client: FlaskClient
) -> None:
    tiles = drawn(client.get("/rules/stonks/winning", headers=HTMX).text)
    before, after = tiles[:5], tiles[5:]
    hands = {0: "GG12 CO1", 1: "GG6 CO2", 2: "RA9 CO3", 3: "GG2 CO4"}
    levels = " ".join(f"{company}{value}" for company, value, _ in before)
    state = table(hands, seats=4, levels=levels, market="MG7")
    assert standing(state) == before == drawn(client.get("/rules/stonks").text)[:5]
    play(state, lay("GG12"), lay("GG6"), lay("RA9"))
    assert f"{COMPANIES[state.trump()]}, at 1, is trump, so Carol would win" in section("winning")
    play(state, lay("GG2", "RA", True))
    assert standing(state) == after
    trump, winner = state.tile(state.trump()), NAMES[state.leader]
    assert f"now {COMPANIES[trump.company]}, at {trump.value}, is trump" in section("winning")
    assert f"and {winner} wins." in section("winning")
    assert f"{winner} has won the trick above" in section("acquiring")
    worth = {
        card: CARDS[card].stocks * state.tile(CARDS[card].company).value
        for card in ("GG6", "MG7", "GG12")
    }
    assert {Acquire(card) for card in worth} < {*legal(state, state.leader)}
    assert [f"worth {points}" in section("acquiring") for points in worth.values()] == [True] * 3
    assert max(worth, key=lambda card: worth[card]) == "GG6"


@pytest.mark.parametrize(("unused", "places"), [((), [1, 2, 3]), ((0,), [2, 1, 3])])
def test_the_example_of_a_tie_comes_out_as_the_page_says(
    section: Callable[[str], str], unused: tuple[int, ...], places: list[int]
) -> None:
    # Ann's five cards have more stocks than Bob's six.
    portfolios = {0: "PA6 PA7 PA8 MG6 MG7", 1: "CO1 CO2 CO11 CO12 CO13 GG1"}
    state = table(portfolios=portfolios, used=tuple({0, 1, 2} - {*unused}))
    state.players[0].score = state.players[1].score = 41
    state.phase = OVER
    found = result(state)
    assert found is not None and found.places == places
    assert "have 41 points each" in section("game-end")


def test_the_markets_of_the_options_are_drawn_as_they_are_played(
    section: Callable[[str], str], client: FlaskClient
) -> None:
    tiles = drawn(client.get("/rules/stonks/moderate", headers=HTMX).text)
    levels = " ".join(f"{company}{level}" for level, (company, *_) in enumerate(tiles, 1))
    assert standing(table(levels=levels, small=True, black="CO RA", seats=5)) == tiles
    tiles = drawn(client.get("/rules/stonks/small-caps", headers=HTMX).text)
    dealt = [tile.value for tile in deal(5, "small_caps")[0].tiles]
    assert [value for _, value, _ in tiles] == dealt
    values = {company: value for company, value, _ in tiles}
    assert f"are worth {2 * values['CO']} points" in section("small-caps")
    assert f"two of Roter Apfel {2 * values['RA']}" in section("small-caps")


def test_the_examples_of_fluctuation_come_out_as_the_page_says(
    section: Callable[[str], str],
) -> None:
    hands = {0: "PA4 GG1", 1: "PA2 GG2", 2: "PA9 GG3"}
    state = table(hands, levels="RA5 PA3 MG2 GG4 CO1")
    play(state, lay("PA4", "RA", False))
    assert not any(move == lay("PA2", "RA", False) for move in legal(state, 1))
    play(state, lay("PA2", "MG", True))
    found = values(state)
    assert f"Roter Apfel from 5 down to {found['RA']}" in section("fluctuation")
    assert f"lifts Miele Giallo from 2 to {found['MG']}" in section("fluctuation")
    assert black(state) == ["MG"]


def test_the_page_says_that_you_choose_which_card_is_shown(section: Callable[[str], str]) -> None:
    assert "which of the two is to be shown" in section("portfolio")


@pytest.mark.parametrize(("anchor", "small"), [("two-players", True), ("small-caps", False)])
def test_the_page_says_that_a_step_which_changes_no_value_rests_the_company_too(
    section: Callable[[str], str], anchor: str, small: bool
) -> None:
    state, _ = deal(5, "moderate" if small else "small_caps")
    play(state, *(Invest(*player.hand[:2]) for player in state.players))
    left, leader = state.tiles[0], state.players[state.leader]
    leader.hand[0] = "CO5"
    play(state, lay("CO5", left.company, True))
    assert left.value == 1 and black(state) == [left.company]
    assert re.search("the value stays, .* rests all the same|rest .* no value", section(anchor))


def test_the_page_says_which_companies_rest_with_small_caps(section: Callable[[str], str]) -> None:
    assert "only the one that moved last" in section("small-caps")
    assert not deal(4, "small_caps")[0].keeps_black


def test_the_page_says_that_both_rounds_of_two_begin_with_a_portfolio(
    section: Callable[[str], str],
) -> None:
    state = deal(2)[0]
    while state.round == 1:
        play(state, legal(state, state.on_turn()[0])[0])
    assert state.phase == "portfolio"
    assert "Both rounds begin with two cards for the portfolio" in section("two-players")


def test_the_page_says_which_speculation_card_two_players_score(
    section: Callable[[str], str],
) -> None:
    words = section("two-players")
    assert "both have a Speculation Card again" in words and "only that one scores" in words


def test_the_page_says_who_starts_the_second_round_of_two_after_a_void_trick(
    section: Callable[[str], str],
) -> None:
    assert "if that trick was void, by whoever led to it" in section("two-players")
