"""A bot that thinks: it imagines tables that look as its own does, and plays the round out."""

from math import exp
from typing import Any

from stockpile_web.engine import Dealer, Rng, Seat
from stockpile_web.games import stockpile
from stockpile_web.games.stockpile.bots import steady
from stockpile_web.games.stockpile.bots.imagine import imagine
from stockpile_web.games.stockpile.bots.outlook import Outlook
from stockpile_web.games.stockpile.bots.standing import standing
from stockpile_web.games.stockpile.bots.supplying import KINDS, Piles
from stockpile_web.games.stockpile.moves import Bid, Collect, Move
from stockpile_web.games.stockpile.phases.game_end import OVER
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.view import View

# Measured to take about two seconds: moves that are looked at, and rounds played out for them.
MOVES, PLAYED_OUT = 12, 240
AT_THE_END, A_ROUND = 4.0, 5.0  # Money that decides much: at the end, and more for each round left.
FAR_TOO_LONG = 500  # Moves.


def choose(view: View, moves: list[Move], rng: Rng) -> Move:
    """Choose the move after which the seat stands best, on average over imagined tables."""
    if len(moves) == 1 or isinstance(moves[0], Collect):
        return steady.choose(view, moves, rng)
    candidates = _candidates(view, moves, rng)
    totals = dict.fromkeys(candidates, 0.0)
    done = 0
    while len(candidates) > 1:
        each = max(1, PLAYED_OUT // 3 // len(candidates))
        for _ in range(each):
            seed = rng.random()
            for move in candidates:
                totals[move] += _play_out(view, move, seed)
        done += each
        candidates.sort(key=totals.__getitem__, reverse=True)
        candidates = candidates[: (len(candidates) + 1) // 3 or 1]
    return candidates[0]


def _candidates(view: View, moves: list[Any], rng: Rng) -> list[Move]:
    """Return the moves worth looking at: those that seem best at first sight."""
    outlook = Outlook(view)
    if any(isinstance(move, KINDS) for move in moves):
        piles = Piles(outlook)
        return sorted(moves, key=piles.promise, reverse=True)[:MOVES]
    bids = [move for move in moves if isinstance(move, Bid)]
    if bids:
        lowest: dict[int, int] = {}
        for bid in bids:
            lowest.setdefault(bid.pile, bid.space)
        near = [bid for bid in bids if bid.space <= lowest[bid.pile] + 2]
        return [*sorted(near, key=lambda bid: bid.space)[:16]]
    return [steady.choose(view, moves, rng)]


def _play_out(view: View, move: Move, seed: float) -> float:
    """Imagine a table, make the move, let all play on like the steady one, and say how it ends."""
    assert view.viewer is not None
    rng = Rng(seed)
    state = imagine(view, rng)
    stockpile.play(state, view.viewer, move, Dealer(f"{seed}"))
    for number in range(1, FAR_TOO_LONG):
        if state.round > view.round or state.phase == OVER:
            break
        seat = state.on_turn()[0]
        moves = stockpile.legal(state, seat)
        played = steady.choose(stockpile.view(state, seat), moves, rng)
        stockpile.play(state, seat, played, Dealer(f"{seed}", number))
    return _share(state, view.viewer)


def _share(state: State, seat: Seat) -> float:
    """Return how likely the seat is to win, as far as the money tells."""
    money = standing(state)
    left = 0 if state.phase == OVER else state.table().rounds - state.round + 1
    scale = AT_THE_END + A_ROUND * left
    most = max(money)
    weights = [exp((each - most) / scale) for each in money]
    return weights[seat] / sum(weights)
