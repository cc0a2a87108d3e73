"""The shape of a phase, and of a window between two phases."""

from collections.abc import Sequence
from typing import Any

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.in_play import ask_players, in_play, of_table
from stockpile_web.games.stockpile.moves import Move
from stockpile_web.games.stockpile.state import State


class Phase:
    """A part of the round; by default nobody decides anything in it.

    `legal` and `play` are only asked of a seat on turn. A phase is over when its queue is empty
    and `proceed` has nothing more to do.
    """

    def begin(self, state: State, dealer: Dealer) -> None:
        """Do what comes first, and queue the seats that have something to decide."""

    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        """Return the moves of the base game that are open to a seat on turn."""
        return ()

    def play(self, state: State, seat: Seat, move: Any, dealer: Dealer) -> None:
        """Carry out a legal move, and take the seat off the queue when it has no more to decide."""

    def proceed(self, state: State, dealer: Dealer) -> bool:
        """Do what comes next when nobody is on turn; False when the phase is over."""
        return False

    def leave(self, state: State, seat: Seat, dealer: Dealer) -> None:
        """End the turn of a seat on the queue."""
        state.queue.remove(seat)

    def may_end(self, state: State, seat: Seat) -> bool:
        """Tell whether a seat on turn may stop before it has done all it can."""
        return True

    def is_done(self, state: State, seat: Seat) -> bool:
        """Tell whether the seat on turn has nothing left to decide, as all can see."""
        return False


class Window(Phase):
    """A moment between two phases in which only twists have something to decide, in turn order.

    Whether a seat has is asked when its turn comes: those before it may change the answer. Whoever
    has several things to decide does so in any order.
    """

    def begin(self, state: State, dealer: Dealer) -> None:
        state.queue = state.order() if ask_players(state) else []

    def may_end(self, state: State, seat: Seat) -> bool:
        return not any(twist.insists(state, seat) for twist in in_play(state, seat))

    def is_done(self, state: State, seat: Seat) -> bool:
        return not is_waiting(state, seat)


class Choice(Window):
    """Before the game: everyone chooses at once, and what they chose is opened together."""

    def begin(self, state: State, dealer: Dealer) -> None:
        state.queue = waiting(state)
        state.at_once = True

    def proceed(self, state: State, dealer: Dealer) -> bool:
        state.at_once = False
        for twist in of_table(state):
            twist.after_choice(state, dealer)
        return False


def is_waiting(state: State, seat: Seat) -> bool:
    """Tell whether a twist has something for `seat` to decide now."""
    return any(twist.waits(state, seat) for twist in in_play(state, seat))


def waiting(state: State) -> list[Seat]:
    """Return the seats, in turn order, for which a twist has something to decide now."""
    if not ask_players(state):
        return []
    return [seat for seat in state.order() if is_waiting(state, seat)]
