"""Luminaries that move cards or let them be taken: Maiden, Changeling, River and Children."""

from stockpile_web.engine import Dealer
from stockpile_web.games import illimat
from stockpile_web.games.illimat.moves import (
    Done,
    HarvestAll,
    Sow,
    Swap,
)
from stockpile_web.games.illimat.state import State
from tests.games.illimat.table import Words, can, kinds, lying, play, table, told

CLEAR = HarvestAll(("Su6",), 0, 6)


def clearing(hand: str = "Su6 Su7", fields: Words | None = None, **more: Words | None) -> State:
    """Return a table at which a six clears the Summer field."""
    return table({0: hand}, {0: "Au6", **(fields or {})}, up=more.get("up"), down=more.get("down"))


def test_the_maiden_lets_players_harvest_in_winter_in_every_field() -> None:
    hands, fields = {0: "Su6 Su7"}, {2: "Au6", 1: "Au7"}
    assert not can(table(hands, fields), HarvestAll(("Su6",), 2, 6))
    for home in range(4):
        state = table(hands, fields, up={home: "maiden"})
        assert can(state, HarvestAll(("Su6",), 2, 6))
        assert illimat.view(state, None).fields[2].forbidden == ""


def test_the_maiden_changes_no_other_season() -> None:
    state = table({0: "Su6 Su7"}, up={0: "maiden"})
    forbidden = [field.forbidden for field in illimat.view(state, None).fields]
    assert forbidden == ["", "stockpile", "", "sow"]


def test_a_luminary_that_is_face_down_changes_nothing() -> None:
    state = table({0: "Su6 Su7"}, {2: "Au6"}, down={0: "maiden"})
    assert not can(state, HarvestAll(("Su6",), 2, 6))


def test_the_changeling_lets_a_player_exchange_a_card_in_her_field_before_the_play() -> None:
    state = table({0: "WiK Su2"}, {0: "Au6", 1: "Au7"}, up={0: "changeling"})
    assert can(state, Swap("WiK", "Au6", 0))
    assert not can(state, Swap("WiK", "Au7", 1))
    events = play(state, Swap("WiK", "Au6", 0))
    assert lying(state, 0) == ["WiK"]
    assert state.players[0].hand == ["Su2", "Au6"]
    assert state.summer == 0
    assert told(events, "swapped") == [
        {"seat": 0, "card": "WiK", "taken": "Au6", "field": 0, "season": "Su"}
    ]
    assert Swap not in kinds(state)
    assert state.turn.seat == 0


def test_or_after_the_play_but_before_drawing() -> None:
    state = table({0: "WiK Su2"}, {0: "Au6"}, up={0: "changeling"})
    events = play(state, Sow("Su2", 1))
    assert state.turn.seat == 0
    assert kinds(state) == {Swap, Done}
    events = play(state, Swap("WiK", "Au6", 0))
    assert [event.kind for event in events] == ["swapped", "drew"]
    assert state.turn.seat == 1


def test_nobody_has_to_exchange_anything() -> None:
    state = table({0: "WiK Su2"}, {0: "Au6"}, up={0: "changeling"})
    play(state, Sow("Su2", 1), Done())
    assert lying(state, 0) == ["Au6"]
    assert state.turn.seat == 1


def test_a_turn_ends_by_itself_if_nothing_can_be_exchanged() -> None:
    state = table({0: "WiK Su2"}, {0: "9:Au6+Au3"}, up={0: "changeling"})
    play(state, Sow("Su2", 1))
    assert state.turn.seat == 1


def test_whoever_claims_the_changeling_may_exchange_up_to_two_cards_anywhere() -> None:
    state = clearing("Su6 Su7", {1: "Sp9", 2: "Wi9 8:Wi5+Wi3"}, up={0: "changeling"})
    state.pile = ["WiK", "SpQ"]
    events = play(state, CLEAR)
    assert [event.kind for event in events][:3] == ["harvested", "drew", "luminary_claimed"]
    assert state.turn.seat == 0
    items = {move.item for move in illimat.legal(state, 0) if isinstance(move, Swap)}
    assert items == {"Sp9", "Wi9"}
    play(state, Swap("WiK", "Sp9", 1), Swap("SpQ", "Wi9", 2))
    assert (lying(state, 1), lying(state, 2)) == (["WiK"], ["SpQ", "8:Wi5+Wi3"])
    assert state.players[0].hand == ["Sp9", "Su7", "Wi9"]
    assert state.summer == 0
    assert state.turn.seat == 1


def test_the_two_exchanges_are_one_deal_no_card_is_in_both() -> None:
    state = clearing("Su6 Su7", {1: "Sp9", 2: "Wi9"}, up={0: "changeling"})
    play(state, CLEAR, Swap("Su7", "Sp9", 1))
    swaps = [move for move in illimat.legal(state, 0) if isinstance(move, Swap)]
    assert {swap.item for swap in swaps} == {"Wi9"}
    assert "Sp9" not in {swap.card for swap in swaps}


def test_whoever_claims_the_changeling_may_leave_it() -> None:
    state = clearing("Su6 Su7", {1: "Sp9"}, up={0: "changeling"})
    play(state, CLEAR, Done())
    assert state.turn.seat == 1
    assert lying(state, 1) == ["Sp9"]


def test_a_claim_that_leaves_nothing_to_exchange_asks_nothing() -> None:
    state = clearing("Su6 Su7", {1: "5:Sp3+Sp2"}, up={0: "changeling"})
    play(state, CLEAR)
    assert state.turn.seat == 1


def test_the_river_brings_her_field_to_six_cards() -> None:
    state = clearing(down={0: "river"})
    play(state, CLEAR)
    assert len(lying(state, 0)) == 6
    assert state.fields[0].luminary == "river"


def test_the_river_is_discarded_if_there_are_not_enough_cards_and_the_refill_stays() -> None:
    state = table(
        {0: "Su6 Su7"}, {0: "Au6"}, down={0: "river"}, pile="Sp2 Sp3 Sp4 Sp5 Sp6 Sp7 Sp8 Sp9"
    )
    events = play(state, CLEAR)
    assert len(lying(state, 0)) == 3
    assert told(events, "luminary_discarded") == [{"luminary": "river", "field": 0, "season": "Su"}]
    assert not state.fields[0].luminary


def test_the_children_hide_three_cards_from_everybody() -> None:
    state = clearing(down={0: "children"})
    size = len(state.pile)
    events = play(state, CLEAR)
    under = state.fields[0].under
    assert len(under) == 3
    assert size - len(state.pile) == 3 + 3 + 3
    for viewer in (None, 0, 1):
        seen = [event.seen_by(viewer) for event in events]
        assert not any(card in str(seen) for card in under)
        assert not any(card in str(illimat.view(state, viewer)) for card in under)
        assert illimat.view(state, viewer).fields[0].under == 3
    # When the match is over they lie open, as any Luminary does.
    assert illimat.open_view(state).fields[0].hidden == under
    assert illimat.open_view(clearing(down={0: "children"})).fields[0].luminary == "children"


def test_the_children_are_discarded_without_three_cards() -> None:
    state = table(
        {0: "Su6 Su7"}, {0: "Au6"}, down={0: "children"}, pile="Sp2 Sp3 Sp4 Sp5 Sp6 Sp7 Sp8"
    )
    play(state, CLEAR)
    assert not state.fields[0].luminary
    assert state.fields[0].under == []


def test_the_hidden_cards_go_to_whoever_claims_the_children_and_only_they_see_them() -> None:
    state = clearing(up={0: "children"})
    state.players[1].hand = ["Wi2"]
    state.fields[0].under = ["StK", "StQ", "StN"]
    events = play(state, CLEAR)
    assert state.players[0].pile() == ["Au6", "Su6", "StK", "StQ", "StN"]
    taken = next(event for event in events if event.kind == "hidden_taken")
    assert taken.seen_by(1) == {"kind": "hidden_taken", "seat": 0, "count": 3}
    assert (taken.seen_by(0) or {})["cards"] == ["StK", "StQ", "StN"]
    own = illimat.view(state, 0).own
    assert own is not None
    assert own.children == ["StK", "StQ", "StN"]
    assert "StK" not in str(illimat.view(state, 1))


def test_an_exchange_may_be_taken_back() -> None:
    state = table({0: "WiK Su2"}, {0: "Au6"}, up={0: "changeling"})
    dealer, swap = Dealer("news"), Swap("WiK", "Au6", 0)
    illimat.play(state, 0, swap, dealer)
    assert not dealer.has_news_for(0, swap)
