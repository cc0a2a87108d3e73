"""A bot with a value model: it knows what shares are worth, and takes what gains most."""

from collections.abc import Callable
from functools import partial
from operator import itemgetter
from typing import Any

from stockpile_web.engine import Rng
from stockpile_web.games.stockpile.bots.bidding import pile_worths, ranked_bids, space_costs
from stockpile_web.games.stockpile.bots.outlook import Outlook
from stockpile_web.games.stockpile.bots.powers import GAINS
from stockpile_web.games.stockpile.bots.strategies import strategy_gains
from stockpile_web.games.stockpile.bots.supplying import KINDS, Piles
from stockpile_web.games.stockpile.bots.trading import move_gain, sale_gain
from stockpile_web.games.stockpile.data import ACTIONS, BOOM, BUST
from stockpile_web.games.stockpile.moves import (
    Bid,
    Boom,
    Bust,
    Done,
    LookAtPair,
    LookAtPile,
    Move,
    Nudge,
    Sell,
    SellHalf,
    SellSplit,
)
from stockpile_web.games.stockpile.view import View

UNKNOWN = -1.0  # Of a move that it has no idea of nothing is hoped for.


def choose(view: View, moves: list[Move], rng: Rng) -> Move:
    """Choose the move that gains most."""
    return moves[0] if len(moves) == 1 else rank(Outlook(view), moves)[0][0]


def rank(outlook: Outlook, moves: list[Move]) -> list[tuple[Move, float]]:
    """Return all moves with what they promise, the best first."""
    # To look at something costs nothing, so it comes before all else.
    ranked: list[tuple[Move, float]] = [(move, 0.0) for move in _looks(outlook.view, moves)]
    bids = [move for move in moves if isinstance(move, Bid)]
    if bids:
        worths, costs = pile_worths(outlook), space_costs(outlook)
        in_order = ranked_bids(worths, costs, bids)
        ranked += ((bid, worths[bid.pile] - costs[bid.space]) for bid in in_order)
    others = [move for move in moves if not isinstance(move, Bid | LookAtPair | LookAtPile)]
    weigh: Callable[[Any], float] = partial(gain, outlook)
    if any(isinstance(move, KINDS) for move in others):
        weigh = Piles(outlook).promise
    gains = strategy_gains(outlook, others)
    weighed = [(move, gains[move] if move in gains else weigh(move)) for move in others]
    return ranked + sorted(weighed, key=itemgetter(1), reverse=True)


def _looks(view: View, moves: list[Move]) -> list[Move]:
    """Return the ways to look at something, rather where more lies hidden."""

    def hidden(move: Move) -> int:
        if not isinstance(move, LookAtPile):
            return 1
        return sum(laid.card is None for laid in view.piles[move.pile].cards)

    looks = [move for move in moves if isinstance(move, LookAtPair | LookAtPile)]
    return sorted(looks, key=hidden, reverse=True)


def gain(outlook: Outlook, move: Any) -> float:
    """Return what a move gains beyond doing nothing."""
    match move:
        case Done():
            return 0.0
        case Sell() | SellHalf() | SellSplit():
            return sale_gain(outlook, move)
        case Boom(company):
            return move_gain(outlook, company, ACTIONS[BOOM])
        case Bust(company):
            return move_gain(outlook, company, ACTIONS[BUST])
        case Nudge(company, steps):
            return move_gain(outlook, company, steps)
    return GAINS[type(move)](outlook, move) if type(move) in GAINS else UNKNOWN
