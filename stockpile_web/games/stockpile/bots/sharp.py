"""A bot that thinks: it imagines tables that look as its own does, and plays the auction there.

Tables are the more plausible the more sense the others' bids make on them: so it reads from bids
what lies face-down, what the others know, and whether they weigh piles up or bid at a glance. It
does like the steady one what it does not think about.
"""

from operator import itemgetter
from typing import Any

from stockpile_web.engine import Dealer, Rng, Seat
from stockpile_web.games.stockpile import rules
from stockpile_web.games.stockpile.bots import casual, steady
from stockpile_web.games.stockpile.bots.auction import Auction
from stockpile_web.games.stockpile.bots.imagine import imagine
from stockpile_web.games.stockpile.bots.minds import CASUAL, Mind, any_mind, steady_mind
from stockpile_web.games.stockpile.bots.outlook import Outlook
from stockpile_web.games.stockpile.bots.supplying import KINDS, Piles
from stockpile_web.games.stockpile.moves import Bid, Done, Move
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.view import View
from stockpile_web.games.stockpile.view import view as view_of

# Its budget: tables to imagine for a bid, and of those to play on; and for laying cards, tables,
# and ways that look best at first sight. With half of it, it won 47 of 60 games against three
# casual ones instead of 50.
TABLES, PLAUSIBLE = 80, 30
LAID_OUT, WAYS = 10, 6

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
    own, count = steady_mind(view), TABLES if _others_bid(view) else PLAUSIBLE
    tables = [_auction(imagine(view, rng), view.viewer, own, rng) for _ in range(count)]
    tables.sort(key=itemgetter(0), reverse=True)
    totals = dict.fromkeys(near, 0.0)
    for belief, auction in tables[:PLAUSIBLE]:
        for bid in near:
            totals[bid] += belief * auction.chance(view.viewer, bid)
    return max(near, key=totals.__getitem__)


def _auction(state: State, viewer: Seat, own: Mind, rng: Rng) -> tuple[float, Auction]:
    """Return the auction of an imagined table, and how well it explains the others' bids."""
    belief, minds = 1.0, []
    for seat in range(len(state.players)):
        mind, fits = (own, 1.0) if seat == viewer else any_mind(state, seat, rng)
        minds.append(mind)
        belief *= fits
    return belief, Auction(state, minds)


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
            own = steady_mind(view_of(state, view.viewer))
            _, auction = _auction(state, view.viewer, own, Rng(seed))
            totals[way] += auction.chance(view.viewer)
    return max(ways, key=totals.__getitem__)


def _lay_the_rest(state: State, rng: Rng) -> None:
    """Let all lay their cards, some with care and some at a glance, until the bidding begins."""
    chooses = [casual.choose if rng.random() < CASUAL else steady.choose for _ in state.players]
    for _ in range(FAR_TOO_LONG):
        if state.phase not in SUPPLYING:
            return
        seat = state.on_turn()[0]
        move = chooses[seat](view_of(state, seat), rules.legal(state, seat), rng)
        rules.play(state, seat, move, Dealer(""))
