"""What dividends, and the moves of modules and investors, gain."""

from collections.abc import Callable
from typing import Any

from stockpile_web.engine import Seat
from stockpile_web.games.stockpile.bots.outlook import Outlook
from stockpile_web.games.stockpile.bots.ratings import STRATEGIES, investor_worth
from stockpile_web.games.stockpile.bots.trading import shortage
from stockpile_web.games.stockpile.bots.worth import any_forecast, effect, held_through
from stockpile_web.games.stockpile.data import COMPANIES, Company
from stockpile_web.games.stockpile.data_epic import BOND_PRICE, INTEREST, SHORT_PRICE
from stockpile_web.games.stockpile.moves import (
    BuyBonds,
    BuyDiscarded,
    Collect,
    DeclareDividend,
    DiscardStrategies,
    DoubleUp,
    Give,
    GiveFirstCard,
    KeepInvestors,
    Redistribute,
    Short,
    ShowCompanies,
    TakeCard,
    TakeIncome,
)

FIRST_OF_ALL = 10_000.0  # More than anybody owns.


def share_lost(outlook: Outlook, company: Company, half: bool) -> float:
    """Return what is lost with a card, or with half of a split one."""
    regular, split = outlook.held(company)
    shares, card = regular + 2 * split, outlook.worth[company]
    lost = card.split - card.regular if half else card.regular
    return lost + outlook.majority(company, shares) - outlook.majority(company, shares - 1)


def _collected(outlook: Outlook, move: Collect) -> float:
    each = outlook.view.dividend.each if outlook.view.dividend else 0
    return each * (move.cards + 2.0 * move.split)


def _kept(outlook: Outlook, move: KeepInvestors) -> float:
    seats = len(outlook.view.players)
    return sum(investor_worth(key, seats) for key in move.keys)


def _discarded(outlook: Outlook, move: DiscardStrategies) -> float:
    return -sum(STRATEGIES[card] for card in move.cards)


def _bonds(outlook: Outlook, move: BuyBonds) -> float:
    cost = move.count * BOND_PRICE[len(outlook.view.players)]
    cash, extra = outlook.me.cash, "li" in outlook.me.investors
    interest = outlook.left * move.count * (INTEREST + 0.5 * extra)
    return interest + shortage(outlook, cash) - shortage(outlook, cash - cost)


def _taken(outlook: Outlook, move: TakeCard) -> float:
    """The forecast that is worth most to know, or the company of which most is held."""
    if move.card in COMPANIES:
        return sum(outlook.held(move.card)) / 2
    certain = held_through("standard", "CC", 4, 1, False, ((1.0, *effect(move.card)),))
    usual = held_through("standard", "CC", 4, 1, False, any_forecast(False))
    return abs(certain.regular - usual.regular)


def _doubled(outlook: Outlook, move: DoubleUp) -> float:
    card = outlook.worth[move.company]
    return card.split - card.regular - share_lost(outlook, move.given, move.half)


def _short(outlook: Outlook, move: Short) -> float:
    dearer = outlook.own.prices[move.company] - outlook.price(move.company)
    return SHORT_PRICE + dearer - share_lost(outlook, move.company, move.half)


def _bought(outlook: Outlook, move: BuyDiscarded) -> float:
    return outlook.card(move.company) - max(0, outlook.price(move.company) - 2)


def _dividend(outlook: Outlook, move: DeclareDividend) -> float:
    """What it brings the seat more than each of the others."""
    regular, split = outlook.held(move.company)
    others = [player for seat, player in enumerate(outlook.view.players) if seat != outlook.seat]
    likely = outlook.likely[move.company]
    theirs = sum(p.face_down * likely + 2 * p.split.get(move.company, 0) for p in others)
    return regular + 2 * split - theirs / len(others)


def _given(outlook: Outlook, move: Give) -> float:
    """To the poorest, and before anything else: with less in hand there is less to give."""
    return FIRST_OF_ALL - max((_riches(outlook, seat) for seat in move.to), default=0)


def _redistributed(outlook: Outlook, move: Redistribute) -> float:
    to_another = move.poor != outlook.seat
    return _riches(outlook, move.rich) - to_another * _riches(outlook, move.poor)


def _first(outlook: Outlook, move: GiveFirstCard) -> float:
    """It is best to be the last of all to lay cards and to bid."""
    return float(move.to == (outlook.seat + 1) % len(outlook.view.players))


def _riches(outlook: Outlook, seat: Seat) -> float:
    player = outlook.view.players[seat]
    return player.cash + 6 * (player.face_down + 2 * sum(player.split.values()))


GAINS: dict[type[Any], Callable[[Outlook, Any], float]] = {
    Collect: _collected,
    KeepInvestors: _kept,
    DiscardStrategies: _discarded,
    BuyBonds: _bonds,
    TakeCard: _taken,
    DoubleUp: _doubled,
    Short: _short,
    BuyDiscarded: _bought,
    DeclareDividend: _dividend,
    ShowCompanies: lambda outlook, move: 1.0,  # At least; to show cards costs nothing.
    TakeIncome: lambda outlook, move: 0.0,  # It comes by itself.
    Give: _given,
    Redistribute: _redistributed,
    GiveFirstCard: _first,
}
