"""Games played at random from a seed, with every choice the same on every Python."""

from collections.abc import Iterable, Iterator
from copy import copy, deepcopy
from typing import Any, NamedTuple

from stockpile_web.engine import Dealer, Event, Game, Seat, codec, on_turn, take_turn
from stockpile_web.engine.steps import as_recorded, choose_turn
from stockpile_web.games import GAMES
from tests.support.option_sets import dealt

FAR_TOO_LONG = 5_000  # Moves.


class Turn(NamedTuple):
    """A move that was made, and what it led to."""

    seat: Seat
    move: Any  # As it is recorded: with steps before it, a list.
    events: list[Event]


class Sitting:
    """A game at the table: `state` after `number` moves, and the events of the last of them."""

    def __init__(self, slug: str, seats: int, options: Iterable[str], seed: str) -> None:
        self.game: Game = GAMES[slug]
        self.slug, self.seats, self.seed = slug, seats, seed
        self.number = 0
        dealer = Dealer(seed, 0)
        self.state = self.game.setup(seats, dealt(self.game, options, seats), dealer)
        self.events = dealer.events

    def on_turn(self) -> list[Seat]:
        return on_turn(self.game, self.state, self.seats)

    def choose(self) -> tuple[Seat, Any]:
        """Choose a seat on turn and one of its moves; it may be the first step of a turn."""
        seat, chance = self._choose_seat()
        moves = self.game.legal(self.state, seat)
        return seat, moves[chance.below(len(moves))]

    def _choose_seat(self) -> tuple[Seat, Dealer]:
        """Choose a seat on turn; return it and the chance by which its moves are chosen."""
        chance = Dealer("choices " + self.seed, self.number)
        waiting = self.on_turn()
        return waiting[chance.below(len(waiting))], chance

    def dealer(self) -> Dealer:
        """Return the dealer for the next move."""
        return Dealer(self.seed, self.number + 1)

    def step(self) -> Turn:
        """Make a random move, with steps before it if it takes any."""
        seat, chance = self._choose_seat()
        moves = self.game.legal(self.state, seat)
        turn = choose_turn(
            self.game, self.state, seat, moves, lambda _, open_: open_[chance.below(len(open_))]
        )
        dealer = self.dealer()
        take_turn(self.game, self.state, seat, turn[-1], dealer)
        self.number += 1
        self.events = dealer.events
        return Turn(seat, as_recorded(turn), dealer.events)

    def turns(self, limit: int = FAR_TOO_LONG) -> Iterator[Turn]:
        """Play on, up to `limit` moves or to the end."""
        for _ in range(limit):
            if self.game.result(self.state) is not None:
                return
            yield self.step()
        assert limit < FAR_TOO_LONG, "the game does not end"

    def play_on(self, limit: int = FAR_TOO_LONG) -> "Sitting":
        """Play on, up to `limit` moves or to the end, and return the sitting."""
        for _ in self.turns(limit):
            pass
        return self

    def copy(self) -> "Sitting":
        """Return a sitting that plays on apart from this one."""
        twin = copy(self)
        twin.state = deepcopy(self.state)
        return twin

    def text(self) -> str:
        """Return the state as JSON."""
        return codec.dump(self.state)
