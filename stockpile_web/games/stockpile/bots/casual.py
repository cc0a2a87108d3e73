"""A bot that plays at a glance, by rules of thumb."""

from collections.abc import Callable
from typing import Any

from stockpile_web.engine import Rng
from stockpile_web.games.stockpile.data import BID_TRACK, COMPANIES, FEES, Card, Company
from stockpile_web.games.stockpile.data_epic import COMMODITIES, TAX
from stockpile_web.games.stockpile.investors import starting_money
from stockpile_web.games.stockpile.moves import (
    Bid,
    Boom,
    Bust,
    BuyBonds,
    Collect,
    DeclareDividend,
    DoubleUp,
    KeepInvestors,
    Move,
    Nudge,
    Place,
    Sell,
    SellHalf,
    SellSplit,
    ShowCompanies,
)
from stockpile_web.games.stockpile.view import View

BACK, GOODS = 3, 4  # What it thinks a face-down card, and a commodity, are worth.
DEAR = 9  # A share that is worth so much is sold.
RICH = 25  # With so much money it buys bonds.


def choose(view: View, moves: list[Move], rng: Rng) -> Move:
    """Choose what looks best; among equals, and where it has no rule, by chance."""
    likings = [RULES[type(move)](view, move) if type(move) in RULES else 0 for move in moves]
    best = max(likings)
    return rng.choice([move for move, likes in zip(moves, likings, strict=True) if likes == best])


def _bid(view: View, move: Bid) -> float:
    """The pile on which most seems to lie for the money."""
    return pile_worths(view)[move.pile] - BID_TRACK[move.space]


def pile_worths(view: View) -> list[float]:
    """Return what each pile seems worth; in the investor auction, each investor."""
    piles = [[laid.card for laid in pile.cards] for pile in view.piles]
    if view.phase == "auction":
        return [_start(view, cards[0] or "") for cards in piles]
    return [sum(_card(view, card) for card in cards) for cards in piles]


def _card(view: View, card: Card | None) -> float:
    if card in COMPANIES:
        return _price(view, card)
    if card in FEES:
        return -FEES[card]
    if card == TAX:
        return -GOODS
    return GOODS if card in COMMODITIES else BACK


def _start(view: View, investor: str) -> int:
    return starting_money(investor, len(view.players))


def _price(view: View, company: Company) -> int:
    return next(ticker.price for ticker in view.market if ticker.company == company)


def _shares(view: View, company: Company) -> int:
    """Return how many shares of a company the seat holds."""
    assert view.own is not None
    assert view.viewer is not None
    split = view.players[view.viewer].split.get(company, 0)
    return view.own.shares.get(company, 0) + 2 * split


def _sale(view: View, move: Sell | SellSplit) -> int:
    """Sell what is known to fall, and what is dear, unless it is known to rise."""
    for pair in view.pairs:
        if pair.company == move.company and pair.forecast and not pair.moved:
            return move.cards if pair.forecast.startswith("-") else -1
    return move.cards if _price(view, move.company) >= DEAR else -1


def _bonds(view: View, move: BuyBonds) -> int:
    assert view.viewer is not None
    return 1 if view.players[view.viewer].cash >= RICH else -1


# How much it likes a move; it neither likes nor dislikes to do nothing, and what is not here.
RULES: dict[type[Any], Callable[[View, Any], float]] = {
    Collect: lambda view, move: move.cards + 2 * move.split,
    Place: lambda view, move: move.down in FEES,
    Bid: _bid,
    Boom: lambda view, move: _shares(view, move.company),
    Bust: lambda view, move: -_shares(view, move.company),
    Nudge: lambda view, move: move.steps * _shares(view, move.company),
    Sell: _sale,
    SellSplit: _sale,
    SellHalf: lambda view, move: -1,
    KeepInvestors: lambda view, move: sum(_start(view, key) for key in move.keys),
    BuyBonds: _bonds,
    DoubleUp: lambda view, move: -1,
    DeclareDividend: lambda view, move: _shares(view, move.company),
    ShowCompanies: lambda view, move: 1,
}
