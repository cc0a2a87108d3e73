"""A plain bot: it harvests when it can, and finishes as soon as it may."""

from stockpile_web.engine import Rng
from stockpile_web.games.illimat.moves import Add, Done, Finish, Harvest, HarvestAll, Move
from stockpile_web.games.illimat.view import View

FIRST: tuple[type[Move], ...] = (Finish, Add, HarvestAll, Harvest, Done)


def choose(view: View, moves: list[Move], rng: Rng) -> Move:
    """Choose a move for the seat of `view`: the first kind that is open, of that any."""
    for kind in FIRST:
        if found := [move for move in moves if isinstance(move, kind)]:
            return rng.choice(found)
    return rng.choice(moves)
