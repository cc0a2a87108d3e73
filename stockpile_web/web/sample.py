"""A board for the first page: of the first game in the list, stopped at the scene it gives."""

from functools import cache

from stockpile_web.engine.simulation import play_to
from stockpile_web.games import GAMES
from stockpile_web.match.table_view import Table

GAME = next(iter(GAMES))
NAMES = ["Ann", "Bob", "Carol", "Dave", "Eve"]
SEED = "first page"


@cache
def table() -> Table:
    """Return the table of the first page, as a spectator sees it."""
    game = GAMES[GAME]
    scene = game.SCENES[0]
    state, number = play_to(game, scene, SEED)
    return Table(
        match_id=0,
        game=GAME,
        title=game.TITLE,
        status="playing",
        version=number,
        viewer=None,
        view=game.view(state, None),
        moves=[],
        names=NAMES[: scene.seats],
        bots=[False] * scene.seats,
        log=[],
        since=[],
        last_move=number,
        taken_back=set(),
        result=None,
        moves_made=0,
        waiting_since=None,
    )
