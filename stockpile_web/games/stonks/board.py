"""What a board shows besides the view itself: all that has to be worked out for a template."""

from collections.abc import Sequence
from typing import Any

from stockpile_web.engine import Facts, Piece, Result
from stockpile_web.games.stonks.view import View


class Board(Piece, frozen=True):
    """The board of one viewer."""


def board(view: View, moves: list[Any], since: Sequence[Facts], result: Result | None) -> Board:
    """Work out what the board of `view` shows."""
    return Board()
