"""What stands for a game that this server does not have (any more).

Tables of it can be listed, read as far as words are left, and closed. Nothing is played or shown.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from stockpile_web.engine import (
    Bot,
    Dealer,
    Facts,
    Filters,
    Option,
    Orders,
    Result,
    Scene,
    Seat,
    Upgrades,
    Viewer,
    points,
)
from stockpile_web.engine.story import Story, Told

TITLE = "A game that is gone"
SEATS = range(1, 1)
OPTIONS: tuple[Option, ...] = ()
VERSION = 0  # Of no match: whatever was begun is held.
UPGRADES: Upgrades = {}
data: Any = None
FILTERS: Filters = {}
ORDERS: Orders | None = None
SCENES: tuple[Scene, ...] = ()
COMMON = ""
PHASES: Mapping[str, str] = {}
State = dict[str, Any]
Move = dict[str, Any]
score_in_words = points


class Gone(LookupError):
    """There are no rules to ask."""


def _nobody(*_: object) -> NoReturn:
    raise Gone(TITLE)


BOTS = {"none": Bot("No bot", "It is gone with its game.", _nobody)}


def setup(seats: int, options: Mapping[str, int], dealer: Dealer) -> Any:
    """Nothing can be begun."""
    _nobody(seats, options, dealer)


def legal(state: Any, seat: Seat) -> list[Any]:
    """Nobody is asked."""
    _nobody(state, seat)


def play(state: Any, seat: Seat, move: Any, dealer: Dealer) -> None:
    """Nothing can be played."""
    _nobody(state, seat, move, dealer)


def view(state: Any, viewer: Viewer) -> Any:
    """Nothing can be shown."""
    _nobody(state, viewer)


def open_view(state: Any) -> Any:
    """Nothing can be shown."""
    _nobody(state)


def board(view: Any, moves: list[Any], since: Sequence[Facts], result: Result | None) -> Any:
    """Nothing can be shown."""
    _nobody(view, moves, since, result)


def odds(view: Any) -> Any | None:
    """There are none."""
    _nobody(view)


def why_not(view: Any, moves: list[Any], move: Any) -> str:
    """Nobody was asked."""
    _nobody(view, moves, move)


def result(state: Any) -> Result | None:
    """Nobody knows."""
    _nobody(state)


def story(turns: Sequence[Told]) -> Story:
    """Nobody knows."""
    _nobody(turns)
