"""A plain bot: any card, but never less from a trick than it can have."""

from stockpile_web.engine import Rng
from stockpile_web.games.stonks.data import CARDS
from stockpile_web.games.stonks.moves import Acquire, Move
from stockpile_web.games.stonks.view import View


def choose(view: View, moves: list[Move], rng: Rng) -> Move:
    """Choose a move for the seat of `view`: the card that is worth most, else anything."""
    if isinstance(moves[0], Acquire):
        values = {tile.company: tile.value for tile in view.tiles}
        return max(moves, key=lambda move: _worth(move, values))
    return rng.choice(moves)


def _worth(move: Move, values: dict[str, int]) -> int:
    assert isinstance(move, Acquire)
    face = CARDS[move.card]
    return face.stocks * values[face.company]
