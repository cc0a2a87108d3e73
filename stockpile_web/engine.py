"""The contract every game keeps: plain data, legal moves, one gate, and a dealer."""

from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from random import Random
from struct import Struct as Layout
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import msgspec

Seat = int
Viewer = Seat | None  # None is a spectator.
Facts = dict[str, Any]
Rng = Random  # For bots alone: what happens in a game is the dealer's.

Answer = TypeVar("Answer")
Details = ParamSpec("Details")
T = TypeVar("T")


class Record(msgspec.Struct, omit_defaults=True):
    """Plain data that changes: the state of a game and its parts; JSON leaves out defaults."""


class Piece(msgspec.Struct, frozen=True):
    """Plain data that never changes: a printed component, or a part of a view."""


class Action(msgspec.Struct, frozen=True, tag_field="move", tag=True):
    """A move; in JSON it carries the name of its class."""


class IllegalMove(Exception):
    """The rules do not allow that move now; the message is for the player."""


class Option(Piece, frozen=True):
    """A rule that a table may switch on."""

    key: str
    title: str
    help: str
    needs: str = ""  # The option without which this one means nothing.
    group: str = ""  # Of the options under one heading a table has one at most.
    usual: bool = False  # The one it has unless it chooses another.


class Bot(Piece, frozen=True):
    """A way to play a seat, from what the seat may see alone."""

    title: str
    help: str
    choose: Callable[[Any, list[Any], Rng], Any]  # From its view and its legal moves, one of them.
    thinks: bool = False  # It takes its time, so it never moves while somebody waits for a page.


class Followed(Piece, frozen=True):
    """What standing orders come to: a move to make, or why their player is asked after all."""

    move: Any = None
    why: Facts | None = None  # Told by the game's `orders.html`.


class Orders(Piece, frozen=True):
    """How a game lets players decide beforehand; what a book of orders holds is its own affair."""

    Book: Any  # A Record; an empty one orders nothing.
    # The book that a form asks for, given the player's view; IllegalMove says what is wrong.
    read: Callable[[Mapping[str, str], Any], Any]
    # What to do, given the seat's view and legal moves; None if nothing was ordered for them.
    # What is used up is struck out of the book.
    follow: Callable[[Any, Any, list[Any]], Followed | None]
    # All that the form has to offer, and what is chosen in it.
    sheet: Callable[[Any, Any], Any]


class Score(Piece, frozen=True):
    """What one seat ends with; `lines` add up to `total` and are told like events."""

    total: int
    lines: list[Facts]


class Result(Piece, frozen=True):
    """How a game ended: place 1 has won, and may be shared."""

    places: list[int]
    scores: list[Score]


class Event(Piece, frozen=True):
    """One thing that happened: what all may know, and what each seat alone may know."""

    kind: str
    public: Facts | None = None
    private: dict[Seat, Facts] = {}

    def seen_by(self, viewer: Viewer) -> Facts | None:
        """Return what `viewer` may know of this event, or None if nothing."""
        secret = self.private.get(viewer) if viewer is not None else None
        if self.public is None and secret is None:
            return None
        return {"kind": self.kind, **(self.public or {}), **(secret or {})}


class Dealer:
    """Shuffles and tells: the only source of chance and the only writer of events.

    Chance is BLAKE2b keyed with the match's secret seed over the move's number: the same on every
    Python, out of reach without the seed, and checkable by anyone once the seed is shown.
    """

    __slots__ = ("events", "_seed", "_number", "_block", "_words")

    def __init__(self, seed: str, number: int = 0) -> None:
        self.events: list[Event] = []
        self._seed = seed
        self._number = number
        self._block = 0
        self._words: list[int] = []

    def below(self, limit: int) -> int:
        """Return a number from 0 up to but without `limit`, each equally likely."""
        fair = 2**32 - 2**32 % limit
        while True:
            if not self._words:
                self._draw()
            word = self._words.pop()
            if word < fair:
                return word % limit

    def shuffle(self, cards: list[Any]) -> None:
        """Put `cards` in a random order, in place."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]

    def announce(self, kind: str, /, **public: Any) -> None:
        """Tell everyone."""
        self.events.append(Event(kind, public))

    def reveal(self, to: Iterable[Seat], kind: str, secret: Facts, /, **public: Any) -> None:
        """Tell everyone that it happened, and the seats in `to` what it was."""
        self.events.append(Event(kind, public, dict.fromkeys(to, secret)))

    def whisper(self, seat: Seat, kind: str, /, **secret: Any) -> None:
        """Tell one seat; the others learn nothing, not even that it happened."""
        self.events.append(Event(kind, None, {seat: secret}))

    def _draw(self) -> None:
        block = f"{self._number}:{self._block}".encode()
        self._words.extend(_WORDS.unpack(blake2b(block, key=self._seed.encode()).digest()))
        self._block += 1


_WORDS = Layout("<16I")


class Game(Protocol):
    """What every package in `games/` provides: the package itself is the game."""

    TITLE: str
    SEATS: range
    OPTIONS: tuple[Option, ...]
    VERSION: int
    data: Any  # The module of printed things, for templates.
    BOTS: dict[str, Bot]  # The plainest first.
    ORDERS: Orders | None  # None: everything is asked.
    State: Any
    Move: Any

    def setup(self, seats: int, options: frozenset[str], dealer: Dealer) -> Any:
        """Return the opening state."""

    def legal(self, state: Any, seat: Seat) -> list[Any]:
        """Return every move open to `seat`; a seat is on turn while this is not empty."""

    def play(self, state: Any, seat: Seat, move: Any, dealer: Dealer) -> None:
        """Carry out a legal move by changing `state` in place."""

    def view(self, state: Any, viewer: Viewer) -> Any:
        """Return what `viewer` may see: the only thing a template is ever given.

        Every view tells at least `round` and `phase`, which all can see.
        """

    def result(self, state: Any) -> Result | None:
        """Return the final result, or None while the game goes on."""


def take_turn(game: Game, state: Any, seat: Seat, move: Any, dealer: Dealer) -> None:
    """Play `move` if it is legal: the one gate through which every move passes."""
    if move not in game.legal(state, seat):
        raise IllegalMove("That move is not open to you now.")
    game.play(state, seat, move, dealer)


def on_turn(game: Game, state: Any, seats: int) -> list[Seat]:
    """Return the seats that have a move."""
    return [seat for seat in range(seats) if game.legal(state, seat)]


def ask(
    twists: Iterable[T],
    question: Callable[Concatenate[T, Answer, Details], Answer],
    answer: Answer,
    *args: Details.args,
    **kwargs: Details.kwargs,
) -> Answer:
    """Let each twist amend `answer` in turn."""
    for twist in twists:
        answer = getattr(twist, question.__name__)(answer, *args, **kwargs)
    return answer
