"""States of earlier versions, written by their own code, and how they go on by today's rules."""

from pathlib import Path
from typing import Any

import pytest

from stockpile_web.engine import codec
from stockpile_web.games import GAMES, stockpile
from stockpile_web.games.stockpile.moves import (
    Collect,
    DeclareDividend,
    Done,
    Give,
    MoveCard,
    Redistribute,
    Sell,
    Short,
)
from stockpile_web.games.stockpile.state import State
from stockpile_web.match.rules_versions import load_state
from stockpile_web.words.events import log_as_text
from tests.games.stockpile.table import begin, cash, in_log, on_turn, play, table, told
from tests.support.random_play import Sitting

VERSION_1 = sorted((Path(__file__).parent / "version_1").glob("*.json"))


def of_version_1(name: str) -> State:
    """Return a state that version 1 has written, as one of today's."""
    text = next(path.read_text() for path in VERSION_1 if path.stem == name)
    state: State = load_state(GAMES["stockpile"], text, 1)
    return state


@pytest.mark.parametrize("name", [path.stem for path in VERSION_1])
def test_a_match_of_version_1_is_played_on_into_the_next_round(name: str) -> None:
    state = of_version_1(name)
    sitting = Sitting("stockpile", len(state.players), frozenset(), f"on from {name}")
    sitting.state = state
    while state.round == 1:
        sitting.step()
    assert sitting.on_turn()


def test_who_laid_a_back_is_who_knew_it_first() -> None:
    state = of_version_1("before_demand")
    seen = stockpile.view(state, None).piles
    assert [[card.by for card in pile.cards if not card.up] for pile in seen] == [
        [0], [0, 1], [2], [2, 3],
    ]  # fmt: skip
    (moved, *_) = play(state, 3, MoveCard(3, 1, 0))
    assert in_log([moved]) == "Dan moves card 2 of pile 4 (face-down, laid by Cat) to pile 1."


def test_whoever_has_front_run_sees_prices_as_before() -> None:
    state = of_version_1("action")
    prices = []
    for seat in (0, 1):
        own = stockpile.view(state, seat).own
        assert own is not None
        prices.append(own.prices["AA"])
    assert prices == [5, 6]  # The second is still on turn.
    play(state, 1, Sell("AA", 1))
    assert cash(state)[1] == 26


def test_whoever_has_collected_a_dividend_is_not_paid_again() -> None:
    state = of_version_1("dividend")
    assert (on_turn(state), cash(state)) == ([0, 2], [20, 24, 20])
    play(state, 2, Collect(0, 0))
    events = play(state, 0, Collect(1, 0))
    assert [facts["seat"] for facts in told(events, "dividend_collected")] == [0, 2]
    assert cash(state) == [22, 24, 20]


def round_end(state: State) -> list[Any]:
    """Play the round end with the first move that each has; return who made which."""
    made = []
    while state.round == 1:
        seat = on_turn(state)[0]
        moves = stockpile.legal(state, seat)
        made.append((seat, type(moves[0]).__name__))
        play(state, seat, Done() if Done() in moves else moves[0])
    return made


def test_whoever_had_passed_before_gifts_were_made_still_makes_theirs() -> None:
    state = of_version_1("end_of_round")
    assert round_end(state) == [(2, "DeclareDividend"), (3, "Redistribute"), (0, "Give")]
    assert sum(cash(state)) == 5 * 20 + 2  # Dangote was paid before, once.


def test_a_dividend_that_deborah_has_declared_is_paid_before_gifts_are_made() -> None:
    state = of_version_1("end_of_round_dividend")
    assert on_turn(state) == [0, 1, 2]
    for seat in (0, 1, 2):
        play(state, seat, stockpile.legal(state, seat)[-1])
    assert DeclareDividend("EE") not in stockpile.legal(state, 2)
    assert round_end(state) == [(3, "Redistribute"), (0, "Give")]


def test_while_gifts_are_made_nobody_else_acts_again() -> None:
    state = of_version_1("after_interest")
    assert (state.phase, on_turn(state)) == ("end_of_round", [3])
    assert not any(isinstance(move, Give) for move in stockpile.legal(state, 3))
    assert all(isinstance(move, Redistribute) for move in stockpile.legal(state, 3))
    assert round_end(state) == [(3, "Redistribute")]


def test_in_a_match_of_version_2_whoever_sells_their_last_card_now_says_that_they_are_done() -> (
    None
):
    written = table(shares={0: "EE EE", 1: "EE"})
    begin(written, "selling")
    state = load_state(GAMES["stockpile"], codec.dump(written), 2)
    play(state, 0, Sell("EE", 2))
    assert stockpile.legal(state, 0) == [Done()]


def test_a_power_that_was_used_stays_used() -> None:
    state = of_version_1("selling")
    assert stockpile.view(state, 1).players[0].used == ["soros"]
    assert not any(isinstance(move, Short) for move in stockpile.legal(state, 0))


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"kind": "fees_settled", "seat": 0, "money": -2}, "Ann pays $2K for fees still open."),
        (
            {"kind": "card_moved", "seat": 0, "card": None, "pile": 0, "to": 2},
            "Ann moves a face-down card from pile 1 to pile 3.",
        ),
        (
            {"kind": "pair_seen", "seat": 0, "holder": 1, "pair": 3},
            "Ann looks at Bob's pair.",
        ),
    ],
)
def test_what_version_1_told_can_still_be_read(facts: dict[str, Any], words: str) -> None:
    assert log_as_text("stockpile", [facts], ["Ann", "Bob"]) == words
