"""What a board shows besides the view itself: all that has to be worked out for a template."""

from collections.abc import Sequence
from typing import Any

from stockpile_web.engine import Facts, Piece, Result, Seat
from stockpile_web.games.stockpile.board.account import Account, account
from stockpile_web.games.stockpile.board.asking import Asking, Kinds, act_of, asking, winners
from stockpile_web.games.stockpile.board.deals import Deal, deals
from stockpile_web.games.stockpile.board.ladders import Rung, ladders
from stockpile_web.games.stockpile.board.market import Chip, Controls, chips, controls
from stockpile_web.games.stockpile.board.news import News, news
from stockpile_web.games.stockpile.board.portfolio import (
    Payout,
    Portfolio,
    bonds,
    collections,
    portfolio,
    short_sales,
)
from stockpile_web.games.stockpile.board.side import Side, side
from stockpile_web.games.stockpile.data import Company
from stockpile_web.games.stockpile.view import BidView, View

__all__ = ["Board", "board"]


class Board(Piece, frozen=True):
    """The board of one viewer."""

    act: str  # What is going on: the phase, or what interrupts it.
    can: Kinds  # The viewer's moves by kind.
    asking: Asking
    winners: list[Seat]
    news: News
    ladders: list[list[Rung]]  # By pile, for whoever may bid.
    bids: dict[Seat, list[tuple[int, BidView]]]  # That stand, with their piles.
    chips: list[Chip]
    controls: dict[Company, Controls]
    pair_ranks: list[int]  # The place of a pair among those of its holder that are not open.
    side: Side
    portfolio: Portfolio | None
    collections: list[Payout]
    short_sales: list[Payout]
    bonds: list[Payout]
    deals: list[Deal]
    account: Account | None


def board(view: View, moves: list[Any], since: Sequence[Facts], result: Result | None) -> Board:
    """Work out what the board of `view` shows."""
    act, can = act_of(view), _by_kind(moves)
    new = news(() if view.over else since, view.viewer)
    return Board(
        act=act,
        can=can,
        asking=asking(view, act, can),
        winners=winners(result),
        news=new,
        ladders=ladders(view, act, can.get("Bid", ())),
        bids=_standing_bids(view),
        chips=chips(view, new),
        controls=controls(view, can),
        pair_ranks=_pair_ranks(view),
        side=side(view),
        portfolio=portfolio(view, can),
        collections=collections(view, can),
        short_sales=short_sales(view, can),
        bonds=bonds(view, can),
        deals=deals(can),
        account=account(result, view.modules),
    )


def _by_kind(moves: list[Any]) -> Kinds:
    found: Kinds = {}
    for move in moves:
        found.setdefault(type(move).__name__, []).append(move)
    return found


def _standing_bids(view: View) -> dict[Seat, list[tuple[int, BidView]]]:
    found: dict[Seat, list[tuple[int, BidView]]] = {}
    for number, pile in enumerate(view.piles, 1):
        if pile.bid:
            found.setdefault(pile.bid.seat, []).append((number, pile.bid))
    return found


def _pair_ranks(view: View) -> list[int]:
    seen: dict[Seat | None, int] = {}
    ranks = []
    for pair in view.pairs:
        ranks.append(seen.get(pair.holder, 0) + 1)
        seen[pair.holder] = seen.get(pair.holder, 0) + (not pair.up)
    return ranks
