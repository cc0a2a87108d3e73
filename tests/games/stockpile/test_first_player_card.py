"""The first player card: laid on a pile, won, and given away."""

from typing import Any

import pytest

from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.moves import Done, GiveFirstCard, LookAtPair, PlaceFirstCard
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, bid, on_turn, play, table, told
from tests.support.random_play import Sitting

CARD = "first_player_card"


def won(first: int = 0, **things: Any) -> State:
    """Return a table at which seat 1 has won the pile with the card."""
    state = table(modules=CARD, first=first, piles="CC | BB first | LL", **things)
    begin(state, "demand")
    for step in range(3):
        seat = (first + step) % 3
        bid(state, seat, seat, 0)
    return state


def test_the_first_player_lays_it_on_any_pile() -> None:
    state = table(modules=CARD, first=1, piles="CC | BB | LL")
    begin(state, "end_of_supply")
    assert on_turn(state) == [1]
    assert stockpile.legal(state, 1) == [PlaceFirstCard(pile) for pile in range(3)]
    play(state, 1, PlaceFirstCard(2))
    assert (state.piles[2][-1].card, state.piles[2][-1].up) == ("first", True)
    assert state.phase == "demand"


def test_it_is_laid_when_all_other_cards_are_placed_commodities_included() -> None:
    options = frozenset({CARD, "commodities"})
    sitting = Sitting("stockpile", 3, options, "last of all")
    kinds = [event.kind for turn in sitting.turns(7) for event in turn.events]
    kinds = [kind for kind in kinds if kind in ("placed", "goods_placed", "first_card_placed")]
    assert kinds == ["placed"] * 3 + ["goods_placed"] * 3 + ["first_card_placed"]


def test_whoever_wins_its_pile_gives_it_to_any_player_at_once() -> None:
    state = won()
    assert on_turn(state) == [1]
    assert stockpile.legal(state, 1) == [GiveFirstCard(seat) for seat in range(3)]


def test_the_winner_may_keep_it() -> None:
    state = won()
    play(state, 1, GiveFirstCard(1))
    assert stockpile.view(state, None).next_first == 1


def test_whoever_is_given_it_goes_first_in_the_next_round_alone() -> None:
    state = won(first=2)
    play(state, 1, GiveFirstCard(2))
    assert state.order() == [2, 0, 1]
    begin(state, "round_end")
    assert state.order() == [2, 0, 1]  # Not the next player clockwise.
    state.first = 0
    begin(state, "round_end")
    assert state.first == 1


def test_it_does_not_change_the_turn_order_of_the_round() -> None:
    state = won(shares={0: "CC", 2: "CC"})
    play(state, 1, GiveFirstCard(2))
    assert state.phase == "selling"
    assert state.queue == [0, 1, 2]


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_it_stays_in_the_box_in_the_last_round(seats: int) -> None:
    rounds = {2: 6, 3: 7, 5: 5}[seats]
    sitting = Sitting("stockpile", seats, frozenset({CARD}), "box")
    laid = []
    for turn in sitting.turns():
        laid += [sitting.state.round for _ in told(turn.events, "first_card_placed")]
    assert laid == list(range(1, rounds))


def test_the_one_who_was_given_it_begins_every_next_round_of_a_whole_game() -> None:
    sitting = Sitting("stockpile", 4, frozenset({CARD}), "marker")
    given = []
    for turn in sitting.turns():
        given += [facts["to"] for facts in told(turn.events, "first_card_given")]
        for facts in told(turn.events, "round_began"):
            assert facts["seat"] == given[-1]
    assert len(given) == 5


def test_a_player_with_a_power_of_that_moment_still_has_to_give_it() -> None:
    """Mayknow Martha may look when all bids are made; saying "done" to that does not keep it."""
    state = won(investors={1: "martha"}, pairs={"EE": "+1"})
    assert Done() not in stockpile.legal(state, 1)
    play(state, 1, GiveFirstCard(0))
    assert stockpile.legal(state, 1) == [LookAtPair(0), Done()]
