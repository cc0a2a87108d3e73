"""Reading the form for standing orders: whatever is not one of its choices is refused in words."""

from collections.abc import Collection, Mapping

from stockpile_web.engine import IllegalMove
from stockpile_web.games.stockpile.data import BID_TRACK, COMPANIES, Card
from stockpile_web.games.stockpile.orders.book import (
    ALWAYS,
    ASK,
    CHEAPEST,
    NEVER,
    ROUND,
    WORTH,
    Book,
    Offer,
    coming_round,
)
from stockpile_web.games.stockpile.orders.sheet import BEFORE_BIDS, DEAREST, GUESSED, NOW
from stockpile_web.games.stockpile.view import View

LONGEST_LOOK = 200  # Letters; no pile comes near it.


def read(form: Mapping[str, str], view: View) -> Book:
    """Return the book that a form asks for."""
    if form.get("round") != str(coming_round(view)):
        raise IllegalMove("A new round has begun: please look at your orders again.")
    then = _choice(form, "then", (ASK, CHEAPEST, WORTH))
    sales = {company: form.get(f"sell.{company}", "") for company in COMPANIES}
    book = Book(
        round=coming_round(view),
        offers=_offers(form, view),
        then=then,
        worth=_worth(form) if then == WORTH else {},
        anyway="anyway" in form,
        now=[company for company, word in sales.items() if word == NOW],
        at={
            company: _number(word, DEAREST + 1)
            for company, word in sales.items()
            if word not in ("", NOW)
        },
        rest=_choice(form, "rest", (ASK, ROUND, ALWAYS)),
        dividends=_choice(form, "dividends", (ASK, ALWAYS, NEVER)),
        boom=_choice(form, "boom", ("", *COMPANIES)),
        bust=_choice(form, "bust", ("", *COMPANIES)),
    )
    return book if book != Book(book.round) else Book()


def _offers(form: Mapping[str, str], view: View) -> list[Offer]:
    """Return the bids, row by row; a row without a pile says nothing."""
    offers = []
    piles = len(view.piles) if view.phase in BEFORE_BIDS else 0
    for row in range(piles):
        if word := form.get(f"pile.{row}", ""):
            pile = _number(word, piles)
            most = _number(form.get(f"most.{row}", ""), len(BID_TRACK))
            offers.append(Offer(pile, most, form.get(f"look.{pile}", "")[:LONGEST_LOOK]))
    return offers


def _worth(form: Mapping[str, str]) -> dict[Card, int]:
    """Return what each kind of card is worth to the player."""
    cards = (*COMPANIES, *GUESSED)
    return {card: _number(form.get(f"worth.{card}", ""), DEAREST + 1) for card in cards}


def _choice(form: Mapping[str, str], name: str, choices: Collection[str]) -> str:
    word = form.get(name, "") or next(iter(choices))
    if word not in choices:
        raise _no_choice()
    return word


def _number(word: str, limit: int) -> int:
    """Return a number from 0 up to but without `limit`."""
    if len(word) > 3 or not word.isascii() or not word.isdigit() or int(word) >= limit:
        raise _no_choice()
    return int(word)


def _no_choice() -> IllegalMove:
    return IllegalMove("That is not among the choices: please choose again.")
