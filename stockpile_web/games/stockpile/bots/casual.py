"""A plain bot: any legal move, but never a pass-by of money that lies on the table."""

from typing import Any

from stockpile_web.engine import Rng
from stockpile_web.games.stockpile.moves import Collect, Move
from stockpile_web.games.stockpile.view import View


def choose(view: View, moves: list[Move], rng: Rng) -> Move:
    """Choose a move for the seat of `view`: the best dividend, else anything."""
    if isinstance(moves[0], Collect):
        return max(moves, key=_shown)
    return rng.choice(moves)


def _shown(move: Any) -> int:
    return int(move.cards + 2 * move.split)
