"""Standing orders: what a player has decided beforehand, carried out as if they were there."""

from typing import Any

from stockpile_web.engine import Followed, Orders
from stockpile_web.games.stockpile.moves import Move
from stockpile_web.games.stockpile.orders import actions, bids, dividends, selling
from stockpile_web.games.stockpile.orders.book import ALWAYS, ASK, Book, strike_out_old
from stockpile_web.games.stockpile.orders.reading import read
from stockpile_web.games.stockpile.orders.sheet import sheet
from stockpile_web.games.stockpile.view import View

KINDS = (bids, actions, selling, dividends)


def follow(book: Book, view: View, moves: list[Move]) -> Followed | None:
    """Let the first kind of order that has something to say about these moves say it."""
    strike_out_old(book, view)
    said = (kind.follow(book, view, moves) for kind in KINDS)
    return next(filter(None, said), None)


def usual() -> Book:
    """Return the book of a new seat: hardly anybody ever leaves a dividend lying."""
    return Book(dividends=ALWAYS)


PRESSES: dict[str, dict[str, Any]] = {
    "collect_dividends": {"dividends": ALWAYS},
    "ask_about_dividends": {"dividends": ASK},
    "ask_about_the_rest": {"rest": ASK},
}

ORDERS: Orders | None = Orders(Book, read, follow, sheet, usual, PRESSES)
