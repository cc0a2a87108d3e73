"""What a player can do, in the order of the round; first the base game, then the modules."""

from stockpile_web.engine import Action, Seat
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
    """Decide no more in this phase."""


class Collect(Action, frozen=True):
    """Dividends: show so many regular and split cards and be paid for them; none is allowed."""

    cards: int
    split: int


class KeepInvestors(Action, frozen=True):
    """Investors: keep these of those you were dealt."""

    keys: tuple[str, ...]


class DiscardStrategies(Action, frozen=True):
    """Investment strategies: return these cards to the box before the game."""

    cards: tuple[str, ...]


class BuyBonds(Action, frozen=True):
    """Bonds: buy so many at the beginning of a round."""

    count: int


class TakeCard(Action, frozen=True):
    """Forecast Phil: take a company or a forecast before they are dealt."""

    card: str


class LayOpening(Action, frozen=True):
    """Royal Robins: lay one opening card face-down on a pile, the others face-up."""

    card: Card
    pile: int


class PlaceHidden(Action, frozen=True):
    """Secretive Stuart: lay both cards face-down."""

    one: Card
    one_pile: int
    two: Card
    two_pile: int


class PlaceGoods(Action, frozen=True):
    """Commodities: lay the cards of the commerce deck face-up, each on the pile named for it."""

    piles: tuple[int, ...]


class PlaceFirstCard(Action, frozen=True):
    """First player card: lay it on a pile."""

    pile: int


class GiveFirstCard(Action, frozen=True):
    """First player card: give the one you won to a player."""

    to: Seat


class LookAtPile(Action, frozen=True):
    """Wise Warren: look at the face-down cards of a pile."""

    pile: int


class MoveCard(Action, frozen=True):
    """Maverick Mark: move a card to another pile."""

    pile: int
    position: int
    to: int


class LookAtPair(Action, frozen=True):
    """Mayknow Martha: look at a pair that you do not know."""

    pair: int


class Nudge(Action, frozen=True):
    """Crazy Cramer: move a company up or down by one."""

    company: Company
    steps: int


class DoubleUp(Action, frozen=True):
    """Clever Chanda: give up a share, a card or half a split one, and split a card of a company."""

    given: Company
    half: bool
    company: Company


class PlayStrategy(Action, frozen=True):
    """Investment strategies: play a card; `picks` are its choices, in the order it asks."""

    card: str
    picks: tuple[str | int | bool, ...] = ()


class Short(Action, frozen=True):
    """Shorting Soros: sell one share at a fixed price, a card or half a split one."""

    company: Company
    half: bool


class BuyDiscarded(Action, frozen=True):
    """Bailout Barack: buy a stock card from the discard pile."""

    company: Company


class DeclareDividend(Action, frozen=True):
    """Dividend Deborah: let a company pay."""

    company: Company


class ShowCompanies(Action, frozen=True):
    """Agile Ana: show one card of each different company."""


class TakeIncome(Action, frozen=True):
    """Daring Dangote: be paid for commodities now, before using another power."""


class Give(Action, frozen=True):
    """Opulent Oprah: give money to one player, or half to each of two; without any, to none."""

    to: tuple[Seat, ...]


class Redistribute(Action, frozen=True):
    """Socialist Sanders: take from one of the richest and give to one of the poorest."""

    rich: Seat
    poor: Seat


Move = (
    Place | Bid | Boom | Bust | Sell | SellSplit | SellHalf | Done | Collect
    | KeepInvestors | DiscardStrategies | BuyBonds | TakeCard | LayOpening | PlaceHidden
    | PlaceGoods | PlaceFirstCard | GiveFirstCard | LookAtPile | MoveCard | LookAtPair | Nudge
    | DoubleUp | PlayStrategy | Short | BuyDiscarded | DeclareDividend | ShowCompanies
    | TakeIncome | Give | Redistribute
)  # fmt: skip

DONE = Done()
