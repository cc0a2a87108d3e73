"""Stockpiling in the fields: a test for each sentence and each question of the rules."""

from stockpile_web.games import illimat
from stockpile_web.games.illimat.moves import Add, Finish, Harvest, HarvestAll, Sow, Stockpile, Swap
from tests.games.illimat.table import can, kinds, lying, play, stack, table, take, told


def test_a_card_of_the_hand_and_cards_of_a_field_become_one_stack() -> None:
    state = table({0: "Su4 Wi10"}, {0: "Au6 Sp2"})
    play(state, *stack("Su4", 0, 10, "Au6"))
    assert lying(state, 0) == ["Sp2", "10:Su4+Au6"]


def test_a_stack_may_be_of_several_cards_of_the_field() -> None:
    state = table({0: "Su4 Wi9"}, {0: "Au3 Sp2"})
    play(state, *stack("Su4", 0, 9, "Sp2 Au3"))
    assert lying(state, 0) == ["9:Su4+Au3+Sp2"]


def test_at_least_one_card_of_the_field_is_in_it() -> None:
    state = table({0: "Su10 Wi10"}, {0: "Au6 Sp3"})
    assert not can(state, Stockpile("Su10", 0, 10, 10))
    state = table({0: "Su10 Wi10"}, {0: "Au6 Sp4"})
    play(state, Stockpile("Su10", 0, 10, 10))
    assert Finish() not in illimat.legal(state, 0)


def test_a_passive_card_worth_the_stack_must_be_in_hand() -> None:
    assert can(table({0: "Su4 Wi10"}, {0: "Au6"}), *stack("Su4", 0, 10, "Au6"))
    assert not can(table({0: "Su4 Wi9"}, {0: "Au6"}), Stockpile("Su4", 0, 10, 4))


def test_the_active_card_is_not_its_own_passive_card() -> None:
    state = table({0: "Su10 Wi2"}, {0: "Au10"})
    assert not can(state, Stockpile("Su10", 0, 10, 10))


def test_only_the_active_card_leaves_the_hand() -> None:
    state = table({0: "Su4 Wi10"}, {0: "Au6"}, pile="")
    play(state, *stack("Su4", 0, 10, "Au6"))
    assert state.players[0].hand == ["Wi10"]


def test_the_cards_must_add_up_to_the_passive_card() -> None:
    state = table({0: "Su4 Wi10 Wi9"}, {0: "Au6"})
    assert can(state, Stockpile("Su4", 0, 10, 4))
    assert not can(state, Stockpile("Su4", 0, 9, 4))


def test_a_single_stockpile_is_one_card_of_its_whole_value() -> None:
    state = table({0: "Su10"}, {0: "10:Au4+Au6 Sp2"})
    play(state, *take("Su10", 0, "Au4=10"))
    assert lying(state, 0) == ["Sp2"]
    assert state.players[0].harvest == ["Au4", "Au6", "Su10"]


def test_cards_of_a_stockpile_are_not_separated() -> None:
    state = table({0: "Su6 Su4"}, {0: "10:Au4+Au6"})
    assert kinds(state) == {Sow}


def test_cards_of_a_stockpile_are_not_swapped_out() -> None:
    state = table({0: "Su6 Su4"}, {0: "10:Au4+Au6 Wi2"}, up={0: "changeling"})
    swaps = [move for move in illimat.legal(state, 0) if isinstance(move, Swap)]
    assert {swap.item for swap in swaps} == {"Wi2"}


def test_a_stockpile_is_not_harvested_by_the_action_that_makes_it() -> None:
    state = table({0: "Su4 Wi10"}, {0: "Au6"})
    play(state, *stack("Su4", 0, 10, "Au6"))
    assert state.turn.seat == 1
    assert state.players[0].harvest == []


def test_any_player_may_harvest_it_in_a_later_turn() -> None:
    for taker in (0, 1):
        state = table({0: "Su4 Wi10", 1: "Su10 Sp7"}, {0: "Au6"}, pile="")
        play(state, *stack("Su4", 0, 10, "Au6"))
        if taker == 0:
            play(state, Sow("Sp7", 1))
        play(state, *take("Su10" if taker else "Wi10", 0, "Su4=10"))
        assert state.players[taker].harvest[:2] == ["Su4", "Au6"]


def test_a_single_stockpile_may_be_part_of_a_sum() -> None:
    state = table({0: "SuF"}, {0: "10:Au4+Au6 Wi4"})
    play(state, *take("SuF", 0, "Au4=10 Wi4", value=14))
    assert lying(state, 0) == []


def test_a_single_stockpile_may_be_raised_with_a_passive_card_of_the_new_value() -> None:
    state = table({0: "Su3 WiK"}, {0: "10:Au4+Au6"})
    play(state, *stack("Su3", 0, 13, "Au4=10"))
    assert lying(state, 0) == ["13:Su3+Au4+Au6"]
    assert not can(table({0: "Su3 WiQ"}, {0: "10:Au4+Au6"}), Stockpile("Su3", 0, 13, 3))


def test_a_multiple_stockpile_has_its_value_several_times() -> None:
    """The active ten lies next to three cards that make ten."""
    state = table({0: "Su10 Wi10"}, {0: "Au5 Sp3 Wi2"})
    play(state, *stack("Su10", 0, 10, "Au5 Sp3 Wi2"))
    assert lying(state, 0) == ["10x2:Su10+Au5+Sp3+Wi2"]


def test_there_is_no_limit_to_a_multiple_stockpile() -> None:
    state = table({0: "Su10 Wi10"}, {0: "Au5 Sp3 Wi2 Au10 Au7 Su3 Su8 Au2 Su6 Su4"})
    play(state, *stack("Su10", 0, 10, "Au5 Sp3 Wi2 Au10 Au7 Su3 Su8 Au2 Su6 Su4"))
    assert state.fields[0].items[0].times == 6
    assert len(state.fields[0].items[0].cards) == 11


def test_a_multiple_stockpile_is_harvested_by_its_own_value_alone() -> None:
    field = {0: "10x2:Au10+Au4+Au6"}
    assert can(table({0: "Su10"}, field), *take("Su10", 0, "Au10"))
    for card in ("Su4", "Su6", "SuK", "SuF"):
        assert not {Harvest, HarvestAll} & kinds(table({0: card}, field))


def test_a_fool_does_not_take_a_four_with_a_multiple_stockpile_of_tens() -> None:
    state = table({0: "SuF"}, {0: "10x2:Au10+Sp3+Sp7 Wi4"})
    assert not {Harvest, HarvestAll} & kinds(state)


def test_a_multiple_stockpile_is_taken_whole_among_other_groups() -> None:
    state = table({0: "Su10"}, {0: "10x2:Au10+Sp3+Sp7 Wi4 Wi6"})
    play(state, *take("Su10", 0, "Wi4 Wi6 Au10"))
    assert len(state.players[0].harvest) == 6


def test_a_multiple_stockpile_cannot_be_part_of_a_group_that_was_begun() -> None:
    state = table({0: "Su10"}, {0: "10x2:Au10+Sp3+Sp7 Wi4 Wi6"})
    play(state, Harvest(("Su10",), 0, 10), Add("Wi4", 4))
    assert illimat.legal(state, 0) == [Add("Wi6", 6)]


def test_a_ten_may_be_added_to_a_multiple_stockpile_of_tens() -> None:
    state = table({0: "Su10 Wi10"}, {0: "10x2:Au10+Sp3+Sp7"})
    play(state, *stack("Su10", 0, 10, "Au10"))
    assert lying(state, 0) == ["10x3:Su10+Au10+Sp3+Sp7"]


def test_a_four_does_not_make_fourteen_of_a_multiple_stockpile_of_tens() -> None:
    state = table({0: "Su4 WiF"}, {0: "10x2:Au10+Sp3+Sp7"})
    assert Stockpile not in kinds(state)


def test_a_sum_and_a_card_of_its_value_are_stacked_in_one_action() -> None:
    """The four with two and three is nine, and the nine of the field joins it."""
    state = table({0: "Su4 Wi9"}, {0: "Au2 Au3 Sp9"})
    play(state, *stack("Su4", 0, 9, "Au2 Au3 Sp9"))
    assert lying(state, 0) == ["9x2:Su4+Au2+Au3+Sp9"]


def test_the_nine_may_just_as_well_stay_loose() -> None:
    state = table({0: "Su4 Wi9"}, {0: "Au2 Au3 Sp9"})
    play(state, *stack("Su4", 0, 9, "Au2 Au3"))
    assert lying(state, 0) == ["Sp9", "9:Su4+Au2+Au3"]


def test_an_equal_card_makes_a_single_stockpile_multiple() -> None:
    state = table({0: "Su10 Wi10"}, {0: "10:Au4+Au6"})
    play(state, *stack("Su10", 0, 10, "Au4=10"))
    assert lying(state, 0) == ["10x2:Su10+Au4+Au6"]


def test_every_way_to_add_needs_a_passive_card_of_the_result() -> None:
    for field in ("10:Au4+Au6", "10x2:Au10+Sp3+Sp7", "Au10"):
        assert Stockpile in kinds(table({0: "Su10 Wi10"}, {0: field}))
        assert Stockpile not in kinds(table({0: "Su10 Wi9"}, {0: field}))


def test_others_are_told_what_a_passive_card_is_worth_but_do_not_see_it() -> None:
    state = table({0: "Su4 Wi10"}, {0: "Au6"}, pile="")
    events = play(state, *stack("Su4", 0, 10, "Au6"))
    (facts,) = told(events, "stockpiled")
    assert (facts["value"], facts["times"], facts["items"]) == (10, 1, [["Au6"]])
    assert "Wi10" not in str(events)


def test_nobody_can_lie_about_a_passive_card() -> None:
    state = table({0: "Su4 Wi9"}, {0: "Au6"})
    assert Stockpile not in kinds(state)


def test_no_stockpile_is_worth_more_than_fourteen() -> None:
    state = table({0: "Su4 WiF SuK"}, {0: "Au10 Sp9"})
    values = {move.value for move in illimat.legal(state, 0) if isinstance(move, Stockpile)}
    assert values == {13, 14}


def test_the_union_does_not_lift_the_limit_of_a_stockpile() -> None:
    state = table({0: "Su6 Wi10 Wi5"}, {0: "Au9"}, up={0: "union"})
    assert Stockpile not in kinds(state)


def test_nobody_is_required_to_harvest_what_they_have_stacked() -> None:
    state = table({0: "Su4 Wi10", 1: "Sp7 Sp8"}, {0: "Au6"}, pile="")
    play(state, *stack("Su4", 0, 10, "Au6"), Sow("Sp7", 1))
    play(state, Sow("Wi10", 1))
    assert lying(state, 0) == ["10:Su4+Au6"]
