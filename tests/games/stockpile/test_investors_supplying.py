"""Investors of the stockpiles: Robins, Stuart and Mark."""

from typing import Any

import pytest

from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.moves import Done, LayOpening, MoveCard, Place, PlaceHidden
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, bid, held, in_log, on_turn, play, table, told


def opening(seats: int = 3, deck: str = "fee1 CC boom", **things: Any) -> State:
    state = table(seats, investors={1: "robins"}, **things)
    state.deck += deck.split()
    begin(state, "opening")
    return state


def test_robins_draws_the_opening_cards_before_anybody_sees_them() -> None:
    state = opening()
    assert on_turn(state) == [1]
    own = stockpile.view(state, 1).own
    assert own is not None
    assert own.hand == ["boom", "CC", "fee1"]
    assert state.piles == [[], [], []]
    assert state.players[0].hand == []


def test_robins_lays_one_of_them_face_down_and_the_others_face_up() -> None:
    state = opening()
    assert LayOpening("fee1", 2) in stockpile.legal(state, 1)
    assert len(stockpile.legal(state, 1)) == 3 * 3
    events = play(state, 1, LayOpening("CC", 1))
    assert [[(laid.card, laid.up) for laid in pile] for pile in state.piles] == [
        [("boom", True)],
        [("CC", False)],
        [("fee1", True)],
    ]
    laid = next(event for event in events if event.kind == "piles_laid")
    public = {"kind": "piles_laid", "seat": 1, "pile": 1, "cards": ["boom", None, "fee1"]}
    assert laid.seen_by(None) == laid.seen_by(0) == public
    assert laid.seen_by(1) == {**public, "card": "CC"}
    assert [[laid.by for laid in pile] for pile in state.piles] == [[1], [1], [1]]


def test_robins_replaces_the_usual_opening_and_keeps_knowing_his_card() -> None:
    state = opening()
    events = play(state, 1, LayOpening("CC", 1))
    assert told(events, "piles_opened") == []
    assert stockpile.view(state, 1).piles[1].cards[0].card == "CC"
    assert stockpile.view(state, 0).piles[1].cards[0].card is None


@pytest.mark.parametrize(("seats", "piles"), [(2, 4), (3, 3), (4, 4), (5, 5)])
def test_robins_draws_as_many_cards_as_there_are_piles(seats: int, piles: int) -> None:
    state = opening(seats)
    assert len(state.players[1].hand) == piles
    play(state, 1, stockpile.legal(state, 1)[0])
    assert [len(pile) for pile in state.piles] == [1] * piles
    assert state.phase == "supply"


def supply(seats: int = 3) -> State:
    state = table(seats, investors={0: "stuart"})
    begin(state, "opening")
    state.players[0].hand = ["fee1", "CC"]
    return state


def test_stuart_may_place_both_cards_face_down() -> None:
    state = supply()
    moves = stockpile.legal(state, 0)
    assert sum(isinstance(move, Place) for move in moves) == 18
    assert sum(isinstance(move, PlaceHidden) for move in moves) == 9
    (placed,) = play(state, 0, PlaceHidden("fee1", 2, "CC", 2))
    assert [(laid.card, laid.up) for laid in state.piles[2][1:]] == [("fee1", False), ("CC", False)]
    assert [laid.by for laid in state.piles[2]] == [None, 0, 0]
    assert placed.seen_by(1) == {"kind": "placed_hidden", "seat": 0, "piles": [2, 2]}
    assert on_turn(state) == [1]


def test_stuart_may_still_place_one_face_up() -> None:
    state = supply()
    play(state, 0, Place("CC", 0, "fee1", 1))
    assert [laid.up for laid in state.piles[0]] == [True, True]
    assert [laid.up for laid in state.piles[1]] == [True, False]


def test_nobody_else_places_both_cards_face_down() -> None:
    state = supply()
    play(state, 0, PlaceHidden("fee1", 2, "CC", 2))
    assert not any(isinstance(move, PlaceHidden) for move in stockpile.legal(state, 1))


def test_with_two_players_stuart_may_hide_both_sets_of_cards() -> None:
    state = supply(2)
    play(state, 0, PlaceHidden("fee1", 0, "CC", 1))
    play(state, 1, stockpile.legal(state, 1)[0])
    assert any(isinstance(move, PlaceHidden) for move in stockpile.legal(state, 0))


def test_mark_may_move_one_card_to_another_pile_as_it_lies() -> None:
    state = table(piles="CC (boom) | BB | LL", investors={0: "mark"})
    begin(state, "before_demand")
    assert len(stockpile.legal(state, 0)) == 4 * 2 + 1
    (moved,) = play(state, 0, MoveCard(0, 1, 2))
    assert [(laid.card, laid.up) for laid in state.piles[2]] == [("LL", True), ("boom", False)]
    assert moved.public is not None
    assert (moved.public["card"], moved.public["pile"], moved.public["to"]) == (None, 0, 2)
    assert state.phase == "demand"


def two_backs_on_one_pile() -> State:
    """Return a table at which all have laid their cards, two backs on pile 1, and Mark is next."""
    state = table(3, investors={0: "mark"})
    begin(state, "opening")
    for seat, piles in enumerate([(0, 1), (1, 0), (2, 0)]):
        one, two = state.players[seat].hand
        play(state, seat, Place(one, piles[0], two, piles[1]))
    assert on_turn(state) == [0]
    return state


def test_everyone_sees_who_laid_each_card_be_it_a_back() -> None:
    state = two_backs_on_one_pile()
    for viewer in (None, 0, 1, 2):
        seen = stockpile.view(state, viewer).piles
        assert [[(card.by, card.up) for card in pile.cards] for pile in seen] == [
            [(None, True), (0, True), (1, False), (2, False)],
            [(None, True), (0, False), (1, True)],
            [(None, True), (2, True)],
        ]


def test_everyone_sees_which_back_mark_moves_and_who_had_laid_it() -> None:
    state = two_backs_on_one_pile()
    (moved,) = play(state, 0, MoveCard(0, 3, 2))
    assert moved.private == {}
    assert moved.public == {
        "seat": 0, "card": None, "by": 2, "pile": 0, "position": 3, "to": 2,
    }  # fmt: skip
    assert in_log([moved]) == "Ann moves card 4 of pile 1 (face-down, laid by Cat) to pile 3."
    seen = stockpile.view(state, 0).piles
    assert [card.by for card in seen[0].cards] == [None, 0, 1]
    assert (seen[2].cards[-1].by, seen[2].cards[-1].card) == (2, None)


def test_the_log_names_an_open_card_that_mark_moves() -> None:
    state = table(piles="CC | BB | LL", investors={0: "mark"})
    begin(state, "before_demand")
    events = play(state, 0, MoveCard(0, 0, 1))
    assert in_log(events) == "Ann moves card 1 of pile 1 (Cosmic Computers) to pile 2."


def test_mark_may_move_nothing() -> None:
    state = table(piles="CC | BB | LL", investors={0: "mark"})
    begin(state, "before_demand")
    play(state, 0, Done())
    assert state.phase == "demand"


def test_mark_may_leave_a_pile_without_cards_and_it_is_still_bid_for() -> None:
    state = table(piles="CC | BB | LL", investors={0: "mark"})
    begin(state, "before_demand")
    play(state, 0, MoveCard(0, 0, 1))
    assert state.piles[0] == []
    bid(state, 0, 1, 3)
    bid(state, 1, 0, 1)
    bid(state, 2, 2, 0)
    assert held(state.players[0].shares) == {"BB": 1, "CC": 1}
    assert held(state.players[1].shares) == {}
    assert state.players[1].cash == 19


def test_mark_may_move_commodities_taxes_and_the_first_player_card() -> None:
    modules = "commodities first_player_card"
    state = table(piles="CC tax first | BB | LL", investors={1: "mark"}, modules=modules)
    begin(state, "before_demand")
    for position in (1, 2):
        assert MoveCard(0, position, 2) in stockpile.legal(state, 1)
    play(state, 1, MoveCard(0, 2, 1))
    for seat in range(3):
        bid(state, seat, seat, 0)
    assert on_turn(state) == [1]  # Who won the card, and is to give it away.


def test_whoever_knew_a_card_that_mark_moves_knows_it_still() -> None:
    state = table(piles="CC (boom) | BB | LL", investors={0: "mark"})
    state.piles[0][1].known = [2]
    begin(state, "before_demand")
    play(state, 0, MoveCard(0, 1, 2))
    assert stockpile.view(state, 2).piles[2].cards[1].card == "boom"
    assert stockpile.view(state, 0).piles[2].cards[1].card is None
