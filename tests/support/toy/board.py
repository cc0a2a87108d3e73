"""What a viewer sees, and what their controls do."""

from typing import Any

from stockpile_web.engine import Piece, Seat, Viewer


class View(Piece, frozen=True):
    """The table as one viewer sees it."""

    viewer: Viewer
    round: int
    phase: str
    on_turn: list[Seat]
    held: list[int]
    laid: list[list[int]]
    hand: list[int] | None
    picked: list[int]


class Board(Piece, frozen=True):
    """What is worked out for the template."""

    picks: list[Any]
    completing: list[Any]
    total: int
