"""Actions: the company for every Stock Boom and for every Stock Bust that is won this round."""

from stockpile_web.engine import Followed
from stockpile_web.games.stockpile.moves import Boom, Bust, Move
from stockpile_web.games.stockpile.orders.book import Book
from stockpile_web.games.stockpile.view import View


def follow(book: Book, view: View, moves: list[Move]) -> Followed | None:
    """Use an action card as ordered, booms first."""
    if book.round == view.round:
        for move in (Boom(book.boom), Bust(book.bust)):
            if move in moves:
                return Followed(move)
    return None
