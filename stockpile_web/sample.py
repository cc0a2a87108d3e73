"""A board for the first page: a fixed game of bots, stopped in the middle of an auction."""

from functools import cache
from random import Random

from stockpile_web.engine import Dealer
from stockpile_web.games import GAMES
from stockpile_web.viewing import Table

NAMES = ["Ann", "Bob", "Carol", "Dave"]
SEED, MOVES = "sample", 63


@cache
def table() -> Table:
    """Return the table of the first page, as a spectator sees it."""
    game = GAMES["stockpile"]
    seats = range(len(NAMES))
    state = game.setup(len(NAMES), frozenset(), Dealer(SEED, 0))
    chooser = Random(SEED)
    for number in range(1, MOVES):
        seat, moves = next((seat, moves) for seat in seats if (moves := game.legal(state, seat)))
        game.play(state, seat, chooser.choice(moves), Dealer(SEED, number))
    return Table(
        match_id=0,
        game="stockpile",
        title=game.TITLE,
        status="playing",
        version=MOVES,
        viewer=None,
        view=game.view(state, None),
        moves=[],
        names=NAMES,
        bots=[False] * len(NAMES),
        log=[],
        since=[],
        result=None,
        moves_made=0,
        waiting_since=None,
        options=[],
    )
