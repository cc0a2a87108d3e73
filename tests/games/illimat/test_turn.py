"""A turn: sowing, harvesting, seasons, drawing, and who is next."""

import pytest

from stockpile_web.engine import Dealer
from stockpile_web.games import illimat
from stockpile_web.games.illimat.data import FORBIDS, RING
from stockpile_web.games.illimat.moves import (
    Add,
    Finish,
    Harvest,
    HarvestAll,
    Move,
    Sow,
    Stockpile,
)
from tests.games.illimat.table import can, kinds, lying, play, table, take, told

PLAYS: dict[str, set[type[Move]]] = {
    "sow": {Sow}, "harvest": {Harvest, HarvestAll}, "stockpile": {Stockpile}
}  # fmt: skip


def test_a_card_is_sown_loose_into_a_field() -> None:
    state = table({0: "Su4 Wi10"}, {0: "Au6"})
    play(state, Sow("Su4", 0))
    assert lying(state, 0) == ["Au6", "Su4"]


def test_a_player_may_sow_even_if_they_could_harvest() -> None:
    state = table({0: "Su6"}, {0: "Au6"})
    assert kinds(state) == {Sow, Harvest, HarvestAll}


@pytest.mark.parametrize("season", RING)
def test_each_season_forbids_one_action_and_summer_none(season: str) -> None:
    state = table({0: "Su6 Wi10 Wi4"}, {0: "Au6"})
    state.turn_to(0, season)
    here = {type(move) for move in illimat.legal(state, 0) if getattr(move, "field", 0) == 0}
    forbidden = PLAYS.get(FORBIDS[season], set())
    assert here == {Sow, Harvest, HarvestAll, Stockpile} - forbidden


def test_summer_is_opposite_winter_and_spring_opposite_autumn() -> None:
    state = table()
    for summer in range(4):
        state.summer = summer
        assert state.season(summer) == "Su"
        assert state.season((summer + 2) % 4) == "Wi"
        assert {state.season((summer + 1) % 4), state.season((summer + 3) % 4)} == {"Sp", "Au"}


def test_a_face_card_gives_its_field_its_season_and_all_fields_turn_with_it() -> None:
    state = table({0: "WiQ Su2"})
    events = play(state, Sow("WiQ", 1))
    assert [state.season(field) for field in range(4)] == ["Sp", "Wi", "Au", "Su"]
    assert told(events, "illimat_turned") == [
        {"field": 1, "before": "Sp", "season": "Wi", "seat": 0}
    ]


def test_other_cards_turn_nothing() -> None:
    state = table({0: "Wi10 Su2"})
    play(state, Sow("Wi10", 1))
    assert state.summer == 0


def test_a_face_card_that_is_picked_up_turns_nothing() -> None:
    state = table({0: "Su6"}, {0: "Au4 Wi2 WiN"})
    play(state, *take("Su6", 0, "Au4 Wi2"))
    assert state.summer == 0


def test_an_action_is_judged_by_the_season_before_the_turn() -> None:
    state = table({0: "WiK Su2"}, {0: "AuK Sp2"})
    play(state, *take("WiK", 0, "AuK"))
    assert state.season(0) == "Wi"
    state = table({0: "SuK Su2"}, {2: "AuK"})
    assert not can(state, Harvest(("SuK",), 2, 13))


def test_a_face_card_of_the_stars_gives_the_season_that_its_player_names() -> None:
    for season in RING:
        state = table({0: "StK Su2"})
        assert not can(state, Sow("StK", 0))
        play(state, Sow("StK", 0, season))
        assert state.season(0) == season


def test_a_harvest_by_a_face_card_of_the_stars_names_a_season_at_its_end() -> None:
    state = table({0: "StK Su2"}, {0: "AuK Sp2"})
    play(state, Harvest(("StK",), 0, 13), Add("AuK", 13))
    ends = [move for move in illimat.legal(state, 0) if isinstance(move, Finish)]
    assert ends == [Finish(season) for season in RING]
    play(state, Finish("Wi"))
    assert state.season(0) == "Wi"


def test_other_stars_name_nothing() -> None:
    state = table({0: "St7 Su2"})
    assert can(state, Sow("St7", 0))
    assert not can(state, Sow("St7", 0, "Wi"))


def test_a_harvest_takes_equal_cards_and_sums_into_the_harvest_pile() -> None:
    state = table({0: "Su10 Wi2"}, {0: "Au7 Sp3 Wi9"})
    events = play(state, *take("Su10", 0, "Au7 Sp3"))
    assert state.players[0].harvest == ["Au7", "Sp3", "Su10"]
    assert lying(state, 0) == ["Wi9"]
    assert told(events, "harvested") == [
        {
            "seat": 0,
            "cards": ["Su10"],
            "field": 0,
            "value": 10,
            "taken": [["Au7"], ["Sp3"]],
            "season": "Su",
            "clears": False,
        }
    ]


def test_a_ten_may_take_five_cards_in_three_groups_and_clears_the_field() -> None:
    state = table({0: "Su10 Wi2"}, {0: "Au10 Au7 Sp3 Sp5 Wi5"}, okuses=1)
    assert can(state, HarvestAll(("Su10",), 0, 10))
    play(state, *take("Su10", 0, "Au10 Au7 Sp3 Sp5 Wi5"))
    assert len(state.players[0].harvest) == 6
    assert state.players[0].okuses == 1


def test_two_equal_cards_may_be_taken_by_one() -> None:
    state = table({0: "Su4"}, {0: "Au4 Wi4"})
    play(state, HarvestAll(("Su4",), 0, 4))
    assert state.players[0].harvest == ["Au4", "Wi4", "Su4"]


def test_nobody_has_to_take_all_but_at_least_one_group() -> None:
    state = table({0: "Su10 Wi2"}, {0: "Au10 Au7 Sp3"})
    play(state, Harvest(("Su10",), 0, 10))
    assert Finish() not in illimat.legal(state, 0)
    play(state, Add("Au10", 10))
    assert Finish() in illimat.legal(state, 0)


def test_a_group_that_was_begun_must_be_filled() -> None:
    state = table({0: "Su10 Wi2"}, {0: "Au10 Au7 Sp3 Sp2"})
    play(state, Harvest(("Su10",), 0, 10), Add("Au10", 10), Add("Au7", 7))
    assert illimat.legal(state, 0) == [Add("Sp3", 3)]


def test_a_card_that_can_be_in_no_group_cannot_be_added() -> None:
    state = table({0: "Su10 Wi2"}, {0: "Au7 Sp3 Sp2"})
    play(state, Harvest(("Su10",), 0, 10))
    assert illimat.legal(state, 0) == [Add("Au7", 7), Add("Sp3", 3)]


def test_each_fool_is_one_or_fourteen_by_itself() -> None:
    state = table({0: "SuF"}, {0: "AuF WiF AuK"})
    play(state, *take("SuF", 0, "AuF=14 WiF AuK", value=14))
    assert len(state.players[0].harvest) == 4


def test_a_played_fool_is_one_or_fourteen() -> None:
    state = table({0: "SuF"}, {0: "AuF Wi10 Wi4"})
    values = {move.value for move in illimat.legal(state, 0) if isinstance(move, Harvest)}
    assert values == {1, 14}


def test_a_field_is_taken_whole_in_one_press_only_if_all_of_it_can_be() -> None:
    assert HarvestAll in kinds(table({0: "Su10"}, {0: "Au7 Sp3 Wi4 Wi6"}))
    assert HarvestAll not in kinds(table({0: "Su10"}, {0: "Au7 Sp3 Wi4 Wi5"}))
    assert HarvestAll not in kinds(table({0: "Su10"}, {0: "Au8 Sp8 Wi3 SuF"}))


def test_nothing_is_harvested_from_an_empty_field() -> None:
    assert kinds(table({0: "Su10 Wi2"})) == {Sow}


def test_a_player_draws_back_to_four_and_only_they_see_what() -> None:
    state = table({0: "Su4 Su5 Su6"}, pile="Wi2 Wi3 Wi4")
    events = play(state, Sow("Su4", 0))
    assert state.players[0].hand == ["Su5", "Su6", "Wi3", "Wi4"]
    drew = next(event for event in events if event.kind == "drew")
    assert drew.seen_by(1) == {"kind": "drew", "seat": 0, "count": 2}
    assert drew.seen_by(0) == {"kind": "drew", "seat": 0, "count": 2, "cards": ["Wi4", "Wi3"]}


def test_the_first_player_plays_from_three_cards_before_drawing() -> None:
    state = illimat.setup(3, {}, Dealer("three"))
    assert len(state.hand()) == 3


def test_the_turn_passes_to_the_left() -> None:
    state = table({0: "Su4 Su5", 1: "Su6 Su7", 2: "Su8 Su9"}, seats=3, turn=1)
    for seat, card in ((1, "Su6"), (2, "Su8"), (0, "Su4")):
        assert state.turn.seat == seat
        play(state, Sow(card, 0))
    assert state.turn.seat == 1


def test_whoever_has_no_card_left_is_skipped() -> None:
    state = table({0: "Su4 Su5", 1: "", 2: "Su8 Su9"}, seats=3, pile="")
    play(state, Sow("Su4", 0))
    assert state.turn.seat == 2


def test_only_who_is_on_turn_has_a_move() -> None:
    state = table(seats=3, turn=1)
    assert illimat.legal(state, 0) == illimat.legal(state, 2) == []
    assert illimat.view(state, None).on_turn == [1]


def test_there_is_always_a_play() -> None:
    for summer in range(4):
        assert Sow in kinds(table({0: "Su4"}, summer=summer))


def test_a_choice_that_was_begun_is_seen_by_its_player_alone() -> None:
    state = table({0: "Su10 Wi2"}, {0: "Au7 Sp3 Sp2"})
    before = [illimat.view(state, viewer) for viewer in (None, 1)]
    play(state, Harvest(("Su10",), 0, 10), Add("Au7", 7))
    own = illimat.view(state, 0).own
    assert own is not None
    assert own.choice is not None
    assert (own.choice.group, own.choice.added, own.choice.times) == ([7], ["Au7"], 0)
    assert [illimat.view(state, viewer) for viewer in (None, 1)] == before


def test_a_play_after_which_nothing_is_drawn_may_be_taken_back() -> None:
    for pile, has_news in (("", False), ("Wi2", True)):
        state = table({0: "Su4 Su5", 1: "Su6"}, pile=pile)
        dealer = Dealer("news")
        illimat.play(state, 0, Sow("Su4", 0), dealer)
        assert dealer.has_news_for(0, Sow("Su4", 0)) == has_news
