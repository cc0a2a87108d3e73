"""The shape of a power that is used at most once a round, at a moment of its own."""

from functools import cached_property
from typing import Any

from stockpile_web.engine import Dealer, Seat
from stockpile_web.games.stockpile.in_play import POWERS, in_play
from stockpile_web.games.stockpile.moves import DONE, Move
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.twist import Twist


class Power(Twist):
    """A choice that an investor has in the phase `when`, once a round."""

    when: str = ""
    must = False  # Whether the player has to use it.

    @cached_property
    def key(self) -> str:
        """The investor whose power it is."""
        return next(key for key, power in POWERS.items() if power is self)

    def is_used(self, state: State, seat: Seat) -> bool:
        """Tell whether it was used this round."""
        return self.key in state.players[seat].used

    def offers(self, state: State, seat: Seat) -> list[Move]:
        """Return the ways to use it."""
        raise NotImplementedError

    def use(self, state: State, seat: Seat, move: Any, dealer: Dealer) -> None:
        """Use it."""
        raise NotImplementedError

    def can_be_used(self, state: State, seat: Seat) -> bool:
        """Tell, from what all can see, whether there may be a way to use it."""
        return True

    def is_open(self, state: State, seat: Seat) -> bool:
        """Tell whether it is the moment for it, and it was not used before."""
        is_time = state.phase == self.when and not self.is_used(state, seat)
        return is_time and self.can_be_used(state, seat)

    def others(self, state: State, seat: Seat) -> "list[Power]":
        """Return the other powers of the same player, who has two with two players."""
        twists = in_play(state, seat)
        return [twist for twist in twists if isinstance(twist, Power) and twist is not self]

    def waits(self, state: State, seat: Seat) -> bool:
        return self.is_open(state, seat)

    def insists(self, state: State, seat: Seat) -> bool:
        return self.must and self.waits(state, seat)

    def moves(self, moves: list[Move], state: State, seat: Seat) -> list[Move]:
        if not self.waits(state, seat):
            return moves
        offers = [*moves, *self.offers(state, seat)]
        return offers if self.must or DONE in offers else [*offers, DONE]

    def play(self, state: State, seat: Seat, move: Any, dealer: Dealer) -> None:
        state.players[seat].used.append(self.key)
        self.use(state, seat, move, dealer)
