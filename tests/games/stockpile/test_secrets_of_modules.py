"""The secrets of modules and investors: that a leak would be seen, and leaks that once were."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from stockpile_web.engine import Dealer, Event
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.state import State
from tests.support.random_play import Sitting
from tests.support.two_worlds import look_at_many_worlds

INVESTORS = frozenset({"investors", "epic_investors", "promo_investors"})

# The options, the moment, and what a careless view might show of it to seat 0.
PLACES: dict[str, tuple[set[str], Callable[[State], bool], Callable[[State], Any]]] = {
    "the commerce deck": (
        {"commodities"},
        lambda state: state.phase == "supply",
        lambda state: state.commerce,
    ),
    "goods in another's hand": (
        {"commodities"},
        lambda state: state.phase == "after_supply" and state.first != 0,
        lambda state: [player.drawn for player in state.players[1:]],
    ),
    "strategies in another's hand": (
        {"strategies"},
        lambda state: state.phase == "action",
        lambda state: [player.strategies for player in state.players[1:]],
    ),
    "the box": (
        {"strategies"},
        lambda state: state.phase == "discarding",
        lambda state: state.box,
    ),
    "investors offered to another": (
        {"investors"},
        lambda state: state.phase == "keeping",
        lambda state: [player.offered for player in state.players[1:]],
    ),
    "an investor that another keeps": (
        {"investors"},
        lambda state: any(player.investors for player in state.players[1:]),
        lambda state: [player.investors for player in state.players[1:]],
    ),
    "action cards that were just won": (
        {"strategies", "first_player_card"},
        lambda state: state.phase == "piles_won" and any(p.actions for p in state.players[1:]),
        lambda state: [player.actions for player in state.players[1:]],
    ),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_view_that_shows_a_secret_of_a_module_is_caught(place: str) -> None:
    options, is_time, leak = PLACES[place]
    for seed in range(20):
        sitting = Sitting("stockpile", 4, frozenset(options), f"places {seed}")
        for _ in sitting.turns(200):
            if is_time(sitting.state):
                break
        if is_time(sitting.state):
            break
    assert is_time(sitting.state)
    look_at_many_worlds(sitting, viewer=0, worlds=20)
    sitting.game = SimpleNamespace(**{**vars(stockpile), "view": lambda state, viewer: leak(state)})
    with pytest.raises(AssertionError):
        look_at_many_worlds(sitting, viewer=0, worlds=20)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("placed_hidden", INVESTORS),
        ("pile_seen", INVESTORS),
        ("pair_seen", INVESTORS | {"strategies"}),
        ("card_taken", INVESTORS),
        ("strategies_discarded", frozenset({"strategies"})),
        ("investors_chosen", INVESTORS),
        ("goods_drawn", frozenset({"commodities"})),
    ],
)
def test_an_event_of_a_module_that_tells_all_what_one_may_know_is_caught(
    kind: str, options: frozenset[str]
) -> None:
    def blabbing_play(state: State, seat: int, move: Any, dealer: Dealer) -> None:
        stockpile.play(state, seat, move, dealer)
        for number, event in enumerate(dealer.events):
            if event.kind == kind:
                (secret,) = event.private.values()
                public = {"seat": seat, **(event.public or {}), **secret}
                dealer.events[number] = Event(f"{kind} to all", public)

    def check_games() -> None:
        for seed in range(12):
            sitting = Sitting("stockpile", 3, options, f"events {seed}")
            sitting.game = SimpleNamespace(**{**vars(stockpile), "play": blabbing_play})
            for _ in sitting.turns(60):
                look_at_many_worlds(sitting, None, worlds=3)

    with pytest.raises(AssertionError):
        check_games()
