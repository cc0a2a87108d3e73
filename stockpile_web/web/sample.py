"""A board for the first page: a fixed game, stopped in the middle of an auction."""

from functools import cache
from random import Random

from stockpile_web.engine import Dealer
from stockpile_web.games import GAMES
from stockpile_web.match.table_view import Table

NAMES = ["Ann", "Bob", "Carol", "Dave"]
SEED = "first page"
ROUND, BIDS = 3, 3


@cache
def table() -> Table:
    """Return the table of the first page, as a spectator sees it."""
    game, chooser, number = GAMES["stockpile"], Random(SEED), 0
    bot = next(iter(game.BOTS.values()))
    state = game.setup(len(NAMES), frozenset(), Dealer(SEED, 0))
    view = game.view(state, None)
    while view.round < ROUND or sum(pile.bid is not None for pile in view.piles) < BIDS:
        number += 1
        (seat, *_) = view.on_turn
        move = bot.choose(game.view(state, seat), game.legal(state, seat), chooser)
        game.play(state, seat, move, Dealer(SEED, number))
        view = game.view(state, None)
    return Table(
        match_id=0,
        game="stockpile",
        title=game.TITLE,
        status="playing",
        version=number,
        viewer=None,
        view=view,
        moves=[],
        names=NAMES,
        bots=[False] * len(NAMES),
        log=[],
        since=[],
        last_move=number,
        taken_back=set(),
        result=None,
        moves_made=0,
        waiting_since=None,
    )
