"""The end of a round and of the game: what scores, who wins a tie, and who deals next."""

from stockpile_web.engine import Dealer, Event
from stockpile_web.games import illimat
from stockpile_web.games.illimat.moves import Sow
from stockpile_web.games.illimat.scoring import score
from stockpile_web.games.illimat.state import State
from tests.games.illimat.table import Words, play, table, told


def scored(
    harvests: Words,
    luminaries: Words | None = None,
    okuses: dict[int, int] | None = None,
    scores: dict[int, int] | None = None,
    beginner: bool = False,
) -> State:
    """Return a table whose harvest piles were counted."""
    state = table(seats=len(harvests), harvests=harvests, beginner=beginner)
    for seat, player in enumerate(state.players):
        player.luminaries = (luminaries or {}).get(seat, "").split()
        player.okuses = (okuses or {}).get(seat, 0)
        player.score = (scores or {}).get(seat, 0)
    score(state, Dealer("score"))
    return state


def lines(state: State, seat: int) -> dict[str, int]:
    return {line["kind"]: line["money"] for line in state.players[seat].lines}


def scores(state: State) -> list[int]:
    return [player.score for player in state.players]


def test_most_cards_score_four() -> None:
    state = scored({0: "Au2 Au3", 1: "Sp2"})
    assert lines(state, 0) == {"bumper_crop": 4}
    assert lines(state, 1) == {}


def test_most_summer_cards_score_two_and_most_winter_cards_lose_two() -> None:
    state = scored({0: "Su2 Su3 Au2", 1: "Su4 Wi4", 2: "Wi5 Wi6"}, scores={2: 5})
    assert lines(state, 0) == {"bumper_crop": 4, "sunkissed": 2}
    assert lines(state, 1) == {}
    assert lines(state, 2) == {"frostbit": -2}


def test_each_fool_each_okus_and_each_luminary_scores_one() -> None:
    state = scored({0: "AuF SpF", 1: "Au3 Au4 Au5"}, {0: "maiden union rake"}, okuses={0: 1, 1: 2})
    assert lines(state, 0) == {"fools": 2, "okuses": 1, "luminaries": 3}
    assert lines(state, 1) == {"bumper_crop": 4, "okuses": 2}


def test_two_fools_and_an_okus_with_frost_are_one_point() -> None:
    state = scored({0: "AuF SpF Wi2", 1: "Au3 Au4 Au5 Au6"}, okuses={0: 1})
    assert scores(state)[0] == 1


def test_frost_is_taken_off_last_and_never_below_nothing() -> None:
    state = scored({0: "Wi2", 1: "Au3 Au4"})
    assert scores(state)[0] == 0
    assert lines(state, 0) == {"frostbit": 0}
    state = scored({0: "WiF", 1: "Au3 Au4"})
    assert (scores(state)[0], lines(state, 0)) == (0, {"fools": 1, "frostbit": -1})
    state = scored({0: "Wi2", 1: "Au3 Au4"}, scores={0: 5})
    assert scores(state)[0] == 3


def test_more_luminaries_win_a_tie_for_what_is_good() -> None:
    state = scored({0: "Su2 Au3", 1: "Su3 Au4"}, {1: "maiden"})
    assert lines(state, 0) == {}
    assert lines(state, 1) == {"bumper_crop": 4, "sunkissed": 2, "luminaries": 1}


def test_fewer_luminaries_lose_a_tie_for_the_frost() -> None:
    state = scored({0: "Wi2", 1: "Wi3"}, {1: "maiden"}, scores={0: 9, 1: 9})
    assert lines(state, 0) == {"frostbit": -2}
    assert "frostbit" not in lines(state, 1)


def test_a_tie_with_equal_luminaries_scores_for_nobody() -> None:
    state = scored({0: "Su2 Wi2", 1: "Su3 Wi3"}, okuses={1: 1})
    assert [lines(state, seat) for seat in (0, 1)] == [{}, {"okuses": 1}]


def test_of_three_who_tie_two_with_equal_luminaries_leave_it_to_nobody() -> None:
    state = scored({0: "Su2", 1: "Su3", 2: "Su4"}, {0: "maiden", 1: "rake"})
    assert not any({"sunkissed", "bumper_crop"} & {*lines(state, seat)} for seat in range(3))


def test_without_luminaries_okuses_break_ties() -> None:
    state = scored({0: "Su2", 1: "Su3"}, okuses={1: 1}, beginner=True)
    assert lines(state, 1) == {"bumper_crop": 4, "sunkissed": 2, "okuses": 1}


def test_nobody_is_sunkissed_or_frostbit_without_such_a_card() -> None:
    state = scored({0: "Au2 Au3", 1: "Sp2"}, {0: "maiden"})
    assert not any({"sunkissed", "frostbit"} & {*lines(state, seat)} for seat in (0, 1))


def test_the_river_turns_the_frost_of_its_owner_into_two_points() -> None:
    state = scored({0: "Wi2 Wi3", 1: "Wi4"}, {0: "river"})
    assert lines(state, 0)["frostbit"] == 2
    state = scored({0: "Wi2 Wi3", 1: "Wi4"}, {1: "river"}, scores={0: 9})
    assert lines(state, 0)["frostbit"] == -2


def test_the_river_has_no_say_in_who_is_frostbit() -> None:
    state = scored({0: "Wi2", 1: "Wi3"}, {0: "river"}, scores={1: 9})
    assert lines(state, 1)["frostbit"] == -2
    assert "frostbit" not in lines(state, 0)


def test_cards_that_the_children_hid_count_with_the_others() -> None:
    state = table(harvests={0: "Au2"})
    state.players[1].children = ["Su3", "SuF", "Su4"]
    score(state, Dealer("score"))
    assert lines(state, 1) == {"bumper_crop": 4, "sunkissed": 2, "fools": 1}


def last_cards(**more: int) -> State:
    """Return a table at which the round ends with the next card."""
    state = table({0: "Au4", 1: ""}, {0: "Su9"}, up={0: "union"}, pile="", harvests={0: "Su2 Au3"})
    for name, value in more.items():
        setattr(state, name, value)
    return state


def end(state: State) -> list[Event]:
    return play(state, Sow("Au4", 0))


def test_a_round_ends_when_the_pile_and_all_hands_are_empty() -> None:
    state = last_cards()
    state.players[1].hand = ["Wi9"]
    end(state)
    assert (state.round, state.turn.seat) == (1, 1)
    events = play(state, Sow("Wi9", 0))
    assert [facts["seat"] for facts in told(events, "round_scored")] == [0, 1]
    assert state.round == 2


def test_what_is_left_in_fields_goes_to_nobody() -> None:
    state = last_cards()
    events = end(state)
    shown = told(events, "round_scored")
    assert [facts["cards"] for facts in shown] == [["Su2", "Au3"], []]
    assert [facts["money"] for facts in shown] == [6, 0]


def test_harvest_piles_are_shown_at_scoring_and_not_before() -> None:
    state = last_cards()
    assert illimat.view(state, 1).players[0].pile == 2
    assert "Au3" not in str(illimat.view(state, 1))
    assert "Au3" in str(told(end(state), "round_scored"))


def test_the_deal_passes_to_the_left_and_everything_is_dealt_anew() -> None:
    state = last_cards(dealer=1)
    end(state)
    assert (state.dealer, state.turn.seat) == (0, 1)
    assert [len(player.hand) for player in state.players] == [4, 3]
    assert (state.okuses, state.summer) == (2, 0)
    assert [len(field.items) for field in state.fields] == [3] * 4
    assert all(field.luminary and not field.is_up for field in state.fields)
    for player in state.players:
        assert (player.pile(), player.okuses, player.luminaries) == ([], 0, [])
    assert state.players[0].score == 6


def test_the_game_ends_after_a_round_in_which_somebody_reaches_the_target() -> None:
    for target, is_over in ((7, False), (6, True)):
        state = last_cards(target=target)
        end(state)
        assert (illimat.result(state) is not None) == is_over


def test_points_exist_only_at_the_end_of_a_round() -> None:
    state = last_cards(target=6)
    state.players[1].hand = ["Wi9"]
    end(state)
    assert illimat.result(state) is None


def test_a_single_round_may_be_the_whole_game() -> None:
    state = last_cards(is_single=True)
    end(state)
    assert illimat.result(state) is not None
    assert [illimat.legal(state, seat) for seat in (0, 1)] == [[], []]


def ranked(*players: tuple[int, str, int, str]) -> list[int]:
    """Return the places of players by score, Luminaries, okuses and harvest pile."""
    state = table(seats=len(players))
    for player, (points, luminaries, okuses, harvest) in zip(state.players, players, strict=True):
        player.score, player.luminaries = points, luminaries.split()
        player.okuses, player.harvest = okuses, harvest.split()
    state.phase = "over"
    result = illimat.result(state)
    assert result is not None
    return result.places


def test_the_highest_score_wins() -> None:
    assert ranked((17, "", 0, ""), (19, "", 0, ""), (18, "rake", 2, "")) == [3, 1, 2]


def test_a_tie_is_broken_by_luminaries_then_okuses_then_fools() -> None:
    assert ranked((18, "", 2, "SuF"), (18, "rake", 0, "")) == [2, 1]
    assert ranked((18, "rake", 0, "SuF"), (18, "union", 1, "")) == [2, 1]
    assert ranked((18, "rake", 1, "SuF"), (18, "union", 1, "")) == [1, 2]


def test_who_is_equal_in_everything_shares_the_victory() -> None:
    assert ranked((18, "rake", 1, "SuF"), (18, "union", 1, "WiF"), (3, "", 0, "")) == [1, 1, 3]
