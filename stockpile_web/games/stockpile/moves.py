"""What a player can do."""

from stockpile_web.engine import Action
from stockpile_web.games.stockpile.data import Card, Company


class Place(Action, frozen=True):
    """Supply: lay one card face-up and the other face-down, each on a pile."""

    up: Card
    up_pile: int
    down: Card
    down_pile: int


class Bid(Action, frozen=True):
    """Demand: put a meeple on a space of a pile's bidding track."""

    pile: int
    space: int
    meeple: int = 0


class Boom(Action, frozen=True):
    """Action: use a Stock Boom card on a company."""

    company: Company


class Bust(Action, frozen=True):
    """Action: use a Stock Bust card on a company."""

    company: Company


class Sell(Action, frozen=True):
    """Selling: sell cards of the Stock Portfolio, one share each."""

    company: Company
    cards: int


class SellSplit(Action, frozen=True):
    """Selling: sell whole cards of the Split Portfolio, two shares each."""

    company: Company
    cards: int


class SellHalf(Action, frozen=True):
    """Selling: sell one share of each split card; the cards go back to the Stock Portfolio."""

    company: Company
    cards: int


class Done(Action, frozen=True):
    """Selling: sell no more."""


class Collect(Action, frozen=True):
    """Dividends: show so many regular and split cards and be paid for them; none is allowed."""

    cards: int
    split: int


Move = Place | Bid | Boom | Bust | Sell | SellSplit | SellHalf | Done | Collect
