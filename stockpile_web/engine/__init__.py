"""The contract every game keeps: plain data, legal moves, one gate, and a dealer."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import msgspec

from stockpile_web.engine.advice import Advice, Explain
from stockpile_web.engine.dealer import Dealer, Event, Facts, Seat, Viewer
from stockpile_web.engine.story import Story, Told

__all__ = [
    "Action", "Advice", "Bot", "Dealer", "Event", "Facts", "Filters", "Followed", "Game",
    "IllegalMove", "Option", "Orders", "Piece", "Record", "Result", "Rng", "Scene", "Score",
    "Seat", "Step", "Upgrades", "Viewer", "ask", "on_turn", "points", "take_turn",
]  # fmt: skip

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


class Step(Action, frozen=True):
    """A part of a turn: it is nothing by itself, draws no chance and tells nobody anything.

    It is recorded only with the move that completes the turn: a move that is no Step. The state
    carries the half-built choice, and a Step changes nothing else. None leads into a dead end.
    """


class IllegalMove(Exception):
    """The rules do not allow that move now; the message is for the player."""


class Option(Piece, frozen=True):
    """A rule that a table may switch on; or one that it always has, with a number."""

    key: str
    title: str
    help: str
    # The options without which, and with which, this one means nothing; they stand before it.
    needs: str = ""
    unless: str = ""
    group: str = ""  # Of the options under one heading a table has one at most.
    usual: bool = False  # The one it has unless it chooses another.
    # The numbers of players for whom it means something, alike for all of a group; None: all.
    seats: range | None = None
    # The numbers that it can have, and the usual one; None: it is a switch.
    numbers: range | None = None
    number: int = 0

    def is_for(self, seats: int) -> bool:
        """Tell whether it means something for so many players."""
        return self.seats is None or seats in self.seats

    @property
    def span(self) -> str:
        """Tell its numbers in words: from 10 to 30."""
        assert self.numbers is not None
        steps = f", in steps of {self.numbers.step}" if self.numbers.step != 1 else ""
        return f"from {self.numbers[0]} to {self.numbers[-1]}{steps}"


class Bot(Piece, frozen=True):
    """A way to play a seat, from what the seat may see alone."""

    title: str
    says: str  # What kind of player it is, in one line of its own.
    choose: Callable[[Any, list[Any], Rng], Any]  # From its view and its legal moves, one of them.
    thinks: bool = False  # It takes its time, so it never moves while somebody waits for a page.
    # How it ranks all its moves: what it chooses comes first, or is worth the same. None: no words.
    explain: Explain | None = None
    # So much more must a move promise to be clearly better: by less, one plays as well.
    clearly: float = 0.0


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
    # The book of a new seat, until its player changes it; otherwise an empty one.
    usual: Callable[[], Any] | None = None
    # What a single press sets in a book, by the name of the press.
    presses: Mapping[str, Mapping[str, Any]] = {}


class Score(Piece, frozen=True):
    """What one seat ends with; `lines` add up to `total` and are told like events."""

    total: int
    lines: list[Facts]


class Result(Piece, frozen=True):
    """How a game ended: place 1 has won, and may be shared."""

    places: list[int]
    scores: list[Score]


class Scene(Piece, frozen=True):
    """A moment worth showing: the plainest bot plays all seats until a spectator sees it."""

    seats: int
    has_come: Callable[[Any], bool]  # Asked with a spectator's view, before each move.
    options: tuple[str, ...] = ()  # As words (`engine/options.py`).


NOT_YOUR_TURN = "It is not your turn."
NOT_OPEN = "That move is not open to you now."

Upgrades = dict[int, Callable[[dict[str, Any]], dict[str, Any]]]
Filters = Mapping[str, Callable[[Any], str]]


class Game(Protocol):
    """What every package in `games/` provides: the package itself is the game."""

    TITLE: str
    SEATS: range
    OPTIONS: tuple[Option, ...]
    VERSION: int
    # Of each earlier version: what makes its state, as plain JSON, one of the version after it.
    UPGRADES: Upgrades
    data: Any  # The module of printed things, for templates.
    FILTERS: Filters  # How its templates write things, by names that are not taken.
    BOTS: dict[str, Bot]  # The plainest first.
    ORDERS: Orders | None  # None: everything is asked.
    SCENES: tuple[Scene, ...]  # For a first look; the first of them is for the first page.
    COMMON: str  # What the tab is called that shows `.common` of its board on a phone; "": none.
    PHASES: Mapping[str, str]  # What the phases are called; several may be one to its players.
    State: Any  # It tells at least `round` and `phase`, which all can see.
    Move: Any

    def setup(self, seats: int, options: Mapping[str, int], dealer: Dealer) -> Any:
        """Return the opening state.

        `options` are those that count, by key: 1 for a switch, or the number it is played with.
        """

    def legal(self, state: Any, seat: Seat) -> list[Any]:
        """Return every move open to `seat`; a seat is on turn while this is not empty.

        In the midst of a turn, what is open after the steps that were taken.
        """

    def play(self, state: Any, seat: Seat, move: Any, dealer: Dealer) -> None:
        """Carry out a legal move by changing `state` in place."""

    def view(self, state: Any, viewer: Viewer) -> Any:
        """Return what `viewer` may see: all that a board is made of.

        Every view tells at least `round` and `phase`, as the state does.
        """

    def open_view(self, state: Any) -> Any:
        """Return the table with all that lies on it turned up: for matches that are over.

        It is a spectator's view without secrets. What a player holds is in that player's own view;
        `side.html` of the game shows it beneath such a board.
        """

    def board(
        self, view: Any, moves: list[Any], since: Sequence[Facts], result: Result | None
    ) -> Any:
        """Return what the board of a viewer shows besides the view itself.

        All that has to be worked out for it: sums, which control makes which move, what is new
        since the viewer's last turn. Templates show; they do not compute.
        """

    def odds(self, view: Any) -> Any | None:
        """Return what the viewer can work out of what they do not see; None if there is nothing.

        For practice, told by the game's `odds.html`. Given the view alone, so it tells no secret.
        """

    def why_not(self, view: Any, moves: list[Any], move: Any) -> str:
        """Say in the player's words why `move` is not open to them now; empty if that says nothing.

        Asked only when a move was refused, whatever it was, and given only what its player sees:
        the view and the moves that are open. So no reason can tell a secret.
        """

    def result(self, state: Any) -> Result | None:
        """Return the final result, or None while the game goes on."""

    def score_in_words(self, score: int, /) -> str:
        """Write the total of a score as people say it: $34K, or 12 points."""

    def story(self, turns: Sequence[Told]) -> Story:
        """Return the story of a match so far, from what its reader may know of each move.

        Moves that were taken back are not among them. It may have to tell what an older version
        of the rules has recorded: kinds of events that it does not know are passed over.
        """


def points(score: int) -> str:
    """Write a score as most games do."""
    return f"{score} point{'' if score == 1 else 's'}"


def take_turn(
    game: Game, state: Any, seat: Seat, move: Any, dealer: Dealer, moves: list[Any] | None = None
) -> None:
    """Play `move` if it is legal: the one gate through which every move passes, and every step.

    `moves` are the legal ones, if they were asked for since the last move.
    """
    if moves is None:
        moves = game.legal(state, seat)
    if not moves:
        raise IllegalMove(NOT_YOUR_TURN)
    if move not in moves:
        raise IllegalMove(game.why_not(game.view(state, seat), moves, move) or NOT_OPEN)
    if not isinstance(move, Step):
        game.play(state, seat, move, dealer)
        return
    before = dealer.done
    game.play(state, seat, move, dealer)
    if dealer.done != before:
        raise RuntimeError(f"A step neither tells nor draws, but {move} does.")


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
