"""The page of rules: its examples come out as it says, and it leaves out nothing that counts."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from flask.testing import FlaskClient

from stockpile_web.games.stonks.data import COMPANIES
from stockpile_web.games.stonks.moves import Invest
from tests.games.stonks.table import black, choosing, deal, lay, play, table

NAMES = ["Ann", "Bob", "Carol", "Dave"]


@pytest.fixture
def section(client: FlaskClient) -> Callable[[str], str]:
    """What a section of the page says, in plain text."""

    def read(anchor: str) -> str:
        html = client.get(f"/rules/stonks/{anchor}", headers={"HX-Request": "true"}).text
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


def test_the_example_of_who_wins_fits_the_market_above_it(section: Callable[[str], str]) -> None:
    hands = {0: "GG12 CO1", 1: "GG6 CO2", 2: "RA9 CO3", 3: "GG2 CO4"}
    state = table(hands, seats=4, levels="RA1 PA2 MG3 GG4 CO5")
    play(state, lay("GG12"), lay("GG6"), lay("RA9"))
    assert f"{COMPANIES[state.trump()]} is trump, so Carol would win" in section("winning")
    play(state, lay("GG2", "RA", True))
    trump, winner = state.tile(state.trump()), NAMES[state.leader]
    assert f"now {COMPANIES[trump.company]}, at {trump.value}, is trump" in section("winning")
    assert section("winning").endswith(f"{winner} wins.")


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


def test_the_page_says_which_speculation_card_two_players_score(
    section: Callable[[str], str],
) -> None:
    words = section("two-players")
    assert "both have a Speculation Card again" in words and "only that one scores" in words


def test_the_page_says_who_starts_the_second_round_of_two_after_a_void_trick(
    section: Callable[[str], str],
) -> None:
    assert "if that trick was void, by whoever led to it" in section("two-players")
