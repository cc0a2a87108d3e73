"""The shape of a phase."""

from collections.abc import Sequence
from typing import Any

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.moves import Move
from stockpile_web.games.stockpile.state import State


class Phase:
    """A part of the round; by default nobody decides anything in it.

    `legal` and `play` are only asked of the seat on turn. A phase is over when its queue is empty
    and `proceed` has nothing more to do.
    """

    def begin(self, state: State, dealer: Dealer) -> None:
        """Do what comes first, and queue the seats that have something to decide."""

    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        """Return every move open to the seat on turn."""
        return ()

    def play(self, state: State, seat: Seat, move: Any, dealer: Dealer) -> None:
        """Carry out a legal move, and take the seat off the queue when it has no more to decide."""

    def proceed(self, state: State, dealer: Dealer) -> bool:
        """Do what comes next when nobody is on turn; False when the phase is over."""
        return False
