"""Dividends: show every card, or only those that all know."""

from stockpile_web.engine import Followed
from stockpile_web.games.stockpile.moves import Collect, Move
from stockpile_web.games.stockpile.orders.book import ASK, NEVER, Book
from stockpile_web.games.stockpile.view import View


def follow(book: Book, view: View, moves: list[Move]) -> Followed | None:
    """Collect; split cards were shown when they split, so they never tell anything new."""
    ways = [move for move in moves if isinstance(move, Collect)]
    if not ways or book.dividends == ASK:
        return None
    if book.dividends == NEVER:
        ways = [way for way in ways if way.cards == 0]
    return Followed(max(ways, key=shown))


def shown(move: Collect) -> int:
    """Return the shares that are shown."""
    return move.cards + 2 * move.split
