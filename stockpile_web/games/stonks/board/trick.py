"""The trick on a board: how each card came there, who is still to play, and what can be taken."""

from stockpile_web.engine import Piece, Seat
from stockpile_web.games.stonks.data import CARDS
from stockpile_web.games.stonks.moves import Acquire, Move
from stockpile_web.games.stonks.state import ACQUIRING, TRICK
from stockpile_web.games.stonks.view import PlayedView, View

LED, FOLLOWED = "led", "followed"
ANNOUNCED, DISGUISED, CANCELLED = "announced", "disguised", "cancelled"  # By Speculation.


class Take(Piece, frozen=True):
    """What its winner would get from a card of the trick."""

    move: Acquire
    stocks: int
    worth: int  # Of the stocks, now.


class Laid(Piece, frozen=True):
    """A card of the trick."""

    played: PlayedView
    how: str
    ahead: bool  # Wins, as the trick lies open.
    take: Take | None  # For the winner to choose.


class Trick(Piece, frozen=True):
    """The cards that lie there, and the seats that are still to play, the next one first."""

    laid: list[Laid]
    to_play: list[Seat]
    market: Take | None  # The market card, for the winner to choose.


def trick(view: View, moves: list[Move]) -> Trick | None:
    """Lay out the trick, if there is one."""
    if view.phase not in (TRICK, ACQUIRING) or view.leader is None:
        return None
    seats = len(view.players)
    takes = {
        move.card: Take(move, CARDS[move.card].stocks, view.worth(move.card))
        for move in moves
        if isinstance(move, Acquire)
    }
    laid = [
        Laid(
            played,
            _how(view, played, number),
            view.ahead == played.seat,
            takes.get(played.card) if played.card else None,
        )
        for number, played in enumerate(view.trick)
    ]
    to_play = [(view.leader + number) % seats for number in range(len(laid), seats)]
    return Trick(laid, to_play, takes.get(view.market))


def _how(view: View, played: PlayedView, number: int) -> str:
    if played.as_company:
        return DISGUISED
    if view.speculator == played.seat:
        return ANNOUNCED if number == 0 else CANCELLED
    return LED if number == 0 else FOLLOWED
