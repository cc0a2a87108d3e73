"""Selling: all cards of a company, now or at a price; then keep the rest, or ask."""

from stockpile_web.engine import Followed
from stockpile_web.games.stockpile.data import COMPANIES, Company
from stockpile_web.games.stockpile.moves import DONE, Move, Sell, SellSplit
from stockpile_web.games.stockpile.orders.book import ALWAYS, ROUND, SALES, Book
from stockpile_web.games.stockpile.view import View


def follow(book: Book, view: View, moves: list[Move]) -> Followed | None:
    """Sell one lot after the other; an order to sell what is gone is put to the player."""
    if DONE not in moves or view.phase not in SALES:
        return None
    if book.sold and len(moves) == 1:
        book.sold = False
        return Followed(DONE)
    now = book.now if book.round == view.round else []
    if missing := [company for company in now if not _lots(company, moves)]:
        book.now = [company for company in now if company not in missing]
        return Followed(why={"kind": "nothing_to_sell", "companies": missing})
    for company in COMPANIES:
        lots = _lots(company, moves)
        if lots and (company in now or _is_dear_enough(book, view, company)):
            if len(lots) == 1 and company in now:
                book.now.remove(company)
            book.sold = True
            return Followed(lots[0])
    is_kept = book.rest == ALWAYS or (book.rest == ROUND and book.round == view.round)
    if not is_kept:
        return None
    book.sold = False
    return Followed(DONE)


def _is_dear_enough(book: Book, view: View, company: Company) -> bool:
    return bool(view.own and company in book.at and view.own.prices[company] >= book.at[company])


def _lots(company: Company, moves: list[Move]) -> list[Move]:
    """Return the sale of all regular cards and the sale of all split ones, if there are any."""
    sales = [m for m in moves if isinstance(m, Sell | SellSplit) and m.company == company]
    return list({type(sale): sale for sale in sorted(sales, key=_cards)}.values())


def _cards(sale: Sell | SellSplit) -> int:
    return sale.cards
