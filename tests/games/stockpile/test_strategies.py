"""Investment strategies: dealt, discarded, drawn, and played on Action turns."""

from collections import Counter
from typing import Any

import pytest

from stockpile_web.engine import Dealer
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.modules.strategies.titles import STRATEGIES, deck
from stockpile_web.games.stockpile.moves import (
    Boom,
    DiscardStrategies,
    Done,
    Move,
    Nudge,
    PlayStrategy,
    Sell,
)
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import begin, cash, on_turn, play, table, told
from tests.support.random_play import Sitting

ALONE = {"strategies": 1}


def deal(seats: int = 3) -> State:
    return stockpile.setup(seats, ALONE, Dealer("strategies"))


def acting(strategies: str, **things: Any) -> State:
    """Return a table with the first seat on its Action turn."""
    modules = f"strategies {things.pop('modules', '')}"
    state = table(modules=modules, strategies={0: strategies}, **things)
    begin(state, "action")
    return state


def test_there_are_twenty_seven_titles_of_which_eight_are_our_own() -> None:
    assert len(STRATEGIES) == 27
    assert sum(title.house for title in STRATEGIES.values()) == 8
    assert all(title.name and title.text for title in STRATEGIES.values())


@pytest.mark.parametrize(("seats", "cards"), [(2, 9), (3, 10), (4, 9), (5, 8)])
def test_each_player_is_dealt_three_more_than_there_are_rounds(seats: int, cards: int) -> None:
    state = deal(seats)
    assert [len(player.strategies) for player in state.players] == [cards] * seats


def test_with_five_players_eight_cards_are_dealt_and_six_kept() -> None:
    state = deal(5)
    for seat in range(5):
        play(state, seat, stockpile.legal(state, seat)[0])
    assert [len(player.strategies) for player in state.players] == [6] * 5


def test_everyone_discards_two_at_once_and_in_secret() -> None:
    state = deal()
    assert on_turn(state) == [0, 1, 2]
    one, two, *kept = state.players[1].strategies
    (event,) = play(state, 1, DiscardStrategies((one, two)))
    assert event.public is None
    assert event.seen_by(1) == {"kind": "strategies_discarded", "cards": [one, two]}
    assert state.players[1].strategies == kept
    assert on_turn(state) == [0, 2]


def test_the_hand_is_secret_and_its_size_is_not() -> None:
    state = deal()
    own = stockpile.view(state, 1).own
    assert own is not None
    assert own.strategies == state.players[1].strategies
    assert [player.strategies for player in stockpile.view(state, None).players] == [10] * 3


@pytest.mark.parametrize(
    ("modules", "size"),
    [
        (("strategies",), 46),
        (("bonds", "strategies"), 50),
        (("commodities", "strategies"), 50),
        (("bonds", "commodities", "strategies"), 54),
        (("strategies", "named_strategies"), 51),
        (("bonds", "commodities", "strategies", "named_strategies"), 57),
    ],
)
def test_the_deck_has_no_card_whose_module_is_missing_and_is_large_enough(
    modules: tuple[str, ...], size: int
) -> None:
    cards = deck(modules)
    assert len(cards) == size
    assert size >= 5 * 8 + 4  # Five players, one of them Illicit Ivan.
    for card in cards:
        assert not STRATEGIES[card].needs or STRATEGIES[card].needs in modules


def test_with_named_strategies_alone_no_title_is_our_own() -> None:
    cards = deck(("strategies", "named_strategies"))
    assert not any(STRATEGIES[card].house for card in cards)
    assert set(Counter(cards).values()) == {3}


def test_one_strategy_may_be_played_on_each_action_turn() -> None:
    state = acting("offshore_account offshore_account bear_raid")
    play(state, 0, PlayStrategy("offshore_account"))
    assert cash(state)[0] == 24
    assert state.players[0].strategies == ["offshore_account", "bear_raid"]
    assert state.phase != "action"


def test_a_player_need_not_play_a_strategy() -> None:
    state = acting("offshore_account", shares={0: "EE"})
    assert stockpile.legal(state, 0) == [PlayStrategy("offshore_account"), Done()]
    play(state, 0, Done())
    assert state.phase == "selling"


def test_players_are_asked_in_turn_order_as_long_as_they_hold_strategies() -> None:
    hands = {0: "offshore_account", 1: "rogue_trading"}
    state = table(modules="strategies", strategies=hands, first=1, shares={2: "CC"})
    begin(state, "action")
    assert on_turn(state) == [1]
    assert stockpile.legal(state, 1) == [Done()]  # Nobody is told that it cannot be played.
    play(state, 1, Done())
    assert on_turn(state) == [0]
    play(state, 0, Done())
    assert state.phase == "selling"


@pytest.mark.parametrize("first", ["action", "power", "strategy"])
def test_a_strategy_is_played_before_or_after_action_cards_and_powers(first: str) -> None:
    state = acting(
        "offshore_account", actions={0: "boom"}, investors={0: "cramer"}, shares={0: "EE"}
    )
    moves: dict[str, Move] = {
        "action": Boom("EE"),
        "power": Nudge("EE", 1),
        "strategy": PlayStrategy("offshore_account"),
    }
    play(state, 0, moves.pop(first))
    for move in moves.values():
        assert on_turn(state) == [0]
        play(state, 0, move)
    assert state.phase == "selling"


def test_the_cost_is_paid_first_and_must_be_there() -> None:
    state = acting("rogue_trading", shares={0: "EE"}, cash={0: 3})
    events = play(state, 0, PlayStrategy("rogue_trading", ("EE",)))
    assert told(events, "strategy_played") == [{"seat": 0, "card": "rogue_trading", "money": -3}]
    assert cash(state)[0] == 0
    poor = acting("rogue_trading", shares={0: "EE"}, cash={0: 2})
    assert stockpile.legal(poor, 0) == [Done()]


def test_a_played_strategy_leaves_the_game() -> None:
    state = acting("offshore_account")
    play(state, 0, PlayStrategy("offshore_account"))
    assert state.players[0].strategies == []
    assert "offshore_account" not in [*state.discard, *state.box]


def test_unused_strategies_bring_nothing_at_the_end() -> None:
    state = table(round=7, modules="strategies", strategies={0: "offshore_account"})
    begin(state, "round_end")
    assert cash(state) == [20, 20, 20]


def test_ivan_draws_one_card_less_than_rounds_when_all_have_discarded() -> None:
    state = table(modules="strategies", investors={1: "ivan"})
    state.box = deck(state.modules)
    for player in state.players:
        player.strategies = [state.box.pop() for _ in range(10)]
    begin(state, "discarding")
    for seat in (0, 1):
        play(state, seat, stockpile.legal(state, seat)[0])
        assert len(state.players[1].strategies) == (10 if seat == 0 else 8)
    events = play(state, 2, stockpile.legal(state, 2)[0])
    assert [len(player.strategies) for player in state.players] == [8, 8 + 6, 8]
    (drawn,) = [event for event in events if event.kind == "strategies_drawn"]
    assert drawn.public == {"seat": 1, "count": 6}
    assert len(drawn.private[1]["cards"]) == 6
    assert state.box == []


def test_ivan_draws_from_undealt_and_discarded_cards() -> None:
    """With nothing left undealt, what he draws are the cards that were discarded."""
    state = table(2, modules="strategies", investors={1: "ivan bill"})
    for player in state.players:
        player.strategies = ["bear_raid"] * 7 + ["naked_short"] * 2
    state.box = ["bear_raid"]
    begin(state, "discarding")
    play(state, 0, DiscardStrategies(("naked_short", "naked_short")))
    play(state, 1, DiscardStrategies(("naked_short", "naked_short")))
    assert Counter(state.players[1].strategies) == {"bear_raid": 8, "naked_short": 4}


def test_ivan_may_play_two_in_a_round() -> None:
    state = acting("offshore_account offshore_account bear_raid", investors={0: "ivan"})
    play(state, 0, PlayStrategy("offshore_account"))
    assert on_turn(state) == [0]
    play(state, 0, PlayStrategy("offshore_account"))
    assert cash(state)[0] == 28
    assert state.phase != "action"


def test_ivan_has_a_hand_for_two_a_round_but_one() -> None:
    """So that he alone can play it all: eight and six are two a round for seven rounds."""
    options = frozenset({"strategies", "investors", "epic_investors"})
    hands = Counter[tuple[bool, int]]()
    for seed in range(40):
        sitting = Sitting("stockpile", 3, options, f"ivan {seed}")
        while sitting.state.phase in ("keeping", "discarding"):
            sitting.step()
        for player in sitting.state.players:
            hands["ivan" in player.investors, len(player.strategies)] += 1
    assert hands.keys() == {(True, 14), (False, 8)}


def test_a_second_strategy_ends_the_sale_that_the_first_allowed() -> None:
    state = acting("front_running offshore_account", investors={0: "ivan"}, shares={0: "EE"})
    play(state, 0, PlayStrategy("front_running"))
    assert Sell("EE", 1) in stockpile.legal(state, 0)
    play(state, 0, PlayStrategy("offshore_account"))
    assert state.phase == "selling"
    play(state, 0, Sell("EE", 1))
    assert cash(state)[0] == 20 + 4 + 5


def test_two_short_sales_of_one_turn_do_not_add_up() -> None:
    state = acting("front_running short_and_distort", investors={0: "ivan"}, shares={0: "EE"})
    play(state, 0, PlayStrategy("front_running"))
    play(state, 0, PlayStrategy("short_and_distort", ("EE", False)))
    assert cash(state)[0] == 28
