"""Luminaries that change a turn or the Illimat: Forest Queen, Rake and Union."""

from stockpile_web.games import illimat
from stockpile_web.games.illimat.data import RING
from stockpile_web.games.illimat.moves import (
    Add,
    Finish,
    Harvest,
    HarvestAll,
    Sow,
    SowMore,
    TurnIllimat,
)
from stockpile_web.games.illimat.state import State
from tests.games.illimat.table import Words, can, kinds, lying, play, table, take, told

CLEAR = HarvestAll(("Su6",), 0, 6)


def clearing(hand: str = "Su6 Su7", fields: Words | None = None, **more: Words | None) -> State:
    """Return a table at which a six clears the Summer field."""
    return table({0: hand}, {0: "Au6", **(fields or {})}, up=more.get("up"), down=more.get("down"))


def test_the_forest_queen_turns_her_field_to_summer_when_revealed() -> None:
    state = table({0: "Su6 Su7"}, {1: "Au6"}, down={1: "forest_queen"})
    play(state, HarvestAll(("Su6",), 1, 6))
    assert state.season(1) == "Su"


def test_while_she_is_face_up_face_cards_are_played_but_turn_nothing() -> None:
    state = table({0: "WiK StK"}, {0: "AuK"}, up={0: "forest_queen"})
    assert can(state, Sow("StK", 0))
    assert not can(state, Sow("StK", 0, "Wi"))
    play(state, Sow("WiK", 0))
    assert state.season(0) == "Su"
    assert not illimat.view(state, None).can_turn


def test_whoever_claims_the_forest_queen_turns_the_illimat_as_they_like() -> None:
    for season in RING:
        state = clearing(up={0: "forest_queen"})
        play(state, CLEAR)
        assert illimat.legal(state, 0) == [TurnIllimat(each) for each in RING]
        play(state, TurnIllimat(season))
        assert state.season(0) == season
        assert state.turn.seat == 1


def test_her_claim_comes_before_the_refill() -> None:
    state = table({0: "Su6 Su7"}, {0: "Au6"}, up={0: "forest_queen"}, okuses=1)
    play(state, CLEAR)
    assert lying(state, 0) == []
    play(state, TurnIllimat("Su"))
    assert len(lying(state, 0)) == 3


def test_a_face_card_that_claims_her_turned_nothing() -> None:
    state = table({0: "WiK Su7"}, {0: "AuK"}, up={0: "forest_queen"})
    play(state, HarvestAll(("WiK",), 0, 13))
    assert state.season(0) == "Su"


def test_everyone_sows_a_further_card_into_the_rakes_field_before_or_after_the_play() -> None:
    for is_first in (True, False):
        state = table({0: "Su4 Su5 Su6"}, up={3: "rake"})
        more, sow = SowMore("Su4", 3), Sow("Su5", 0)
        play(state, *((more, sow) if is_first else (sow, more)))
        assert (lying(state, 3), lying(state, 0)) == (["Su4"], ["Su5"])
        assert state.turn.seat == 1
        assert len(state.players[0].hand) == 4
        assert SowMore in kinds(state)


def test_the_further_card_must_be_sown_and_only_once() -> None:
    state = table({0: "Su4 Su5 Su6"}, up={3: "rake"})
    play(state, Sow("Su5", 0))
    assert kinds(state) == {SowMore}
    state = table({0: "Su4 Su5 Su6"}, up={3: "rake"})
    play(state, SowMore("Su5", 3))
    assert SowMore not in kinds(state)


def test_no_season_forbids_the_further_card_and_a_face_card_turns_the_illimat() -> None:
    state = table({0: "WiK Su5 StQ"}, up={3: "rake"})
    assert state.season(3) == "Au"
    assert not can(state, Sow("WiK", 3))
    further = [move for move in illimat.legal(state, 0) if isinstance(move, SowMore)]
    assert [move.season for move in further if move.card == "StQ"] == [*RING]
    play(state, SowMore("WiK", 3))
    assert state.season(3) == "Wi"


def test_with_a_single_card_the_player_chooses_which_duty_it_fulfils() -> None:
    for move in (Sow("Su4", 0), SowMore("Su4", 3)):
        state = table({0: "Su4", 1: "Su5 Su6"}, up={3: "rake"}, pile="")
        play(state, move)
        assert state.turn.seat == 1


def test_the_further_card_comes_before_what_follows_from_a_cleared_field() -> None:
    state = table({0: "Su6 Su7"}, {0: "Au6"}, up={3: "rake"}, okuses=2)
    assert [event.kind for event in play(state, CLEAR)] == ["harvested"]
    assert kinds(state) == {SowMore}
    events = play(state, SowMore("Su7", 3))
    assert [event.kind for event in events][:3] == ["sown", "drew", "okus_taken"]


def test_the_further_card_lapses_if_the_rakes_own_field_was_cleared() -> None:
    state = clearing(up={0: "rake"})
    play(state, CLEAR)
    assert state.players[0].luminaries == ["rake"]
    assert state.turn.seat == 1


def test_a_further_card_may_be_harvested_in_the_same_turn() -> None:
    state = table({0: "Su4 Su10 Wi2"}, {0: "Au6"}, up={0: "rake"})
    play(state, SowMore("Su4", 0), HarvestAll(("Su10",), 0, 10))
    assert state.players[0].harvest == ["Au6", "Su4", "Su10"]
    assert state.players[0].luminaries == ["rake"]


def test_every_other_player_gives_a_summer_card_to_whoever_claims_the_rake() -> None:
    state = table(
        {0: "Su6 Su7"}, {0: "Au6"}, seats=4, up={0: "rake"},
        harvests={1: "SuF Su2 Wi3", 2: "SuF", 3: "Wi2"},
    )  # fmt: skip
    state.players[2].harvest = ["SuK"]
    events = play(state, CLEAR)
    assert state.players[0].harvest == ["Au6", "Su6", "Su2", "SuK"]
    assert state.players[1].harvest == ["SuF", "Wi3"]
    given = [(facts["seat"], facts["card"]) for facts in told(events, "summer_given")]
    assert given == [(1, "Su2"), (2, "SuK"), (3, "")]


def test_a_giver_parts_with_a_fool_last_and_first_with_what_all_have_seen() -> None:
    state = table({0: "Su6 Su7"}, {0: "Au6"}, up={0: "rake"}, harvests={1: "SuF"})
    state.players[1].children = ["Su9", "Wi9", "Wi8"]
    play(state, CLEAR)
    assert state.players[0].harvest[-1] == "Su9"
    assert state.players[1].pile() == ["SuF", "Wi9", "Wi8"]


def test_a_fool_is_given_if_there_is_no_other_summer_card() -> None:
    state = table({0: "Su6 Su7"}, {0: "Au6"}, up={0: "rake"}, harvests={1: "SuF"})
    play(state, CLEAR)
    assert state.players[0].harvest[-1] == "SuF"


def test_the_union_lets_two_cards_harvest_together_in_its_field() -> None:
    fields = {0: "AuK Wi4", 1: "SpK Sp4"}
    state = table({0: "Su10 Su7 Wi2"}, fields, up={0: "union"})
    assert can(state, HarvestAll(("Su10", "Su7"), 0, 17))
    assert not can(state, Harvest(("Su10", "Su7"), 1, 17))
    assert not can(table({0: "Su10 Su7 Wi2"}, fields), Harvest(("Su10", "Su7"), 0, 17))
    play(state, *take("Su10 Su7", 0, "AuK Wi4"))
    assert state.players[0].harvest == ["AuK", "Wi4", "Su10", "Su7"]


def test_of_two_face_cards_the_one_played_last_says_the_season() -> None:
    for first, last in (("WiK", "SpN"), ("SpN", "WiK")):
        state = table({0: "WiK SpN Wi2"}, {0: "AuK AuN Sp9"}, up={0: "union"})
        play(state, *take(f"{first} {last}", 0, "AuK AuN"))
        assert state.season(0) == last[:2]


def test_cards_that_turn_nothing_or_alike_have_no_order() -> None:
    state = table({0: "Su10 Su7 Wi2"}, {0: "AuK Wi4"}, up={0: "union"})
    pairs = [move.cards for move in illimat.legal(state, 0) if isinstance(move, Harvest)]
    assert pairs == [("Su10", "Su7")]
    state = table({0: "WiK WiN Wi3"}, {0: "AuK AuN"}, up={0: "union"})
    pairs = [move.cards for move in illimat.legal(state, 0) if isinstance(move, Harvest)]
    assert [cards for cards in pairs if len(cards) == 2] == [("WiK", "WiN")]


def test_with_the_union_each_fool_is_one_or_fourteen() -> None:
    state = table({0: "SuF AuF Wi9"}, {0: "Au2 AuK Sp2 WiK WiF WiQ SpQ Su4"}, up={0: "union"})
    values = {
        move.value
        for move in illimat.legal(state, 0)
        if isinstance(move, Harvest) and {*move.cards} == {"SuF", "AuF"}
    }
    assert values == {2, 15, 28}


def test_one_card_alone_harvests_in_the_unions_field_as_ever() -> None:
    state = table({0: "Su6 Su7"}, {0: "Au6"}, up={0: "union"})
    assert can(state, CLEAR)


def test_a_luminary_that_was_just_revealed_first_binds_the_next_player() -> None:
    state = clearing(down={0: "rake"})
    play(state, CLEAR)
    assert state.turn.seat == 1
    assert SowMore in kinds(state)


def test_a_harvest_may_be_put_together_while_others_are_asked_nothing() -> None:
    state = table({0: "Su4 Su10 Wi2"}, {0: "Au6 Sp4"}, up={3: "rake"})
    play(state, Harvest(("Su10",), 0, 10), Add("Au6", 6))
    assert kinds(state) == {Add}
    play(state, Add("Sp4", 4))
    assert illimat.legal(state, 0) == [Finish()]
