"""A bot with a value model: it knows what shares are worth, and takes what gains most."""

from typing import Any

from stockpile_web.engine import Rng
from stockpile_web.games.stockpile.bots.bidding import best_bid, pile_worths, space_costs
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
    Collect,
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
    if len(moves) == 1:
        return moves[0]
    if isinstance(moves[0], Collect):
        return moves[-1]  # Everything there is to show.
    looks = [move for move in moves if isinstance(move, LookAtPair | LookAtPile)]
    if looks:
        return rng.choice(looks)
    outlook = Outlook(view)
    bids = [move for move in moves if isinstance(move, Bid)]
    if bids:
        return best_bid(pile_worths(outlook), space_costs(outlook), bids)
    if any(isinstance(move, KINDS) for move in moves):
        piles = Piles(outlook)
        return max(moves, key=piles.promise)
    gains = strategy_gains(outlook, moves, rng)
    return max(moves, key=lambda move: gains[move] if move in gains else gain(outlook, move))


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
