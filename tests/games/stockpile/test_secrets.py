"""Stockpile's secrets: who may know what, and that a leak would be seen."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from stockpile_web.engine import Dealer, Event
from stockpile_web.games import GAMES, stockpile
from stockpile_web.games.stockpile.moves import Boom, Collect
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, play, table, told
from tests.support.random_play import Sitting
from tests.support.two_worlds import look_at_many_worlds

PLACES: dict[str, tuple[str, Callable[[State], Any]]] = {
    "the deck": ("supply", lambda state: state.deck[-1]),
    "another's hand": ("supply", lambda state: state.players[state.queue[0]].hand),
    "another's portfolio": ("selling", lambda state: state.players[1].shares),
    "another's pair": ("demand", lambda state: [p.company for p in state.pairs if p.holder == 1]),
    "another's forecast": ("demand", lambda state: [p.forecast for p in state.pairs]),
    "a face-down card": ("demand", lambda state: state.piles),
    "a pile that was won": ("selling", lambda state: [player.won for player in state.players]),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_view_that_shows_a_hidden_place_is_caught(place: str) -> None:
    phase, leak = PLACES[place]
    sitting = Sitting("stockpile", 4, frozenset(), "places")
    while sitting.state.phase != phase or sitting.state.queue[0] == 0:
        sitting.step()
    look_at_many_worlds(sitting, viewer=0, worlds=20)
    sitting.game = SimpleNamespace(**{**vars(stockpile), "view": lambda state, viewer: leak(state)})
    with pytest.raises(AssertionError):
        look_at_many_worlds(sitting, viewer=0, worlds=20)


def test_a_view_that_shows_what_another_has_answered_to_a_dividend_is_caught() -> None:
    sitting = Sitting("stockpile", 3, frozenset(), "answers")
    shares = {0: "EE", 1: "CC", 2: "EE EE EE"}
    sitting.state = table(pairs={"EE": "$$"}, shares=shares)
    begin(sitting.state, "movement")
    play(sitting.state, 2, Collect(2, 0))
    for viewer in (None, 0, 1, 2):
        look_at_many_worlds(sitting, viewer, worlds=20)
    blab = {"view": lambda state, viewer: state.dividend.answers}
    sitting.game = SimpleNamespace(**{**vars(stockpile), **blab})
    with pytest.raises(AssertionError):
        look_at_many_worlds(sitting, viewer=0, worlds=20)


@pytest.mark.parametrize("kind", ["placed", "pile_won"])
def test_an_event_that_tells_all_what_one_may_know_is_caught(kind: str) -> None:
    def blabbing_play(state: State, seat: int, move: Any, dealer: Dealer) -> None:
        stockpile.play(state, seat, move, dealer)
        for number, event in enumerate(dealer.events):
            if event.kind == kind and event.public is not None:
                secret = next(iter(event.private.values()))
                dealer.events[number] = Event(kind, {**event.public, **secret})

    sitting = Sitting("stockpile", 4, frozenset(), "events")
    sitting.game = SimpleNamespace(**{**vars(stockpile), "play": blabbing_play})
    with pytest.raises(AssertionError):
        for _ in sitting.turns(100):
            for viewer in [None, *range(4)]:
                look_at_many_worlds(sitting, viewer, worlds=5)


def two_worlds_of_one_card(card: str) -> Sitting:
    """Seat 0 is on turn with a Boom; of seat 2's only card nobody knows what it is."""
    sitting = Sitting("stockpile", 3, frozenset({"advanced_board"}), "one card")
    actions, shares = {0: "boom"}, {0: "CC", 1: "CC"}
    (actions if card == "boom" else shares)[2] = card
    sitting.state = table(board="advanced", spaces={"SS": 0}, actions=actions, shares=shares)
    begin(sitting.state, "action")
    return sitting


def test_nobody_learns_from_a_dividend_that_a_face_down_card_is_an_action_card() -> None:
    """Whoever has a face-down card is asked; it may be stock as far as the others know."""
    asked = []
    for card in ("boom", "EE"):
        state = two_worlds_of_one_card(card).state
        play(state, 0, Boom("SS"))
        asked.append(stockpile.view(state, 1).on_turn)
    assert asked == [[0, 1, 2], [0, 1, 2]]


def test_the_number_of_face_down_cards_is_all_that_is_public_of_a_portfolio() -> None:
    views = [
        GAMES["stockpile"].view(two_worlds_of_one_card(card).state, 1) for card in ("boom", "EE")
    ]
    assert views[0].players == views[1].players
    assert views[0].players[2].face_down == 1


def test_whoever_looks_on_sees_no_hand_pair_or_portfolio() -> None:
    state = stockpile.setup(4, {}, Dealer("spectator"))
    seen = stockpile.view(state, None)
    assert seen.own is None
    assert [pair.up for pair in seen.pairs if pair.company] == [True]
    assert all(laid.card for pile in seen.piles for laid in pile.cards)


def test_whispers_of_the_deal_reach_one_seat_alone() -> None:
    dealer = Dealer("whispers")
    stockpile.setup(4, {}, dealer)
    secret = [e for e in dealer.events if e.kind in ("stock_dealt", "pair_dealt", "hand_dealt")]
    assert len(secret) == 12
    for event in secret:
        assert event.public is None
        assert len(event.private) == 1
        assert event.seen_by(None) is None


def test_own_pairs_and_placements_stay_known_until_they_are_gone() -> None:
    sitting = Sitting("stockpile", 3, frozenset(), "memory")
    for _ in sitting.turns(60):
        state = sitting.state
        for viewer in range(3):
            seen = stockpile.view(state, viewer)
            own = [pair for pair in seen.pairs if pair.holder == viewer]
            assert all(pair.company and pair.forecast for pair in own)
            for pile, laid in zip(seen.piles, state.piles, strict=True):
                known = [card.card is not None for card in pile.cards]
                assert known == [card.up or viewer in card.known for card in laid]


def test_the_split_is_shown_to_all_and_the_rest_of_the_portfolio_is_not() -> None:
    state = table(prices={"EE": 10}, pairs={"EE": "+1"}, shares={1: "EE AA"})
    events = begin(state, "movement")
    assert told(events, "split")[0]["cards"] == [0, 1, 0]
    seen = stockpile.view(state, 0).players[1]
    assert (seen.split, seen.face_down) == ({"EE": 1}, 1)


def test_with_everything_open_no_card_and_no_forecast_is_hidden() -> None:
    sitting = Sitting("stockpile", 4, frozenset(), "open")
    hidden = 0
    for _ in sitting.turns(60):
        seen, public = stockpile.open_view(sitting.state), stockpile.view(sitting.state, None)
        cards = [card for pile in seen.piles for card in pile.cards]
        cards += [card for player in seen.players for won in player.won for card in won.cards]
        assert all(card.card for card in cards)
        assert all(pair.company and pair.forecast for pair in seen.pairs)
        hidden += sum(not card.card for pile in public.piles for card in pile.cards)
        hidden += sum(not pair.company for pair in public.pairs)
    assert hidden > 20  # There was something to turn up.
