"""The odds of a round, by what one seat sees: how companies may move, and what lies face-down.

They are counted, not guessed: of all that this seat cannot tell apart, each is as likely as any
other. What players give away by their bids is not counted.
"""

from collections import defaultdict

from stockpile_web.engine import Piece
from stockpile_web.games.stockpile.bots.outlook import (
    AFTER_THE_MOVEMENT,
    BEFORE_THE_DEAL,
    Outlook,
)
from stockpile_web.games.stockpile.bots.worth import Chance, any_forecast, effect
from stockpile_web.games.stockpile.data import COMPANIES, Card, Company
from stockpile_web.games.stockpile.view import TickerView, View


class Movement(Piece, frozen=True):
    """What a forecast may do to a company."""

    steps: int
    dividend: int  # For each share.
    chance: float


class CompanyOdds(Piece, frozen=True):
    """What this round may bring to a company; nothing once it has moved."""

    company: Company
    movements: list[Movement]  # The best first.
    average: float  # Steps.
    splits: float
    bankrupt: float


class CardOdds(Piece, frozen=True):
    """A kind of card: how many the seat has not seen, and how likely a face-down one is of it."""

    card: Card
    unseen: int
    chance: float


class Odds(Piece, frozen=True):
    """What a seat can work out."""

    companies: list[CompanyOdds]
    backs: int  # Cards that lie face-down in piles, unknown to the seat.
    cards: list[CardOdds]


def odds(view: View) -> Odds | None:
    """Return the odds as the viewer of a view can work them out."""
    if view.own is None or view.over:
        return None
    outlook = Outlook(view)
    chances = _chances(outlook)
    return Odds(
        companies=[_company(ticker, chances[ticker.company]) for ticker in view.market],
        backs=sum(laid.card is None for pile in view.piles for laid in pile.cards),
        cards=_cards(outlook),
    )


def _chances(outlook: Outlook) -> dict[Company, tuple[Chance, ...]]:
    """Return what may happen to each company.

    Unlike the bot's, with what is known of hidden pairs: that their earnings were falsified.
    """
    view = outlook.view
    if view.phase in AFTER_THE_MOVEMENT:
        return dict.fromkeys(COMPANIES, ())
    if view.phase in BEFORE_THE_DEAL or not view.pairs:
        return dict.fromkeys(COMPANIES, any_forecast(outlook.dice))
    forecasts, hidden = list(view.forecasts), []
    known: dict[Company, tuple[Chance, ...]] = {}
    for pair in view.pairs:
        if pair.company is None or pair.forecast is None:
            hidden.append(pair)
        else:
            forecasts.remove(pair.forecast)
            certain: Chance = (1.0, *effect(pair.forecast, pair.falsified))
            known[pair.company] = () if pair.moved else (certain,)
    ways = [effect(forecast, pair.falsified) for pair in hidden for forecast in forecasts]
    others = tuple((1 / len(ways), *way) for way in ways)
    return {company: known.get(company, others) for company in COMPANIES}


def _company(ticker: TickerView, chances: tuple[Chance, ...]) -> CompanyOdds:
    found: dict[tuple[int, int], float] = defaultdict(float)
    for chance, dividend, steps in chances:
        found[steps, dividend] += chance
    last = len(ticker.track.values) - 1
    return CompanyOdds(
        company=ticker.company,
        movements=[Movement(*way, chance) for way, chance in sorted(found.items(), reverse=True)],
        average=sum(chance * steps for (steps, _), chance in found.items()),
        splits=sum(c for (steps, _), c in found.items() if ticker.space + steps > last),
        bankrupt=sum(c for (steps, _), c in found.items() if ticker.space + steps < 0),
    )


def _cards(outlook: Outlook) -> list[CardOdds]:
    """Return what a face-down card of a pile may be.

    Whatever lies in the portfolios of others is stock: so other cards are the likelier elsewhere.
    """
    view, unseen = outlook.view, outlook.unseen
    others = (player for seat, player in enumerate(view.players) if seat != outlook.seat)
    elsewhere = sum(unseen.values()) - sum(player.face_down for player in others)
    stock = sum(unseen[company] for company in COMPANIES)
    if elsewhere <= 0:
        return []
    stock_elsewhere = elsewhere - (sum(unseen.values()) - stock)
    share = stock_elsewhere / stock if stock else 0.0  # Of the stock: not in a portfolio.
    return [
        CardOdds(card, count, count * (share if card in COMPANIES else 1) / elsewhere)
        for card, count in unseen.items()
        if count
    ]
