"""Standing orders: how to follow, and which card to take, decided beforehand."""

from collections.abc import Collection, Mapping

from stockpile_web.engine import Followed, IllegalMove, Orders, Piece, Record
from stockpile_web.games.stonks.data import CARDS
from stockpile_web.games.stonks.moves import Acquire, Move, PlayCard
from stockpile_web.games.stonks.view import View

ASK, LOW, AHEAD, BEST = "ask", "low", "ahead", "best"


class Book(Record):
    """A player's standing orders."""

    round: int = 0  # With it lapses how to follow.
    follow: str = ASK  # With the LOW card, or one that gets AHEAD.
    take: str = ASK  # Or the BEST card of a trick.
    only: bool = False  # Play the only card there is to play.


class Sheet(Piece, frozen=True):
    """All that the form shows."""

    book: Book
    round: int


def sheet(book: Book, view: View) -> Sheet:
    """Return the form with what `book` still orders."""
    _strike_out_old(book, view)
    return Sheet(book, view.round)


def read(form: Mapping[str, str], view: View) -> Book:
    """Return the book that a form asks for."""
    if form.get("round") != str(view.round):
        raise IllegalMove("A new round has begun: please look at your orders again.")
    follow = _choice(form, "follow", (ASK, LOW, AHEAD))
    return Book(
        round=0 if follow == ASK else view.round,
        follow=follow,
        take=_choice(form, "take", (ASK, BEST)),
        only="only" in form,
    )


def follow(book: Book, view: View, moves: list[Move]) -> Followed | None:
    """Take a card, or follow with one; whatever has arrows, and whoever leads, is asked."""
    _strike_out_old(book, view)
    if isinstance(moves[0], Acquire):
        return _take(view, moves) if book.take == BEST else None
    if book.only and len(moves) == 1:
        return Followed(moves[0])
    if book.follow == ASK or not view.leading or view.own is None:
        return None
    if not view.own.follows:
        return Followed(why={"kind": "cannot_follow", "company": view.leading})
    plain = [move for move in moves if isinstance(move, PlayCard) and not move.company]
    if not plain:
        return Followed(why={"kind": "only_arrows", "company": view.leading})
    rising = sorted(plain, key=_number)
    ahead = [move for move in rising if book.follow == AHEAD and _gets_ahead(view, move)]
    return Followed([*ahead, *rising][0])


def _take(view: View, moves: list[Move]) -> Followed:
    cards = [move for move in moves if isinstance(move, Acquire)]
    return Followed(max(cards, key=lambda move: view.worth(move.card)))


def _gets_ahead(view: View, move: PlayCard) -> bool:
    """Tell whether a card of the leading company beats the best that lies open."""
    for played in view.trick:
        if played.seat == view.ahead and played.card:
            company = played.as_company or CARDS[played.card].company
            return company == view.leading and _number(move) > CARDS[played.card].number
    return True


def _number(move: PlayCard) -> int:
    return CARDS[move.card].number


def _strike_out_old(book: Book, view: View) -> None:
    if book.round < view.round:
        book.round, book.follow = 0, ASK


def _choice(form: Mapping[str, str], name: str, choices: Collection[str]) -> str:
    word = form.get(name, "") or ASK
    if word not in choices:
        raise IllegalMove("That is not among the choices: please choose again.")
    return word


ORDERS: Orders | None = Orders(Book, read, follow, sheet)
