"""The viewer's portfolio on a board: what is in it, and what it is worth now."""

from stockpile_web.engine import Piece
from stockpile_web.games.stonks.data import CARDS, Company
from stockpile_web.games.stonks.view import Holding, OwnView, View


class HeldCard(Piece, frozen=True):
    """A card of the portfolio."""

    number: int
    hidden: bool


class HoldingRow(Piece, frozen=True):
    """The stocks of one company."""

    company: Company
    cards: list[HeldCard]
    stocks: int
    value: int
    worth: int


class Portfolio(Piece, frozen=True):
    """The stocks by company, and their sum."""

    holdings: list[HoldingRow]
    spare: int | None  # What the Speculation Card would score, if it is not used.
    worth: int  # With it.
    before: int  # Points of the rounds before,
    total: int  # and with them.


def portfolio(view: View) -> Portfolio | None:
    """Add up the viewer's portfolio, what lies face-down included."""
    own = view.own
    if own is None or view.viewer is None or view.over:
        return None
    me = view.players[view.viewer]
    spare = view.spare if me.speculation else None
    worth = own.worth + (spare or 0)
    return Portfolio(
        holdings=[_row(view, own, holding) for holding in own.portfolio],
        spare=spare,
        worth=worth,
        before=me.score,
        total=worth + me.score,
    )


def _row(view: View, own: OwnView, holding: Holding) -> HoldingRow:
    cards = [HeldCard(CARDS[card].number, card in own.hidden) for card in holding.cards]
    value = view.value(holding.company)
    return HoldingRow(holding.company, cards, holding.stocks, value, holding.worth)
