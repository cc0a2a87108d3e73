"""Investors who know more: Warren, Martha and Phil."""

from typing import Any

import pytest

from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.data import COMPANIES, FORECASTS
from stockpile_web.games.stockpile.moves import (
    Done,
    LookAtPair,
    LookAtPile,
    Move,
    MoveCard,
    TakeCard,
)
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, bid, bids, in_log, on_turn, play, table, told

PILES = "CC (boom) | BB | LL (EE) (fee1)"
PAIRS = {"CC": "+4", "BB": "+2", "LL": "-2", "AA": "-3", "EE": "$$"}
HOLDERS = {"CC": 0, "BB": 1, "LL": 2}


def before_demand(investors: dict[int, str], **things: Any) -> State:
    state = table(piles=PILES, investors=investors, **things)
    begin(state, "before_demand")
    return state


def demand(investors: dict[int, str], seats: int = 3, **things: Any) -> State:
    piles = "CC | BB | LL | AA" if seats == 2 else "CC | BB | LL"
    state = table(seats, piles=piles, investors=investors, pairs=PAIRS, holders=HOLDERS, **things)
    begin(state, "demand")
    return state


def test_warren_may_look_at_the_face_down_cards_of_one_pile() -> None:
    state = before_demand({0: "warren"})
    assert stockpile.legal(state, 0) == [LookAtPile(0), LookAtPile(2), Done()]
    (seen,) = play(state, 0, LookAtPile(2))
    assert seen.seen_by(0) == {"kind": "pile_seen", "seat": 0, "pile": 2, "cards": ["EE", "fee1"]}
    assert seen.seen_by(1) == {"kind": "pile_seen", "seat": 0, "pile": 2}
    assert state.phase == "demand"


def test_what_warren_has_seen_stays_visible_to_him_alone() -> None:
    state = before_demand({0: "warren"})
    play(state, 0, LookAtPile(2))
    for viewer, cards in [(0, ["LL", "EE", "fee1"]), (1, ["LL", None, None])]:
        assert [card.card for card in stockpile.view(state, viewer).piles[2].cards] == cards
    assert [card.card for card in stockpile.view(state, 0).piles[0].cards] == ["CC", None]


def test_warren_is_not_asked_when_he_knows_every_card() -> None:
    state = table(piles="CC (boom) | BB | LL", investors={0: "warren"})
    state.piles[0][1].known = [0]
    begin(state, "before_demand")
    assert state.phase == "demand"


def test_warren_looks_before_mark_moves_a_card_onto_that_pile_if_he_is_first() -> None:
    state = before_demand({1: "mark", 0: "warren"})
    assert on_turn(state) == [0]
    play(state, 0, LookAtPile(2))
    assert on_turn(state) == [1]
    play(state, 1, MoveCard(0, 1, 2))
    assert [card.card for card in stockpile.view(state, 0).piles[2].cards][-1] is None


def test_mark_moves_before_warren_looks_if_mark_is_first() -> None:
    state = before_demand({1: "mark", 0: "warren"}, first=1)
    assert on_turn(state) == [1]
    play(state, 1, MoveCard(0, 1, 2))
    play(state, 0, LookAtPile(2))
    assert [card.card for card in stockpile.view(state, 0).piles[2].cards][-1] == "boom"


@pytest.mark.parametrize("warren_first", [True, False])
def test_whoever_has_both_chooses_the_order(warren_first: bool) -> None:
    state = table(2, piles="CC (boom) | BB | LL (EE) | AA", investors={0: "warren mark"})
    begin(state, "before_demand")
    moves: list[Move] = [LookAtPile(2), MoveCard(0, 1, 2)]
    for move in moves if warren_first else reversed(moves):
        assert on_turn(state) == [0]
        play(state, 0, move)
    assert state.phase == "demand"
    known = [card.card for card in stockpile.view(state, 0).piles[2].cards]
    assert known == ["LL", "EE", None if warren_first else "boom"]


def test_martha_may_look_at_another_players_pair_or_a_face_down_one() -> None:
    state = demand({0: "martha"})
    looks = [move for move in stockpile.legal(state, 0) if isinstance(move, LookAtPair)]
    assert looks == [LookAtPair(1), LookAtPair(2), LookAtPair(3), LookAtPair(4)]
    (seen,) = play(state, 0, LookAtPair(1))
    public = {"kind": "pair_seen", "seat": 0, "holder": 1, "pair": 1, "nth": 0, "of": 1}
    assert seen.seen_by(None) == seen.seen_by(1) == public
    assert seen.seen_by(0) == {**public, "company": "BB", "forecast": "+2"}
    assert stockpile.view(state, 0).pairs[1].forecast == "+2"
    assert stockpile.view(state, 2).pairs[1].forecast is None


def test_martha_looks_once_a_round_and_then_bids() -> None:
    state = demand({0: "martha"})
    play(state, 0, LookAtPair(3))
    assert on_turn(state) == [0]
    assert not any(isinstance(move, LookAtPair) for move in stockpile.legal(state, 0))
    assert bids(state, 0, 0)


def test_martha_may_look_when_she_bids_again() -> None:
    state = demand({0: "martha"})
    bid(state, 0, 0, 0)
    bid(state, 1, 0, 1)
    bid(state, 2, 1, 0)
    assert LookAtPair(1) in stockpile.legal(state, 0)


def test_martha_may_look_once_more_when_all_bids_are_made() -> None:
    state = demand({1: "martha"})
    for seat in range(3):
        bid(state, seat, seat, 0)
    assert on_turn(state) == [1]
    assert stockpile.legal(state, 1)[-1] == Done()
    assert all(isinstance(move, LookAtPair) for move in stockpile.legal(state, 1)[:-1])
    play(state, 1, LookAtPair(0))
    assert state.phase == "selling"


def test_martha_who_has_looked_is_not_asked_after_the_bids() -> None:
    state = demand({0: "martha"})
    play(state, 0, LookAtPair(1))
    for seat in range(3):
        bid(state, seat, seat, 0)
    assert state.phase == "selling"


def test_a_bid_does_not_make_itself_while_martha_may_look() -> None:
    state = demand({2: "martha"}, cash={0: 0, 1: 0, 2: 0})
    bid(state, 0, 0, 0)
    bid(state, 1, 1, 0)
    assert on_turn(state) == [2]


def test_martha_sees_one_pair_alone_with_two_players() -> None:
    state = table(
        2,
        piles="CC | BB | LL | AA",
        investors={0: "martha bill"},
        pairs=PAIRS,
        holders={"CC": 0, "BB": 0, "LL": 1, "AA": 1},
    )
    begin(state, "demand")
    play(state, 0, LookAtPair(2))
    seen = stockpile.view(state, 0).pairs
    assert [pair.company for pair in seen] == ["CC", "BB", "LL", None, None]
    assert not any(isinstance(move, LookAtPair) for move in stockpile.legal(state, 0))


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        (2, "Ann looks at Bob's first pair."),
        (3, "Ann looks at Bob's second pair."),
        (4, "Ann looks at the board's first pair."),
        (5, "Ann looks at the board's second pair."),
    ],
)
def test_with_two_players_the_log_says_at_which_pair_martha_has_looked(
    pair: int, words: str
) -> None:
    state = table(
        2,
        piles="CC | BB | LL | AA",
        investors={0: "martha bill"},
        pairs={**PAIRS, "SS": "+1"},
        holders={"CC": 0, "BB": 0, "LL": 1, "AA": 1},
    )
    begin(state, "demand")
    events = play(state, 0, LookAtPair(pair))
    assert in_log(events) == in_log(events, viewer=1) == words


def test_whose_only_pair_is_looked_at_has_no_first_one() -> None:
    assert in_log(play(demand({0: "martha"}), 0, LookAtPair(1))) == "Ann looks at Bob's pair."


def information(investors: dict[int, str], seats: int = 3, **things: Any) -> State:
    state = table(seats, investors=investors, **things)
    begin(state, "outlook")
    return state


def test_phil_takes_any_company_or_forecast_before_the_deal() -> None:
    state = information({1: "phil"})
    assert (state.phase, on_turn(state), state.pairs) == ("before_information", [1], [])
    assert stockpile.legal(state, 1) == [TakeCard(card) for card in (*COMPANIES, *FORECASTS)]


@pytest.mark.parametrize(("card", "what"), [("AA", "company"), ("+4", "forecast")])
def test_phil_has_what_he_took_and_all_see_of_which_kind_it_is(card: str, what: str) -> None:
    state = information({1: "phil"})
    events = play(state, 1, TakeCard(card))
    taken = next(event for event in events if event.kind == "card_taken")
    assert taken.seen_by(0) == {"kind": "card_taken", "seat": 1, "what": what}
    assert taken.seen_by(1) == {"kind": "card_taken", "seat": 1, "what": what, "card": card}
    (own,) = [pair for pair in state.pairs if pair.holder == 1]
    assert card in (own.company, own.forecast)


def test_the_rest_is_shuffled_and_dealt_as_always_when_phil_has_taken_a_card() -> None:
    for card in ("AA", "+4"):
        state = information({1: "phil"})
        play(state, 1, TakeCard(card))
        assert sorted(pair.company for pair in state.pairs) == sorted(COMPANIES)
        assert sorted(pair.forecast for pair in state.pairs) == sorted(FORECASTS)
        assert [pair.holder for pair in state.pairs] == [0, 1, 2, None, None, None]


def test_phil_takes_only_a_forecast_that_the_dice_show() -> None:
    state = information({0: "phil"}, modules="forecast_dice")
    offered = [move.card for move in stockpile.legal(state, 0) if isinstance(move, TakeCard)]
    assert offered == [*COMPANIES, *dict.fromkeys(state.forecasts)]
    card = state.forecasts[0]
    play(state, 0, TakeCard(card))
    assert sorted(pair.forecast for pair in state.pairs) == sorted(state.forecasts)
    assert state.pairs[0].forecast == card


def test_phil_chooses_when_the_dice_have_been_rolled() -> None:
    state = table(investors={0: "phil"}, modules="forecast_dice")
    events = begin(state, "outlook")
    assert len(told(events, "dice_rolled")) == 1
    assert state.phase == "before_information"


def test_with_two_players_phil_chooses_for_the_first_of_his_two_pairs() -> None:
    state = information({0: "phil bill"}, 2)
    play(state, 0, TakeCard("+4"))
    own = [pair.forecast for pair in state.pairs if pair.holder == 0]
    assert len(own) == 2
    assert (own[0], own.count("+4")) == ("+4", 1)


def test_phil_has_to_take_a_card() -> None:
    state = information({0: "phil"})
    assert Done() not in stockpile.legal(state, 0)
