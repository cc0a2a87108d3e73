"""The viewer's own shares: what they are worth now, and what can be had for them."""

from typing import Any

from stockpile_web.engine import Piece
from stockpile_web.games.stockpile.board.asking import Kinds
from stockpile_web.games.stockpile.data import COMPANIES, FEES, Company
from stockpile_web.games.stockpile.data_epic import (
    BOND_PRICE,
    SET_BONUS,
    SHORT_PRICE,
    TAX,
    TAX_PENALTY,
)
from stockpile_web.games.stockpile.modules.commodities import sets
from stockpile_web.games.stockpile.view import View

ALWAYS_SHOWN = ("cash", "shares")
SHARES_OF_A_CARD = {"Sell": 1, "SellSplit": 2, "SellHalf": 1}


class Lot(Piece, frozen=True):
    """So many cards that can be sold together."""

    move: Any
    shares: int
    money: int


class Holding(Piece, frozen=True):
    """What the viewer has of a company; sales by the kind of their move."""

    company: Company
    shares: int  # A split card is two.
    split: int
    price: int
    value: int
    sales: dict[str, list[Lot]]


class Payout(Piece, frozen=True):
    """A move and what it brings or costs."""

    move: Any
    money: int
    keeps: int = 0


class Portfolio(Piece, frozen=True):
    """All that the viewer has, and what it would bring today."""

    holdings: list[Holding]
    worth: dict[
        str, int
    ]  # What there would be if the game ended now, by source; not all are there.
    total: int


def portfolio(view: View, can: Kinds) -> Portfolio | None:
    """Return what the viewer has."""
    if view.own is None or view.viewer is None:
        return None
    player = view.players[view.viewer]
    split, holdings = player.split, []
    for company in COMPANIES:
        cards, doubled = view.own.shares.get(company, 0), split.get(company, 0)
        if cards or doubled:
            price, shares = view.own.prices[company], cards + 2 * doubled
            sales = _sales(company, price, can)
            holdings.append(Holding(company, shares, doubled, price, shares * price, sales))
    goods = player.goods
    worth = {
        "cash": player.cash,
        "shares": sum(holding.value for holding in holdings),
        "bonds": player.bonds * BOND_PRICE[len(view.players)],
        "commodities": sum(SET_BONUS[len(cards)] for cards in sets(goods)),
        "taxes": -TAX_PENALTY[goods.count(TAX)],
        "fees": -sum(FEES[fee] for fee in player.fees),
    }
    return Portfolio(
        holdings,
        {source: money for source, money in worth.items() if money or source in ALWAYS_SHOWN},
        sum(worth.values()),
    )


def _sales(company: Company, price: int, can: Kinds) -> dict[str, list[Lot]]:
    sales = {}
    for kind, a_card in SHARES_OF_A_CARD.items():
        moves = [move for move in can.get(kind, ()) if move.company == company]
        if moves:
            sales[kind] = [
                Lot(move, a_card * move.cards, a_card * move.cards * price) for move in moves
            ]
    return sales


def collections(view: View, can: Kinds) -> list[Payout]:
    """Return what the viewer can collect of the dividend that is paid, the most first."""
    if view.dividend is None:
        return []
    each = view.dividend.each
    return [
        Payout(move, each * (move.cards + 2 * move.split))
        for move in reversed(can.get("Collect", []))
    ]


def short_sales(view: View, can: Kinds) -> list[Payout]:
    """Return what each share brings that Shorting Soros may sell: what raises prices counts."""
    if view.own is None or "Short" not in can:
        return []
    values, prices = view.prices(), view.own.prices
    return [
        Payout(move, SHORT_PRICE + prices[move.company] - values[move.company])
        for move in can["Short"]
    ]


def bonds(view: View, can: Kinds) -> list[Payout]:
    """Return how many bonds can be bought, what they cost and what is left."""
    if view.viewer is None or "BuyBonds" not in can:
        return []
    each, cash = BOND_PRICE[len(view.players)], view.players[view.viewer].cash
    return [Payout(move, each * move.count, cash - each * move.count) for move in can["BuyBonds"]]
