"""One standing order: lay a ten of cards, so many times."""

from collections.abc import Mapping
from typing import Any

from stockpile_web.engine import Followed, Orders, Record
from tests.support.toy.moves import LAY, PASS


class Book(Record):
    """How many tens are to be laid."""

    tens: int = 0


def read(form: Mapping[str, str], view: Any) -> Book:
    """Read the form."""
    return Book(int(form.get("tens", "0")))


def follow(book: Book, view: Any, moves: list[Any]) -> Followed | None:
    """Pick one card after the other and lay them; what cannot be laid is asked about."""
    if not book.tens or moves[0] == PASS:
        return None
    if moves[0] == LAY:
        book.tens -= 1
    return Followed(moves[0])


ORDERS: Orders | None = Orders(Book, read, follow, lambda book, view: book)
