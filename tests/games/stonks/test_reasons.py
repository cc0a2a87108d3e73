"""Why a move is not open: what players can really meet, in their words."""

from typing import Any

import pytest

from stockpile_web.engine import Dealer, IllegalMove, take_turn
from stockpile_web.games import GAMES
from stockpile_web.games.stonks.moves import Acquire, Announce, Invest
from stockpile_web.games.stonks.state import State
from tests.games.stonks.table import choosing, disguise, lay, play, table

FOLLOW = "Green Grass leads and you have it, so you must follow."


def refusal(state: State, move: Any, seat: int | None = None) -> str:
    """Return the words in which a move is refused, of whoever is on turn unless told otherwise."""
    mover = state.on_turn()[0] if seat is None else seat
    with pytest.raises(IllegalMove) as refused:
        take_turn(GAMES["stonks"], state, mover, move, Dealer("test"))
    return str(refused.value)


def test_whoever_is_not_on_turn_is_told_so() -> None:
    assert refusal(table({0: "GG9", 1: "RA9"}), lay("RA9"), seat=1) == "It is not your turn."


def test_a_card_comes_from_the_hand() -> None:
    state = table({0: "GG9 RA9"})
    assert refusal(state, lay("CO9")) == "That card is not in your hand."
    assert refusal(state, lay("ZZ99")) == "That card is not in your hand."
    assert refusal(state, Announce("CO9", "RA")) == "That card is not in your hand."


def test_whoever_can_must_follow() -> None:
    state = table({0: "GG9", 1: "GG10 RA9"})
    play(state, lay("GG9"))
    assert refusal(state, lay("RA9")) == FOLLOW
    assert refusal(state, disguise("RA9")) == FOLLOW
    assert refusal(state, disguise("GG10")) == "Whoever follows cannot speculate."


def test_a_speculation_card_is_used_once_and_by_one_in_a_trick() -> None:
    state = table({0: "GG9", 1: "RA9", 2: "CO9"}, used=(0,))
    assert refusal(state, Announce("GG9", "RA")) == "You have used your Speculation Card."
    play(state, lay("GG9"), disguise("RA9"))
    assert refusal(state, disguise("CO9")) == "Somebody else speculates in this trick already."


def test_whoever_leads_announces_and_whoever_follows_does_not() -> None:
    state = table({0: "GG9 GG10", 1: "RA9"})
    assert refusal(state, disguise("GG9")) == "Whoever leads announces a company."
    assert refusal(state, Announce("GG9", "ZZ")) == "That company is not there."
    play(state, lay("GG9"))
    assert refusal(state, Announce("RA9", "CO")) == "Only who leads announces a company."


def test_arrows_must_move_a_company_that_they_can() -> None:
    state = table({0: "GG1 GG9"}, levels="CO1 GG2 MG3 PA4 RA5")
    assert (
        refusal(state, lay("GG9", "CO", True)) == "That card has no arrows, and moves no company."
    )
    assert refusal(state, lay("GG1")) == "Choose a company for the arrows of that card to move."
    words = "The arrows of that card cannot move that company so."
    assert refusal(state, lay("GG1", "CO", False)) == words


def test_a_portfolio_begins_with_two_different_cards_of_the_hand() -> None:
    state = choosing({0: "GG9 RA9 CO9"})
    assert refusal(state, Invest("GG9", "GG9"), seat=0) == "Choose two different cards."
    assert refusal(state, Invest("GG9", "CO1"), seat=0) == "That card is not in your hand."


def test_whoever_won_takes_a_card_that_lies_there() -> None:
    state = table({0: "GG12 RA9", 1: "GG9 CO9", 2: "GG8 CO8"})
    play(state, lay("GG12"), lay("GG9"), lay("GG8"))
    assert "neither in the trick" in refusal(state, Acquire("RA9"))
    assert refusal(state, lay("RA9")) == "That move is not open to you now."
