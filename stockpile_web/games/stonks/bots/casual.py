"""A plain bot: any card, but never less from a trick than it can have."""

from stockpile_web.engine import Rng
from stockpile_web.games.stonks.moves import Acquire, Move
from stockpile_web.games.stonks.view import View


def choose(view: View, moves: list[Move], rng: Rng) -> Move:
    """Choose a move for the seat of `view`: the card that is worth most, else anything."""
    if takes := [move for move in moves if isinstance(move, Acquire)]:
        return max(takes, key=lambda move: view.worth(move.card))
    return rng.choice(moves)
