"""Why a move is not open, in the player's words and from what the player sees alone."""

from collections.abc import Callable
from typing import Any

from stockpile_web.games.stockpile.data import BID_TRACK, BOOM, BUST, COMPANIES
from stockpile_web.games.stockpile.moves import (
    Bid,
    Boom,
    Bust,
    BuyBonds,
    BuyDiscarded,
    Collect,
    Done,
    Move,
    Place,
    PlayStrategy,
    Sell,
    SellHalf,
    SellSplit,
)
from stockpile_web.games.stockpile.view import BidView, OwnView, View

NO_SUCH_PILE = "There is no such pile."


def why_not(view: View, moves: list[Move], move: Any) -> str:
    """Say why `move` is not among the moves that are open to the viewer."""
    reason = REASONS.get(type(move))
    return reason(view, view.own, moves, move) if reason and view.own else ""


def _place(view: View, own: OwnView, moves: list[Move], move: Place) -> str:
    if not own.hand:
        return ""
    if sorted([move.up, move.down]) != sorted(own.hand):
        return "Those are not the two cards in your hand."
    return NO_SUCH_PILE


def _bid(view: View, own: OwnView, moves: list[Move], move: Bid) -> str:
    bids = [each for each in moves if isinstance(each, Bid)]
    if not bids:
        return ""
    if not 0 <= move.pile < len(view.piles):
        return NO_SUCH_PILE
    if not 0 <= move.space < len(BID_TRACK):
        return "There is no such space on the bidding track."
    spaces = [each.space for each in bids if each.pile == move.pile]
    if move.space in spaces:
        return "That meeple is not the one to bid with now."
    if standing := view.piles[move.pile].bid:
        return _outbid(view, standing, spaces, move)
    return _too_dear(view)


def _outbid(view: View, standing: BidView, spaces: list[int], move: Bid) -> str:
    """Say why a bid does not outbid the one that stands; `spaces` of that pile are open."""
    if standing.seat == view.viewer:
        return "Your own bid stands on that pile."
    if move.space <= standing.space:
        return f"A bid on that pile must be higher than the {_money(standing.amount)} there."
    if not spaces:
        return f"You cannot outbid the {_money(standing.amount)} on that pile."
    if move.space < spaces[0]:
        return f"To outbid that player you must bid {_money(BID_TRACK[spaces[0]])} or more."
    return _too_dear(view)


def _too_dear(view: View) -> str:
    if view.phase == "auction":
        return "That investor does not bring enough money for that bid."
    return "You do not have enough money for that bid."


def _boom(view: View, own: OwnView, moves: list[Move], move: Boom) -> str:
    return "" if BOOM in own.actions else "You have no Stock Boom card to use."


def _bust(view: View, own: OwnView, moves: list[Move], move: Bust) -> str:
    return "" if BUST in own.actions else "You have no Stock Bust card to use."


def _sale(view: View, own: OwnView, moves: list[Move], move: Sell | SellSplit | SellHalf) -> str:
    if Done not in map(type, moves) or move.company not in COMPANIES:
        return ""
    is_split = not isinstance(move, Sell)
    held = _held(view, own, move.company, is_split)
    cards = f"{'split ' if is_split else ''}card{'' if held == 1 else 's'}"
    if not held:
        return f"You have no {cards} of {COMPANIES[move.company]} to sell."
    if move.cards > held:
        return f"You have only {held} {cards} of {COMPANIES[move.company]} to sell."
    return ""


def _collect(view: View, own: OwnView, moves: list[Move], move: Collect) -> str:
    if view.dividend is None:
        return ""
    return f"You do not have so many cards of {COMPANIES[view.dividend.company]} to show."


def _done(view: View, own: OwnView, moves: list[Move], move: Done) -> str:
    if view.phase == "action" and own.actions:
        return "Use all your action cards first."
    return "There is something that you must decide first."


def _bonds(view: View, own: OwnView, moves: list[Move], move: BuyBonds) -> str:
    is_asked = any(isinstance(each, BuyBonds) for each in moves)
    return "You cannot buy so many bonds." if is_asked else ""


def _discarded(view: View, own: OwnView, moves: list[Move], move: BuyDiscarded) -> str:
    if move.company not in COMPANIES or not any(isinstance(each, BuyDiscarded) for each in moves):
        return ""
    if move.company not in view.discard:
        return f"No card of {COMPANIES[move.company]} lies on the discard pile."
    return "You do not have enough money for that card."


def _strategy(view: View, own: OwnView, moves: list[Move], move: PlayStrategy) -> str:
    if view.phase != "action":
        return "Strategies are played on your Action turn."
    if move.card not in own.strategies:
        return "You do not hold that strategy."
    if not own.strategies_left:
        return "You have played all the strategies that you may in this round."
    return "That strategy cannot be played like this now."


def _money(amount: int) -> str:
    return f"${amount}K" if amount else "$0"


def _held(view: View, own: OwnView, company: str, is_split: bool) -> int:
    """Return how many cards of a company the viewer has, regular or split ones."""
    assert view.viewer is not None
    cards = view.players[view.viewer].split if is_split else own.shares
    return cards.get(company, 0)


REASONS: dict[type, Callable[[View, OwnView, list[Move], Any], str]] = {
    Place: _place,
    Bid: _bid,
    Boom: _boom,
    Bust: _bust,
    Sell: _sale,
    SellSplit: _sale,
    SellHalf: _sale,
    Collect: _collect,
    Done: _done,
    BuyBonds: _bonds,
    BuyDiscarded: _discarded,
    PlayStrategy: _strategy,
}
