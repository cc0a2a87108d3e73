"""Clearing a field: each step of the official order, and what a small pile changes."""

from stockpile_web.engine import Dealer, Event
from stockpile_web.games import illimat
from stockpile_web.games.illimat.moves import HarvestAll
from stockpile_web.games.illimat.state import State
from tests.games.illimat.table import Words, lying, play, table, told

CLEAR = HarvestAll(("Su6",), 0, 6)


def clearing(
    up: Words | None = None, down: Words | None = None, okuses: int = 0, pile: str | None = None
) -> State:
    """Return a table at which a six clears the Summer field."""
    hands = {0: "Su6 Su7", 1: "Wi7"}
    return table(hands, {0: "Au6"}, up=up, down=down, okuses=okuses, pile=pile)


def order(events: list[Event]) -> list[str]:
    return [event.kind for event in events]


def test_the_player_draws_first_then_comes_the_okus_the_claim_and_the_refill() -> None:
    state = clearing(up={0: "union"}, okuses=2)
    assert order(play(state, CLEAR)) == [
        "harvested", "drew", "okus_taken", "luminary_claimed", "field_filled"
    ]  # fmt: skip


def test_a_face_up_luminary_and_an_okus_are_taken_by_one_clear() -> None:
    state = clearing(up={0: "union"}, okuses=2)
    play(state, CLEAR)
    player = state.players[0]
    assert (player.okuses, player.luminaries, state.okuses) == (1, ["union"], 1)
    assert state.fields[0].luminary == ""


def test_okuses_and_claimed_luminaries_are_public() -> None:
    state = clearing(up={0: "union"}, okuses=2)
    play(state, CLEAR)
    seen = illimat.view(state, None)
    assert (seen.players[0].okuses, seen.players[0].luminaries) == (1, ["union"])
    assert seen.okuses == 1


def test_a_face_down_luminary_is_revealed_after_the_refill_and_not_claimed() -> None:
    state = clearing(down={0: "maiden"}, okuses=2)
    assert order(play(state, CLEAR))[-2:] == ["field_filled", "luminary_revealed"]
    assert state.fields[0].is_up
    assert state.players[0].luminaries == []
    assert len(lying(state, 0)) == 3


def test_a_field_is_filled_for_its_luminary_even_without_an_okus() -> None:
    state = clearing(down={0: "maiden"})
    play(state, CLEAR)
    assert len(lying(state, 0)) == 3


def test_a_field_is_filled_for_an_okus_even_without_a_luminary() -> None:
    state = clearing(okuses=1)
    play(state, CLEAR)
    assert len(lying(state, 0)) == 3


def test_without_an_okus_and_a_face_down_luminary_a_field_stays_fallow() -> None:
    for key in ("", "union"):
        state = clearing(up={0: key} if key else None)
        play(state, CLEAR)
        assert lying(state, 0) == []


def test_a_fallow_field_may_be_sown_and_cleared_again() -> None:
    state = clearing()
    play(state, CLEAR)
    assert illimat.view(state, None).fields[0].forbidden == ""
    assert any(getattr(move, "field", None) == 0 for move in illimat.legal(state, 1))


def test_with_fewer_than_three_cards_left_no_field_is_filled_and_hidden_luminaries_go() -> None:
    """Three cards are drawn first, so five are one too few."""
    state = clearing(
        down={0: "maiden", 2: "rake"}, up={1: "union"}, okuses=1, pile="Sp2 Sp3 Sp4 Sp5 Sp6"
    )
    events = play(state, CLEAR)
    assert lying(state, 0) == []
    assert [field.luminary for field in state.fields] == ["", "union", "", ""]
    assert told(events, "luminaries_discarded") == [{"fields": [0, 2], "seasons": ["Su", "Wi"]}]
    assert "maiden" not in str(events)
    assert state.players[0].okuses == 1


def test_three_cards_after_the_draw_are_enough() -> None:
    state = clearing(down={0: "maiden", 2: "rake"}, pile="Sp2 Sp3 Sp4 Sp5 Sp6 Sp7")
    play(state, CLEAR)
    assert len(lying(state, 0)) == 3
    assert state.fields[2].luminary == "rake"


def test_a_small_pile_discards_nothing_if_nothing_is_to_be_filled() -> None:
    state = clearing(down={2: "rake"}, pile="")
    play(state, CLEAR)
    assert state.fields[2].luminary == "rake"


def test_a_refill_is_news_that_cannot_be_taken_back() -> None:
    state = clearing(okuses=1)
    state.players[0].hand = ["Su6", "Su7", "Su8", "Su9", "Su10"]
    dealer = Dealer("news")
    illimat.play(state, 0, CLEAR, dealer)
    assert "drew" not in order(dealer.events)
    assert dealer.has_news_for(0, CLEAR)
