"""The course of a game: what is legal, playing a move, and going on to the next decision.

The rules themselves are in `setup` and in `phases/`, in the order of the rulebook.
"""

from typing import Any

from stockpile_web.engine import Dealer, Seat, ask
from stockpile_web.games.stockpile import dividends, market
from stockpile_web.games.stockpile.in_play import ask_players, in_play
from stockpile_web.games.stockpile.moves import (
    DONE,
    Bid,
    Boom,
    Bust,
    Done,
    Move,
    Place,
    Sell,
    SellHalf,
    SellSplit,
)
from stockpile_web.games.stockpile.phases import AFTER, AFTER_IN_BASE_GAME, PHASES
from stockpile_web.games.stockpile.phases.game_end import OVER
from stockpile_web.games.stockpile.phases.phase import Phase
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.twist import Twist

# The phase that plays each move of the base game, whenever a player may make it.
PLAYED_BY: dict[Any, Phase] = {
    Place: PHASES["supply"],
    Boom: PHASES["action"],
    Bust: PHASES["action"],
    Sell: PHASES["selling"],
    SellSplit: PHASES["selling"],
    SellHalf: PHASES["selling"],
}


def legal(state: State, seat: Seat) -> list[Move]:
    """Return the moves of a seat on turn, or of all who are asked about a dividend."""
    if state.dividend is not None:
        return dividends.legal(state, state.dividend, seat)
    queue = state.queue
    if not queue or (queue[0] != seat and not (state.at_once and seat in queue)):
        return []
    phase = PHASES[state.phase]
    moves = list(phase.legal(state, seat))
    if ask_players(state):
        moves = ask(in_play(state, seat), Twist.moves, moves, state, seat)
        if state.players[seat].sold and DONE not in moves:
            moves.append(DONE)
        if DONE in moves and not phase.may_end(state, seat):
            moves.remove(DONE)
    return moves


def play(state: State, seat: Seat, move: Any, dealer: Dealer) -> None:
    """Carry out a legal move, and all that follows without a decision."""
    kind = type(move)
    if state.dividend is not None:
        dividends.play(state, state.dividend, seat, move, dealer)
    elif kind in PLAYED_BY:
        PLAYED_BY[kind].play(state, seat, move, dealer)
    elif kind is Bid:  # For a pile, or for an investor.
        PHASES[state.phase].play(state, seat, move, dealer)
    elif kind is Done:
        _end_turn(state, seat, dealer)
    else:
        _play_twist(state, seat, move, dealer)
    advance(state, dealer)


def _play_twist(state: State, seat: Seat, move: Move, dealer: Dealer) -> None:
    for twist in in_play(state, seat):
        if isinstance(move, twist.MOVES):
            twist.play(state, seat, move, dealer)
            if state.at_once:
                state.queue.remove(seat)
            return


def _end_turn(state: State, seat: Seat, dealer: Dealer) -> None:
    state.players[seat].sold = False
    PHASES[state.phase].leave(state, seat, dealer)
    for twist in in_play(state, seat):
        twist.after_turn(state, seat, dealer)


def advance(state: State, dealer: Dealer) -> None:
    """Go on until somebody has a decision to make, or the game is over.

    A turn on which something was sold never ends by itself: a form may bring several sales, and
    then that its player is done.
    """
    after = AFTER if ask_players(state) else AFTER_IN_BASE_GAME
    while state.phase != OVER:
        if state.dividend is not None:
            if state.dividend.asked:
                return
            market.resume(state, dealer)
        elif state.queue:
            phase, seat = PHASES[state.phase], state.queue[0]
            has_sold = state.players[seat].sold
            if state.at_once or has_sold or not phase.is_done(state, seat):
                return
            _end_turn(state, seat, dealer)
        elif state.phase == "setup" or not PHASES[state.phase].proceed(state, dealer):
            state.phase = after[state.phase]
            PHASES[state.phase].begin(state, dealer)
