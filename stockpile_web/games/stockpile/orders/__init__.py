"""Standing orders: what a player has decided beforehand, carried out as if they were there."""

from stockpile_web.engine import Followed, Orders
from stockpile_web.games.stockpile.moves import Move
from stockpile_web.games.stockpile.orders import actions, bids, dividends, easy, selling
from stockpile_web.games.stockpile.orders.book import Book, strike_out_old
from stockpile_web.games.stockpile.orders.reading import read
from stockpile_web.games.stockpile.orders.sheet import sheet
from stockpile_web.games.stockpile.view import View

# What needs no thought comes last: an order for the case itself goes first.
KINDS = (bids, actions, selling, dividends, easy)


def follow(book: Book, view: View, moves: list[Move]) -> Followed | None:
    """Let the first kind of order that has something to say about these moves say it."""
    strike_out_old(book, view)
    said = (kind.follow(book, view, moves) for kind in KINDS)
    return next(filter(None, said), None)


ORDERS: Orders | None = Orders(Book, read, follow, sheet)
