"""The books of standing orders at one table: read, followed and saved with the moves they make."""

import logging
from collections.abc import Sequence
from typing import Any

from stockpile_web.engine import Event, Facts, Followed, Game, Seat, Step, codec
from stockpile_web.engine.steps import go_on
from stockpile_web.match.rows import SeatRow

log = logging.getLogger(__name__)

ORDERED = "ordered"  # Among what the owner of an order is told of the move it has made.


class _AsksThePlayer(Exception):
    """Nothing was ordered for what is open now."""


class Books:
    """The orders of those seats that have any, in the middle of a write transaction."""

    def __init__(self, game: Game, seats: Sequence[SeatRow]) -> None:
        self._game = game
        self._books = {s.number: read_book(game, s.orders) for s in seats if s.orders}
        self._notes: dict[Seat, str] = {}

    @property
    def seats(self) -> list[Seat]:
        """The seats whose players have left orders."""
        return list(self._books)

    def put(self, seat: Seat, book: Any) -> None:
        """Put a new book in the place of the old one."""
        self._books[seat], self._notes[seat] = book, ""

    def follow(self, seat: Seat, state: Any, moves: list[Any], turn: int) -> list[Any]:
        """Return the turn that was ordered; nothing if the player is asked, and keep why.

        Orders are asked step by step, on a copy; those that leave a turn half built have ordered
        nothing. `turn` is the number of moves that the seat has made: the reason counts until the
        next.
        """
        game, orders, book = self._game, self._game.ORDERS, self._books[seat]
        if orders is None:
            return []
        before, asked, answer = codec.dump(book), 0, Followed()
        seen = game.view(state, seat)  # What fails here is no order's fault.

        def ask(now: Any, moves: list[Any]) -> Any:
            nonlocal asked, answer
            asked += 1
            view = seen if now is state else game.view(now, seat)
            answer = orders.follow(book, view, moves) or Followed()
            if answer.move not in moves:
                raise _AsksThePlayer
            return answer.move

        try:
            ordered = [ask(state, moves)]
            if isinstance(ordered[0], Step):
                ordered = go_on(game, state, seat, moves, ordered[0], ask)
        except _AsksThePlayer:
            ordered = []
        except Exception:  # A mistake of ours in one order must not stop the table: it asks.
            log.exception("A standing order failed")
            ordered, answer = [], Followed()
        if asked > 1 and not ordered:
            self._books[seat] = codec.load(orders.Book, before)
        self._notes[seat] = codec.dump({**answer.why, "turn": turn}) if answer.why else ""
        return ordered

    def save(self, seats: Sequence[SeatRow]) -> None:
        """Put the books that have changed, and why players are asked, into their seats."""
        for number, book in self._books.items():
            seat = seats[number]
            seat.orders = codec.dump(book) if book != type(book)() else ""
            seat.order_note = self._notes.get(number, seat.order_note)


def read_book(game: Game, text: str) -> Any:
    """Read a book; what an older version of the game has written may order nothing any more."""
    if game.ORDERS is None:
        return None
    try:
        return codec.load(game.ORDERS.Book, text) if text else game.ORDERS.Book()
    except codec.Unreadable:
        return game.ORDERS.Book()


def usual_orders(game: Game) -> str:
    """Return the orders of a new seat as they are stored; none at all if the game has none."""
    return codec.dump(game.ORDERS.usual()) if game.ORDERS and game.ORDERS.usual else ""


def sheet(game: Game, text: str, view: Any) -> Any:
    """Return what a form of standing orders shows to the owner of the book; None without orders."""
    return game.ORDERS and game.ORDERS.sheet(read_book(game, text), view)


def read_note(text: str, turn: int) -> Facts | None:
    """Return why a player is asked after all, if that is still the reason."""
    note: Facts = codec.load(dict[str, Any], text) if text else {}
    return note if note.get("turn") == turn else None


def mark_as_ordered(events: list[Event], seat: Seat, move: Any) -> None:
    """Let the owner of an order, and nobody else, read in the log that it has acted.

    The first event tells of the move itself, but for a move that has nothing to say: a pass. A
    move that has steps, which are with it in a list, always has.
    """
    if events and (isinstance(move, list) or move.__struct_fields__):
        first = events[0]
        told = {**first.private.get(seat, {}), ORDERED: True}
        events[0] = Event(first.kind, first.public, {**first.private, seat: told})
