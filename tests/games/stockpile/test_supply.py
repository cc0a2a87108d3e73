"""The Supply Phase: the stockpiles are built."""

import pytest

from stockpile_web.engine import Dealer
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.moves import Place
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.view import View
from tests.games.stockpile.table import begin, on_turn, play, table
from tests.support.random_play import Sitting


def supply(seats: int = 3, first: int = 0) -> State:
    """Return a table at the start of the phase; the deck is full of stock, from EE up to CC."""
    state = table(seats, first=first)
    begin(state, "opening")
    return state


@pytest.mark.parametrize(("seats", "piles"), [(2, 4), (3, 3), (4, 4), (5, 5)])
def test_every_stockpile_starts_with_a_card_face_up(seats: int, piles: int) -> None:
    state = supply(seats)
    assert [[laid.up for laid in pile] for pile in state.piles] == [[True]] * piles


def test_cards_are_only_placed_on_the_stockpiles_in_play() -> None:
    for seats, piles in [(2, 4), (3, 3), (4, 4), (5, 5)]:
        state = supply(seats)
        moves = [move for move in stockpile.legal(state, 0) if isinstance(move, Place)]
        assert {move.up_pile for move in moves} == set(range(piles))
        assert {move.down_pile for move in moves} == set(range(piles))


def test_two_cards_are_dealt_to_each_player_apart_from_their_portfolio() -> None:
    state = stockpile.setup(4, {}, Dealer("hands"))
    assert [len(player.hand) for player in state.players] == [2] * 4
    assert [sum(player.shares.values()) for player in state.players] == [1] * 4


def test_players_place_in_turn_order() -> None:
    state, seen = supply(4, first=3), []
    for _ in range(4):
        seen += on_turn(state)
        play(state, seen[-1], stockpile.legal(state, seen[-1])[0])
    assert seen == [3, 0, 1, 2]


def test_either_card_goes_face_up_and_the_other_face_down_on_any_piles() -> None:
    state = supply()
    state.players[0].hand = ["CC", "boom"]
    moves = stockpile.legal(state, 0)
    assert len(moves) == 2 * 3 * 3
    assert Place("CC", 1, "boom", 1) in moves
    assert Place("boom", 2, "CC", 0) in moves
    assert Place("CC", 0, "CC", 1) not in moves


def test_two_cards_alike_can_be_placed_in_half_as_many_ways() -> None:
    state = supply()
    state.players[0].hand = ["CC", "CC"]
    assert len(stockpile.legal(state, 0)) == 3 * 3


def test_both_cards_may_lie_on_the_same_pile() -> None:
    state = supply()
    state.players[0].hand = ["fee1", "boom"]
    play(state, 0, Place("fee1", 2, "boom", 2))
    assert [(laid.card, laid.up) for laid in state.piles[2][1:]] == [
        ("fee1", True),
        ("boom", False),
    ]
    assert state.players[0].hand == []


def test_all_see_how_many_cards_lie_on_a_pile_and_the_placer_alone_the_hidden_one() -> None:
    state = supply()
    state.players[0].hand = ["fee1", "boom"]
    play(state, 0, Place("fee1", 1, "boom", 2))
    piles = [stockpile.view(state, viewer).piles for viewer in (0, 1, None)]
    assert [[len(pile.cards) for pile in seen] for seen in piles] == [[1, 2, 2]] * 3
    assert [seen[1].cards[1].card for seen in piles] == ["fee1", "fee1", "fee1"]
    assert [seen[2].cards[1].card for seen in piles] == ["boom", None, None]


def test_what_was_placed_face_down_is_told_to_the_placer_alone() -> None:
    state = supply()
    state.players[0].hand = ["fee1", "boom"]
    (placed,) = [
        event for event in play(state, 0, Place("fee1", 1, "boom", 2)) if event.kind == "placed"
    ]
    told = {"kind": "placed", "seat": 0, "up": "fee1", "up_pile": 1, "down_pile": 2}
    assert placed.seen_by(1) == placed.seen_by(None) == told
    assert placed.seen_by(0) == {**told, "down": "boom"}


def test_bidding_begins_when_all_have_placed() -> None:
    state = supply()
    for seat in range(3):
        assert state.phase == "supply"
        play(state, seat, stockpile.legal(state, seat)[0])
    assert state.phase == "demand"
    assert sum(len(pile) for pile in state.piles) == 9


def test_two_players_place_twice_and_see_the_second_cards_after_the_first() -> None:
    state = supply(2)
    for seat in (0, 1, 0, 1):
        assert state.phase == "supply"
        assert on_turn(state) == [seat]
        deck = len(state.deck)
        play(state, seat, stockpile.legal(state, seat)[0])
        second_deal = seat == 1 and state.phase == "supply"
        assert deck - len(state.deck) == (4 if second_deal else 0)
    assert state.phase == "demand"
    assert sum(len(pile) for pile in state.piles) == 4 + 8


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_no_bid_stands_on_a_pile_that_is_being_built(seats: int) -> None:
    views = views_while_supplying(seats)
    assert len(views) > 10
    for seen in views:
        assert [pile.bid for pile in seen.piles] == [None] * len(seen.piles)
        assert not seen.rebidding


def views_while_supplying(seats: int) -> list[View]:
    """Return what a spectator sees of the Supply Phases of a whole game."""
    sitting = Sitting("stockpile", seats, frozenset(), "supply")
    views = [stockpile.view(sitting.state, None) for _ in sitting.turns()]
    return [view for view in views if view.phase == "supply"]


@pytest.mark.parametrize(("seats", "meeples"), [(2, 2), (3, 1), (5, 1)])
def test_all_meeples_are_in_hand_while_the_piles_are_built(seats: int, meeples: int) -> None:
    views = views_while_supplying(seats)
    assert len(views) > 10
    for seen in views:
        assert [player.meeples for player in seen.players] == [meeples] * seats
