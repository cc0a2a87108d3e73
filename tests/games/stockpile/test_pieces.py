"""Nothing of a module is lost or doubled: strategies, bonds, the first player card."""

from collections import Counter

import pytest

from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.data_epic import BONDS
from stockpile_web.games.stockpile.modules.strategies.titles import deck
from stockpile_web.games.stockpile.state import State
from tests.games.stockpile.table import told
from tests.support.option_sets import large
from tests.support.random_play import Sitting

BEFORE_THE_GAME = ("keeping", "auction", "discarding")

tables = pytest.mark.parametrize(
    ("seats", "options"),
    [(seats, options) for seats in (2, 3, 4, 5) for options in large(stockpile)],
    ids=lambda value: str(value) if isinstance(value, int) else f"{len(value)} options",
)


def strategies(state: State) -> Counter[str]:
    return Counter([*state.box, *(card for p in state.players for card in p.strategies)])


@tables
def test_a_strategy_is_in_one_hand_until_it_is_played(seats: int, options: frozenset[str]) -> None:
    sitting = Sitting("stockpile", seats, options, "strategies")
    whole = Counter(deck(sitting.state.modules)) if "strategies" in options else Counter[str]()
    while sitting.state.phase in BEFORE_THE_GAME:
        assert strategies(sitting.state) == whole
        sitting.step()
    left = strategies(sitting.state)
    assert left <= whole
    for turn in sitting.turns():
        left -= Counter(facts["card"] for facts in told(turn.events, "strategy_played"))
        assert strategies(sitting.state) == left


@tables
def test_nobody_plays_more_strategies_in_a_round_than_they_may(
    seats: int, options: frozenset[str]
) -> None:
    sitting = Sitting("stockpile", seats, options, "a round")
    played = Counter[tuple[int, int]]()
    for turn in sitting.turns():
        for facts in told(turn.events, "strategy_played"):
            played[facts["seat"], sitting.state.round] += 1
    assert bool(played) == ("strategies" in options)
    for (seat, _), count in played.items():
        assert count <= (2 if "ivan" in sitting.state.players[seat].investors else 1)


@tables
def test_bonds_are_forty_and_the_first_player_card_is_one(
    seats: int, options: frozenset[str]
) -> None:
    sitting = Sitting("stockpile", seats, options, "bonds")
    lay = set()
    for _ in sitting.turns():
        state = sitting.state
        if stockpile.result(state) is None:
            bonds = sum(player.bonds for player in state.players)
            assert bonds + state.bonds_left == (BONDS if "bonds" in options else 0)
        laid = sum(laid.card == "first" for pile in state.piles for laid in pile)
        lay.add(laid + (state.first_card_won is not None))
    assert max(lay) == ("first_player_card" in options)


@tables
def test_nobody_owes_money_before_the_taxes(seats: int, options: frozenset[str]) -> None:
    sitting = Sitting("stockpile", seats, options, "debts")
    for _ in sitting.turns():
        if stockpile.result(sitting.state) is None:
            assert min(player.cash for player in sitting.state.players) >= 0
