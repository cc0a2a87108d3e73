"""The page of rules: its examples come out as it says, and it leaves out nothing that counts."""

import re

import pytest
from flask.testing import FlaskClient

from stockpile_web.engine import Dealer
from stockpile_web.games import illimat
from stockpile_web.games.illimat.data import (
    CARDS,
    FORBIDS,
    HARVEST,
    SOW,
    STOCKPILE,
    SUITS,
    TARGET,
)
from stockpile_web.games.illimat.luminaries import LUMINARIES
from stockpile_web.games.illimat.luminaries.texts import TEXTS
from stockpile_web.games.illimat.moves import HarvestAll, Move, Sow
from tests.games.illimat.table import can, lying, play, stack, table, take, told


@pytest.fixture
def page(client: FlaskClient) -> str:
    return client.get("/rules/illimat").text


def section(page: str, anchor: str) -> str:
    """Return what a section of the page says, in plain text."""
    (found,) = re.findall(rf'<h[23] id="{anchor}">(.*?)(?=<h[23] |</article>)', page, re.S)
    return " ".join(re.sub(r"<[^>]*>", " ", found).split())


def test_every_link_of_the_page_leads_to_a_place_on_it(page: str) -> None:
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len({*ids})
    assert {*re.findall(r'href="#([^"]+)"', page)} - {"main"} <= {*ids}


def test_every_luminary_has_a_place_with_its_title_and_what_it_does(page: str) -> None:
    assert [*TEXTS] == [*LUMINARIES]
    for key, text in TEXTS.items():
        words = section(page, key)
        assert words.startswith(text.title)
        assert ("When turned up:" in words) == bool(text.revealed)
        assert ("While face up:" in words) == bool(text.standing)
        assert ("When claimed:" in words) == bool(text.claimed)


@pytest.mark.parametrize("season", FORBIDS)
def test_the_table_of_seasons_says_what_each_forbids(page: str, season: str) -> None:
    (row,) = re.findall(rf'<tr id="{SUITS[season].lower()}">.*?</tr>', page)
    open_there = ["no" not in cell for cell in re.findall(r"<td>(.*?)</td>", row)]
    assert open_there == [action != FORBIDS[season] for action in (SOW, HARVEST, STOCKPILE)]


def test_the_page_tells_the_target(page: str) -> None:
    assert f"{TARGET} points or more" in section(page, "game-end")


def test_the_example_of_a_harvest_clears_the_field_in_three_groups(page: str) -> None:
    state = table({0: "Sp10 Wi2"}, {0: "Au10 Su7 Wi3 Sp5 Au5"})
    assert can(state, HarvestAll(("Sp10",), 0, 10))
    assert "three groups of ten, and the field is empty" in section(page, "harvest")


@pytest.mark.parametrize(
    ("anchor", "hand", "field", "moves", "stack_of"),
    [
        ("single", "Sp4 Au10", "Su6", stack("Sp4", 0, 10, "Su6"), "10:Sp4+Su6"),
        ("multiple", "Au8 Sp8", "Su5 Wi3", stack("Au8", 0, 8, "Su5 Wi3"), "8x2:Au8+Su5+Wi3"),
        (
            "both", "Sp3 Sp9", "Au2 Wi4 Su9",
            stack("Sp3", 0, 9, "Au2 Wi4 Su9"), "9x2:Sp3+Au2+Wi4+Su9",
        ),
        ("adding", "Sp4 AuQ", "8:Su5+Wi3", stack("Sp4", 0, 12, "Su5=8"), "12:Sp4+Su5+Wi3"),
        ("adding", "Sp8 Au8", "8:Su5+Wi3", stack("Sp8", 0, 8, "Su5=8"), "8x2:Sp8+Su5+Wi3"),
        (
            "adding", "Sp5 Wi8", "8x2:Su8+Au8 Wi3",
            stack("Sp5", 0, 8, "Wi3 Su8=8"), "8x3:Sp5+Su8+Au8+Wi3",
        ),
    ],
)  # fmt: skip
def test_the_examples_of_stockpiles_come_out_as_the_page_says(
    page: str, anchor: str, hand: str, field: str, moves: list[Move], stack_of: str
) -> None:
    state = table({0: hand}, {0: field})
    play(state, *moves)
    assert lying(state, 0) == [stack_of]
    times = {"x2": "wice", "x3": "three times"}.get(stack_of.partition(":")[0][-2:], "single")
    assert times in section(page, anchor)


def test_a_single_stockpile_may_be_part_of_a_sum_and_a_multiple_one_not() -> None:
    state = table({0: "WiF Wi2"}, {0: "10:Sp4+Su6 Au4"})
    assert can(state, HarvestAll(("WiF",), 0, 14))
    state = table({0: "WiN Wi2"}, {0: "8x2:Au8+Su5+Wi3 Sp3"})
    assert not can(state, *take("WiN", 0, "Sp3"))


def test_the_example_of_frost_comes_out_as_the_page_says(page: str) -> None:
    for harvest, okuses, points in (("WiF SpF", 1, 1), ("WiF", 0, 0)):
        state = table(
            {0: "Sp2", 1: ""}, harvests={0: "Sp3 Sp4 Sp5 Sp6", 1: harvest}, pile="", single=True
        )
        state.players[1].okuses = okuses
        (_, bob) = told(play(state, Sow("Sp2", 0)), "round_scored")
        assert bob["money"] == points
    assert "3 − 2 = 1 point" in section(page, "scoring")
    assert "leave him 0" in section(page, "scoring")


def test_the_example_of_setup_counts_the_cards(page: str) -> None:
    state = illimat.setup(3, {}, Dealer("rules"))
    hands = sorted(len(player.hand) for player in state.players)
    laid = sum(len(field.items) for field in state.fields)
    assert (hands, laid, state.okuses) == ([3, 4, 4], 12, 3)
    words = f"Of the {len(CARDS)} cards {len(state.pile)} are left for the pile"
    assert words in section(page, "setup")


def test_the_example_of_seasons_turns_the_whole_box(page: str) -> None:
    state = table({0: "SpQ Su2"}, {2: "Au5"})
    assert [state.season(home) for home in (0, 2)] == ["Su", "Wi"]
    play(state, Sow("SpQ", 2))
    assert state.season(2) == "Sp"
    assert f"Carol’s field is in {SUITS[state.season(0)]} now" in section(page, "seasons")
    assert FORBIDS[state.season(0)] == SOW and "nobody can sow there" in section(page, "seasons")


def test_the_examples_of_turns_come_out_as_the_page_says(page: str) -> None:
    state = table({0: "Au10 Sp4 WiQ Su2"}, {0: "Sp9"})
    play(state, Sow("Su2", 0))
    assert len(state.players[0].hand) == 4 and state.season(0) == "Su"
    assert "so that she has four again" in section(page, "turn")

    state = table({0: "Wi3 Wi2", 1: "Su8 Wi4"}, {0: "Sp5 Au8"}, pile="Wi5 Wi6 Wi7 Wi9")
    play(state, Sow("Wi3", 0), HarvestAll(("Su8",), 0, 8))
    assert lying(state, 0) == []
    assert "clear the field" in section(page, "sow")


def test_the_example_of_clearing_comes_out_as_the_page_says(page: str) -> None:
    state = table({0: "Sp7 Wi2"}, {0: "Su7"}, down={0: "maiden"}, okuses=1)
    play(state, *take("Sp7", 0, "Su7"))
    ann, field = state.players[0], state.fields[0]
    assert (len(ann.hand), ann.okuses, len(field.items), field.is_up) == (4, 1, 3, True)
    state = table({0: "Sp7 Wi2"}, {0: "Su7"}, up={0: "maiden"}, okuses=0)
    play(state, *take("Sp7", 0, "Su7"))
    assert (state.players[0].luminaries, lying(state, 0)) == (["maiden"], [])
    assert "he claims the Luminary, and the field stays empty" in section(page, "clearing")


def test_the_examples_of_luminaries_are_moves_that_are_open(page: str) -> None:
    hands, fields = {0: "Sp9 Wi2"}, {2: "Su9"}
    assert can(table(hands, fields, up={1: "maiden"}), *take("Sp9", 2, "Su9"))
    assert not can(table(hands, fields, down={1: "maiden"}), *take("Sp9", 2, "Su9"))
    assert "Ann may take it with hers" in section(page, "maiden")
    state = table({0: "Sp6 Au9 Wi3"}, {0: "SuK Wi2"}, up={0: "union"})
    assert can(state, *take("Sp6 Au9", 0, "SuK Wi2", 15))
    assert "which are 15 together" in section(page, "union")


def test_the_examples_of_the_ends_come_out_as_the_page_says(page: str) -> None:
    state = table({0: "Sp2", 1: "Sp3 Sp4"}, pile="", harvests={0: "Au3 Au4"}, single=True)
    events = play(state, Sow("Sp2", 0), Sow("Sp3", 0), Sow("Sp4", 0))
    shown = told(events, "round_scored")
    assert len(shown) == 2 and "Sp2" not in state.players[0].harvest
    assert "then the round is counted" in section(page, "round-end")

    state = table({0: "Sp2", 1: ""}, pile="", harvests={0: "Au3 Au4", 1: "Su3"})
    ann, bob = state.players
    ann.score, bob.score, ann.luminaries, bob.okuses = 14, 16, ["maiden"], 1
    play(state, Sow("Sp2", 0))
    found = illimat.result(state)
    assert found is not None and found.places == [1, 2]
    assert {ann.score, bob.score} == {19}
    assert "which makes 19" in section(page, "game-end")
    assert "19 as well. Ann wins" in section(page, "game-end")
