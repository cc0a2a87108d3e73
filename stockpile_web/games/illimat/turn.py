"""A turn from the first choice to the draw, what follows from a cleared field, and who is next."""

from typing import Any

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.illimat import (
    choosing,
    clearing,
    harvesting,
    scoring,
    sowing,
    stockpiling,
    swapping,
)
from stockpile_web.games.illimat.data import RING
from stockpile_web.games.illimat.moves import (
    Add,
    Done,
    Finish,
    Harvest,
    HarvestAll,
    Move,
    Sow,
    SowMore,
    Stockpile,
    Swap,
    TurnIllimat,
)
from stockpile_web.games.illimat.pile import draw
from stockpile_web.games.illimat.setup import deal
from stockpile_web.games.illimat.state import OVER, PLAYING, SWAPPING, TURNING, State, Turn
from stockpile_web.games.illimat.turning import turn_to


def legal(state: State, seat: Seat) -> list[Move]:
    """Return the steps and moves open to a seat as far as its turn has come."""
    if seat != state.turn.seat or state.phase == OVER:
        return []
    if state.phase == TURNING:
        return [TurnIllimat(season) for season in RING]
    if state.phase == SWAPPING:
        return [*swapping.legal(state), Done()]
    if state.turn.choice is not None:
        return choosing.legal(state, state.turn.choice)
    more = [*sowing.legal_more(state), *swapping.legal(state)]
    if not state.turn.played:
        return [
            *sowing.legal(state), *harvesting.legal(state), *stockpiling.legal(state), *more
        ]  # fmt: skip
    return more if sowing.due(state) else [*more, Done()]


def play(state: State, seat: Seat, move: Any, dealer: Dealer) -> None:
    """Carry out a legal step or move, and all that follows without a decision."""
    match move:
        case Harvest():
            harvesting.begin(state, move)
        case Stockpile():
            stockpiling.begin(state, move)
        case Add():
            assert state.turn.choice is not None
            choosing.add(state, state.turn.choice, move)
        case _:
            _act(state, move, dealer)
            _go_on(state, move, dealer)


def _act(state: State, move: Any, dealer: Dealer) -> None:
    match move:
        case Sow() | SowMore():
            sowing.play(state, move, dealer)
        case HarvestAll(cards, field, value, season):
            items = state.fields[field].items
            harvesting.play(state, cards, field, value, items, season, dealer)
        case Finish(season):
            _finish(state, season, dealer)
        case Swap():
            swapping.play(state, move, dealer)
        case TurnIllimat(season):
            assert state.turn.cleared is not None
            turn_to(state, state.turn.cleared, season, state.turn.seat, dealer)


def _finish(state: State, season: str, dealer: Dealer) -> None:
    """Carry out what was put together."""
    choice = state.turn.choice
    assert choice is not None
    state.turn.choice = None
    if choice.counts:
        stockpiling.play(state, choice, season, dealer)
        return
    taken = choosing.chosen(state, choice)
    harvesting.play(state, choice.cards, choice.field, choice.value, taken, season, dealer)


def _go_on(state: State, move: Move, dealer: Dealer) -> None:
    """End the turn if nothing is left to decide in it."""
    if state.phase == PLAYING:
        if not _is_over(state, move):
            return
        draw(state, dealer)
        if state.turn.cleared is not None:
            clearing.reward(state, state.turn.cleared, dealer)
        if state.phase == TURNING or (state.phase == SWAPPING and swapping.legal(state)):
            return
    elif state.phase == SWAPPING and isinstance(move, Swap) and swapping.legal(state):
        return
    state.phase = PLAYING
    if state.turn.cleared is not None:
        clearing.refill(state, state.turn.cleared, dealer)
    _next_turn(state, dealer)


def _is_over(state: State, move: Move) -> bool:
    """Tell whether a turn is over: without cards whatever was still to be done lapses."""
    if not state.hand() or isinstance(move, Done):
        return True
    return state.turn.played and not sowing.due(state) and not swapping.legal(state)


def _next_turn(state: State, dealer: Dealer) -> None:
    """Let the next player who has cards play; if nobody has any, the round is over."""
    seats = len(state.players)
    for place in range(1, seats + 1):
        seat = (state.turn.seat + place) % seats
        if state.players[seat].hand:
            state.turn = Turn(seat)
            return
    state.turn = Turn(state.turn.seat)
    scoring.score(state, dealer)
    if scoring.is_last_round(state):
        state.phase = OVER
        return
    state.dealer = (state.dealer + 1) % seats
    deal(state, dealer)
