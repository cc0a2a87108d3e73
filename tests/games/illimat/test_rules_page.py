"""The page of rules: its examples come out as it says, and it leaves out nothing that counts."""

import re

import pytest
from flask.testing import FlaskClient

from stockpile_web.games.illimat.data import FORBIDS, HARVEST, SOW, STOCKPILE, SUITS, TARGET
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
