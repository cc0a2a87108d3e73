"""The story of a match as plain data: lines over time, tables, and the moments on which it turned.

A game tells it from what was recorded and never runs its rules again. It is given only what the
reader may know, so whatever it makes of that is no secret.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from stockpile_web.engine.dealer import Facts, Seat

# A number is written as its column says, facts are told by the game's `story.html` or its log. None
# is what there was not, or what the reader may not know.
Cell = int | str | Facts | None


@dataclass(frozen=True)
class Told:
    """A move as the reader may know it."""

    number: int
    facts: list[Facts]
    # The views after it of all through whose eyes the reader sees: of a running match the reader's
    # own, be it a spectator's; of one that is over those of all seats in their order. It is read
    # from the database only when it is asked for: ask for a few moves, not for all.
    look: Callable[[], list[Any]]


class Line(msgspec.Struct, frozen=True):
    """Something that changes in the course of a match, with a value for each step of its chart."""

    label: Facts
    mark: str  # The class that has its colour: `p0` of a seat, or the game's own.
    values: list[int | None]
    short: str = ""  # What it is called where there is little room.


class Flag(msgspec.Struct, frozen=True):
    """Something that happened to a line on its way to a step, as a sign beside it."""

    line: int
    step: int
    sign: str


class Chart(msgspec.Struct, frozen=True):
    """Lines over the same steps."""

    title: str
    over: str  # What the steps are: rounds, tricks.
    steps: list[str]
    lines: list[Line]
    flags: list[Flag] = []
    amount: Callable[[int], str] = str  # How its values are written.
    hint: str = ""


class Column(msgspec.Struct, frozen=True):
    """What stands in a column; if these are numbers, how they are written."""

    title: str
    amount: Callable[[int], str] | None = None


class Row(msgspec.Struct, frozen=True):
    """A line of a table, and the move after which it can be seen on the board."""

    cells: list[Cell]
    turn: int


class DataTable(msgspec.Struct, frozen=True):
    """What happened again and again, one row each."""

    title: str
    columns: list[Column]
    rows: list[Row]
    hint: str = ""


class TurningPoint(msgspec.Struct, frozen=True):
    """A moment to argue over: told like an event, and seen on the board after a move."""

    turn: int
    facts: Facts


class Story(msgspec.Struct, frozen=True):
    """All that a match has to tell; empty while nothing has happened."""

    turning_points: list[TurningPoint]
    charts: list[Chart]
    tables: list[DataTable]


class Lead(NamedTuple):
    """Somebody else has come to be ahead of all."""

    step: int
    seat: Seat
    before: Seat | None  # None: nobody was ahead before.
    by: int


def leads(totals: Sequence[Mapping[Seat, int]]) -> Iterator[Lead]:
    """Return after which steps another seat than before alone had most."""
    leader: Seat | None = None
    for step, standing in enumerate(totals):
        (most, ahead), (second, _), *_ = sorted(
            ((total, seat) for seat, total in standing.items()), reverse=True
        )
        if most > second and ahead != leader:
            if step:
                yield Lead(step, ahead, leader, most - second)
            leader = ahead
