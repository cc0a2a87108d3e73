"""What a player can do, in the order of a round."""

from stockpile_web.engine import Action
from stockpile_web.games.stonks.data import Card, Company


class Invest(Action, frozen=True):
    """Start your portfolio with two cards of your hand, one of them face-down."""

    show: Card
    hide: Card


class PlayCard(Action, frozen=True):
    """Play a card; one with fluctuation icons moves a company up or down."""

    card: Card
    company: Company  # Empty if nothing moves.
    up: bool


class Announce(Action, frozen=True):
    """Open with the Speculation Card: lay a card face-down and say which company leads."""

    card: Card
    leading: Company


class Disguise(Action, frozen=True):
    """Follow with the Speculation Card: the card counts as one of the leading company."""

    card: Card
    company: Company  # Empty if nothing moves.
    up: bool


class Acquire(Action, frozen=True):
    """Take a card of the trick that you won, or the market card."""

    card: Card


Move = Invest | PlayCard | Announce | Disguise | Acquire
