"""A bot that thinks: it imagines tables that look as its own does, and plays the auction there.

Tables are the more plausible the more sense the others' bids make on them: so it reads from bids
what lies face-down, and what the others know. It takes all others for steady ones, and does like
the steady one what it does not think about.
"""

from math import exp
from typing import Any

from stockpile_web.engine import Dealer, Rng
from stockpile_web.games.stockpile import rules
from stockpile_web.games.stockpile.bots import steady
from stockpile_web.games.stockpile.bots.auction import Auction
from stockpile_web.games.stockpile.bots.imagine import imagine
from stockpile_web.games.stockpile.bots.outlook import Outlook
from stockpile_web.games.stockpile.bots.supplying import KINDS, Piles
from stockpile_web.games.stockpile.moves import Bid, Done, Move
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.view import View
from stockpile_web.games.stockpile.view import view as view_of

# Its budget: tables to imagine for a bid, and of those to play on; and for laying cards, tables,
# and ways that look best at first sight.
TABLES, PLAUSIBLE = 160, 50
LAID_OUT, WAYS = 14, 8

# What a bid may seem to give away. Of 0.5, 2 and 6, the first made imagined hidden cards too
# bold by a little (real ones followed by 0.9), the second too timid (by 1.4): this lies between.
HARD_TO_BELIEVE = 1.0
SUPPLYING = {"opening", "supply", "after_supply", "end_of_supply", "before_demand"}
FAR_TOO_LONG = 100  # Moves.


def choose(view: View, moves: list[Move], rng: Rng) -> Move:
    """Choose the move after which the seat is most likely to win."""
    if len(moves) > 1:
        if view.phase == "demand" and all(isinstance(move, Bid) for move in moves):
            return _bid(view, moves, rng)
        if view.phase in SUPPLYING and all(isinstance(move, (*KINDS, Done)) for move in moves):
            return _lay(view, moves, rng)
    return steady.choose(view, moves, rng)


def _bid(view: View, bids: list[Any], rng: Rng) -> Move:
    """Choose among the lowest bids on each pile, on the tables that explain the others' bids."""
    assert view.viewer is not None
    lowest: dict[int, int] = {}
    for bid in bids:
        lowest.setdefault(bid.pile, bid.space)
    near: list[Bid] = [bid for bid in bids if bid.space <= lowest[bid.pile] + 2]
    count = TABLES if _others_bid(view) else PLAUSIBLE
    tables = [Auction(imagine(view, rng)) for _ in range(count)]
    doubts = sorted(((table.doubt(view.viewer), n) for n, table in enumerate(tables)))
    totals = dict.fromkeys(near, 0.0)
    for doubt, number in doubts[:PLAUSIBLE]:
        weight, table = exp((doubts[0][0] - doubt) / HARD_TO_BELIEVE), tables[number]
        for bid in near:
            totals[bid] += weight * table.chance(view.viewer, bid)
    return max(near, key=totals.__getitem__)


def _others_bid(view: View) -> bool:
    return any(pile.bid is not None and pile.bid.seat != view.viewer for pile in view.piles)


def _lay(view: View, moves: list[Any], rng: Rng) -> Move:
    """Choose among the ways to lay cards that look best, when the others have laid theirs too."""
    assert view.viewer is not None
    piles = Piles(Outlook(view))
    ways: list[Move] = sorted(moves, key=piles.promise, reverse=True)[:WAYS]
    totals = dict.fromkeys(ways, 0.0)
    for _ in range(LAID_OUT):
        seed = rng.random()
        for way in ways:
            state = imagine(view, Rng(seed))
            rules.play(state, view.viewer, way, Dealer(""))
            _lay_the_rest(state, Rng(seed))
            totals[way] += Auction(state).chance(view.viewer)
    return max(ways, key=totals.__getitem__)


def _lay_the_rest(state: State, rng: Rng) -> None:
    """Let everyone lay their cards like the steady one, until the bidding begins."""
    for _ in range(FAR_TOO_LONG):
        if state.phase not in SUPPLYING:
            return
        seat = state.on_turn()[0]
        moves = rules.legal(state, seat)
        move = steady.choose(view_of(state, seat), moves, rng)
        rules.play(state, seat, move, Dealer(""))
