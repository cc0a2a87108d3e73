"""Stockpiling where the text is silent: what may be stacked, Fools, seasons, and steps."""

from stockpile_web.engine import Dealer
from stockpile_web.games import illimat
from stockpile_web.games.illimat.moves import Add, Stockpile
from tests.games.illimat.table import can, kinds, lying, play, stack, table


def test_what_another_player_has_stacked_may_be_used() -> None:
    state = table({0: "Su4 Wi10", 1: "Sp3 SpK"}, {0: "Au6"}, pile="")
    play(state, *stack("Su4", 0, 10, "Au6"), *stack("Sp3", 0, 13, "Su4=10"))
    assert lying(state, 0) == ["13:Sp3+Su4+Au6"]


def test_a_new_sum_may_be_added_to_a_multiple_stockpile() -> None:
    state = table({0: "Su4 Wi10"}, {0: "10x2:Au10+Sp3+Sp7 Au6"})
    play(state, *stack("Su4", 0, 10, "Au6 Au10"))
    assert lying(state, 0) == ["10x3:Su4+Au10+Sp3+Sp7+Au6"]


def test_two_stockpiles_of_one_value_may_be_merged_by_a_card_that_makes_it() -> None:
    state = table({0: "Su10 Wi10"}, {0: "10x2:Au10+Sp3+Sp7 10:Wi4+Wi6"})
    play(state, *stack("Su10", 0, 10, "Au10 Wi4=10"))
    assert state.fields[0].items[0].times == 4


def test_two_multiple_stockpiles_are_not_merged_by_a_card_that_makes_no_group() -> None:
    state = table({0: "Su4 Wi10"}, {0: "10x2:Au10+Sp3+Sp7 10x2:Sp10+Wi4+Wi6"})
    assert Stockpile not in kinds(state)


def test_fools_make_a_stockpile_of_ones_or_of_fourteens() -> None:
    state = table({0: "SuF WiF"}, {0: "AuF"})
    assert can(state, *stack("SuF", 0, 1, "AuF"))
    assert can(state, *stack("SuF", 0, 14, "AuF=14", counts=14))
    assert not can(state, Stockpile("SuF", 0, 14, 1))
    play(state, *stack("SuF", 0, 1, "AuF"))
    assert lying(state, 0) == ["1x2:SuF+AuF"]


def test_an_active_fool_may_be_one_or_fourteen() -> None:
    state = table({0: "SuF Wi10"}, {0: "Au9"})
    assert can(state, *stack("SuF", 0, 10, "Au9"))
    state = table({0: "SuF WiF"}, {0: "AuK Sp4 Sp10"})
    assert can(state, *stack("SuF", 0, 14, "AuK"))
    assert can(state, *stack("SuF", 0, 14, "Sp4 Sp10", counts=14))


def test_a_fool_in_a_stockpile_has_been_settled() -> None:
    state = table({0: "Su9 Wi10"}, {0: "AuF"})
    play(state, *stack("Su9", 0, 10, "AuF"))
    assert state.fields[0].items[0].values == (10,)


def test_nothing_is_stockpiled_in_spring() -> None:
    for summer, is_open in ((0, True), (1, True), (2, True), (3, False)):
        state = table({0: "Su4 Wi10"}, {0: "Au6"}, summer=summer)
        assert (Stockpile in kinds(state)) == is_open


def test_a_face_card_that_is_stacked_turns_the_illimat_afterwards() -> None:
    state = table({0: "SpN WiK"}, {0: "Au2"})
    events = play(state, *stack("SpN", 0, 13, "Au2"))
    assert state.season(0) == "Sp"
    assert [event.kind for event in events][:2] == ["stockpiled", "illimat_turned"]


def test_a_step_of_a_stockpile_changes_nothing_on_the_table() -> None:
    state = table({0: "Su4 Wi10"}, {0: "Au6"})
    dealer = Dealer("step")
    illimat.play(state, 0, Stockpile("Su4", 0, 10, 4), dealer)
    illimat.play(state, 0, Add("Au6", 6), dealer)
    assert dealer.events == []
    assert lying(state, 0) == ["Au6"]
    assert state.players[0].hand == ["Su4", "Wi10"]
