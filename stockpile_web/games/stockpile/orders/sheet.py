"""The form for standing orders: what there is to choose from, and what is chosen."""

from stockpile_web.engine import Piece
from stockpile_web.games.stockpile.data import BID_TRACK, COMPANIES, Card, Company
from stockpile_web.games.stockpile.orders.book import (
    ACTION,
    HIDDEN,
    Book,
    coming_round,
    look,
    strike_out_old,
)
from stockpile_web.games.stockpile.view import PileView, View

# While piles lie on the table and bids can still be made.
BEFORE_BIDS = frozenset(
    ("auction", "supply", "after_supply", "end_of_supply", "before_demand", "demand")
)
NOW = "now"
DEAREST = 20  # More than any share is ever sold for.
# Set by hand: what an action card and a card that one does not know bring on the average.
GUESSED = {ACTION: 3, HIDDEN: 4}


class PileLine(Piece, frozen=True):
    """A pile that can be bid on: the cards the player knows, and the backs."""

    cards: list[Card]
    backs: int
    look: str


class Wish(Piece, frozen=True):
    """A row of the order's bids: a pile, or None, and the furthest space."""

    pile: int | None = None
    most: int = 0


class SaleLine(Piece, frozen=True):
    """A company, the player's shares, its price, and what is chosen: a price, NOW or nothing."""

    company: Company
    shares: int
    price: int
    prices: list[int]
    choice: str


class Sheet(Piece, frozen=True):
    """All that the form shows; `is_next` if it is for the next round, if there is one."""

    book: Book
    round: int
    is_next: bool
    piles: list[PileLine]
    may_change: bool  # More cards may be laid on the piles before they are bid on.
    wishes: list[Wish]
    amounts: tuple[int, ...]
    worth: dict[Card, int]  # What is chosen, or what a glance at the market says; for piles alone.
    worths: range
    sales: list[SaleLine]


def sheet(book: Book, view: View) -> Sheet:
    """Return the form with what `book` still orders."""
    strike_out_old(book, view)
    piles = view.piles if view.phase in BEFORE_BIDS else []
    wishes = [Wish(offer.pile, offer.most) for offer in book.offers]
    coming = coming_round(view)
    return Sheet(
        book=book,
        round=coming,
        is_next=coming > view.round,
        piles=[_pile(pile) for pile in piles],
        may_change=view.phase not in ("auction", "demand"),
        wishes=wishes + [Wish()] * (len(piles) - len(wishes)),
        amounts=BID_TRACK,
        worth={} if view.phase == "auction" else {**_at_a_glance(view), **GUESSED, **book.worth},
        worths=range(DEAREST + 1),
        sales=[_sale(book, view, name) for name in COMPANIES] if coming <= view.rounds else [],
    )


def _pile(pile: PileView) -> PileLine:
    known = [laid.card for laid in pile.cards if laid.card]
    return PileLine(known, len(pile.cards) - len(known), look(pile))


def _at_a_glance(view: View) -> dict[Card, int]:
    """Return what a share of each company brings, as far as the player knows its forecast."""
    prices = view.own.prices if view.own else view.prices()
    worth = dict(prices)
    for pair in view.pairs:
        if pair.company and pair.forecast:
            pays = pair.forecast.startswith("$")
            steps = len(pair.forecast) if pays else int(pair.forecast)
            # Whoever knows of a fall sells before it.
            worth[pair.company] = prices[pair.company] + max(0, steps)
    return {card: min(DEAREST, amount) for card, amount in worth.items()}


def _sale(book: Book, view: View, company: Company) -> SaleLine:
    track = next(ticker.track for ticker in view.market if ticker.company == company)
    shares, price = 0, 0
    if view.own is not None and view.viewer is not None:
        split = view.players[view.viewer].split.get(company, 0)
        shares = view.own.shares.get(company, 0) + 2 * split
        price = view.own.prices[company]
    at = str(book.at.get(company, ""))
    return SaleLine(
        company, shares, price, sorted(set(track.values)), NOW if company in book.now else at
    )
