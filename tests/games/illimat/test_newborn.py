"""The Newborn, which reveals the Luminary across the Illimat."""

from stockpile_web.games.illimat.moves import (
    HarvestAll,
)
from stockpile_web.games.illimat.state import State
from tests.games.illimat.table import Words, lying, play, table, told

CLEAR = HarvestAll(("Su6",), 0, 6)


def clearing(hand: str = "Su6 Su7", fields: Words | None = None, **more: Words | None) -> State:
    """Return a table at which a six clears the Summer field."""
    return table({0: hand}, {0: "Au6", **(fields or {})}, up=more.get("up"), down=more.get("down"))


def test_the_newborn_reveals_the_luminary_across_with_three_cards_in_its_field() -> None:
    state = clearing(down={0: "newborn", 2: "maiden"}, fields={2: "Sp9"})
    state.okuses = 2
    events = play(state, CLEAR)
    assert [facts["luminary"] for facts in told(events, "luminary_revealed")] == [
        "newborn", "maiden"
    ]  # fmt: skip
    assert state.fields[2].is_up
    assert len(lying(state, 2)) == 3
    assert len(told(events, "okus_taken")) == 1


def test_a_field_with_three_cards_or_more_gets_none_for_the_newborn() -> None:
    state = clearing(down={0: "newborn", 2: "maiden"}, fields={2: "Sp9 Sp8 Sp7 Wi5"})
    play(state, CLEAR)
    assert len(lying(state, 2)) == 4


def test_a_stockpile_counts_as_one_card_when_a_field_is_filled() -> None:
    state = clearing(down={0: "newborn", 2: "maiden"}, fields={2: "9:Sp3+Sp6 8x2:Sp8+Wi5+Wi3"})
    play(state, CLEAR)
    assert len(lying(state, 2)) == 3


def test_the_newborn_reveals_the_river_with_six_cards() -> None:
    state = clearing(down={0: "newborn", 2: "river"}, fields={2: "Sp9 Sp8 Sp7 Wi5"})
    play(state, CLEAR)
    assert len(lying(state, 2)) == 6


def test_a_new_luminary_comes_where_the_newborn_finds_none() -> None:
    state = clearing(down={0: "newborn"})
    state.unused = ["maiden", "rake"]
    play(state, CLEAR)
    assert (state.fields[2].luminary, state.fields[2].is_up) == ("rake", True)
    assert state.unused == ["maiden"]


def test_nothing_happens_if_the_one_across_is_face_up_or_none_is_left() -> None:
    state = clearing(down={0: "newborn"}, up={2: "maiden"})
    play(state, CLEAR)
    assert lying(state, 2) == []
    state = clearing(down={0: "newborn"})
    play(state, CLEAR)
    assert state.fields[2].luminary == ""


def test_the_newborn_turns_the_illimat_to_the_forest_queen_at_once() -> None:
    state = clearing(down={0: "newborn", 2: "forest_queen"})
    play(state, CLEAR)
    assert state.season(2) == "Su"


def test_children_across_the_newborn_are_discarded_without_three_cards() -> None:
    state = table(
        {0: "Su6 Su7"}, {0: "Au6", 2: "Wi4"}, down={0: "newborn", 2: "children"},
        pile="Sp2 Sp3 Sp4 Sp5 Sp6 Sp7 Sp8 Sp9",
    )  # fmt: skip
    events = play(state, CLEAR)
    assert len(lying(state, 2)) == 3
    assert told(events, "luminary_discarded") == [
        {"luminary": "children", "field": 2, "season": "Wi"}
    ]


def test_a_luminary_across_goes_unseen_if_its_field_cannot_be_filled() -> None:
    state = table(
        {0: "Su6 Su7"}, {0: "Au6", 2: "Wi4"}, down={0: "newborn", 1: "rake", 2: "maiden"},
        pile="Sp2 Sp3 Sp4 Sp5 Sp6 Sp7 Sp8",
    )  # fmt: skip
    events = play(state, CLEAR)
    assert lying(state, 2) == ["Wi4"]
    assert told(events, "luminaries_discarded") == [{"fields": [2], "seasons": ["Wi"]}]
    assert "maiden" not in str(events)
    assert state.fields[1].luminary == "rake"
