"""Whatever needs no thought: the only way there is, and what shows nothing new to anybody."""

from stockpile_web.engine import Followed
from stockpile_web.games.stockpile.moves import Bid, Collect, Move
from stockpile_web.games.stockpile.orders.book import Book
from stockpile_web.games.stockpile.orders.dividends import shown
from stockpile_web.games.stockpile.view import View


def follow(book: Book, view: View, moves: list[Move]) -> Followed | None:
    """Make the only move; collect on split cards if there are no others; meeples are alike."""
    if not book.easy:
        return None
    ways = [move for move in moves if isinstance(move, Collect)]
    if ways and not any(way.cards for way in ways):
        return Followed(max(ways, key=shown))
    if len({_outward(move) for move in moves}) == 1:
        return Followed(moves[0])
    return None


def _outward(move: Move) -> Move:
    return Bid(move.pile, move.space) if isinstance(move, Bid) else move
