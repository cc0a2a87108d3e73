"""The market in one line, what can be used on each company's track, and where that would lead."""

from typing import Any

from stockpile_web.engine import Piece
from stockpile_web.games.stockpile.board.asking import Kinds
from stockpile_web.games.stockpile.board.news import News
from stockpile_web.games.stockpile.data import ACTIONS, BOOM, BUST, Company, Forecast
from stockpile_web.games.stockpile.view import TickerView, View

TIP, OPEN, SEEN = "tip", "open", "seen"
SPLITS, BANKRUPT = "splits", "bankrupt"


class Tag(Piece, frozen=True):
    """A forecast that the viewer knows, and how: a tip of their own, open to all, or seen."""

    kind: str
    forecast: Forecast


class Chip(Piece, frozen=True):
    """A company in the line of prices: what it is worth, how it moved, and what is known of it."""

    company: Company
    price: int
    steps: int
    fate: str
    tags: list[Tag]


class Use(Piece, frozen=True):
    """A move of the ticker by `steps`: to a value, or off an end of the track."""

    card: str  # Whose move it is: an action card, or Crazy Cramer's.
    move: Any
    steps: int
    value: int
    fate: str = ""


class Controls(Piece, frozen=True):
    """What the viewer can do with a company."""

    uses: list[Use]
    buy: Any = None
    declare: Any = None


def chips(view: View, new: News) -> list[Chip]:
    """Return the line of prices, from the top row of the board to the bottom row."""
    tags: dict[Company, list[Tag]] = {ticker.company: [] for ticker in view.market}
    for pair in view.pairs:
        if pair.company and pair.forecast and not pair.moved:
            kind = OPEN if pair.up else TIP if pair.holder == view.viewer else SEEN
            tags[pair.company].append(Tag(kind, pair.forecast))
    return [
        Chip(
            ticker.company,
            ticker.price,
            new.moved.get(ticker.company, 0),
            new.fate.get(ticker.company, ""),
            tags[ticker.company],
        )
        for ticker in view.market
    ]


def controls(view: View, can: Kinds) -> dict[Company, Controls]:
    """Return what can be done with each company, for those with which something can."""
    found = {}
    for ticker in view.market:
        company = ticker.company
        uses = [_use(ticker, BOOM, move, ACTIONS[BOOM]) for move in _of(company, can, "Boom")]
        uses += [_use(ticker, BUST, move, ACTIONS[BUST]) for move in _of(company, can, "Bust")]
        uses += [_use(ticker, "cramer", move, move.steps) for move in _of(company, can, "Nudge")]
        buy = next(iter(_of(company, can, "BuyDiscarded")), None)
        declare = next(iter(_of(company, can, "DeclareDividend")), None)
        if uses or buy or declare:
            found[company] = Controls(uses, buy, declare)
    return found


def _of(company: Company, can: Kinds, kind: str) -> list[Any]:
    return [move for move in can.get(kind, ()) if move.company == company]


def _use(ticker: TickerView, card: str, move: Any, steps: int) -> Use:
    values, space = ticker.track.values, ticker.space + steps
    if space < 0:
        return Use(card, move, steps, 0, BANKRUPT)
    if space >= len(values):
        return Use(card, move, steps, 0, SPLITS)
    return Use(card, move, steps, values[space])
