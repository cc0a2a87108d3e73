"""The coach: how a steady player ranks the choices of a seat, by what that seat sees."""

from stockpile_web.engine import Advice, Bot
from stockpile_web.games import GAMES
from stockpile_web.match import practice
from stockpile_web.match.bots import steadiest
from stockpile_web.match.glance import Glance
from stockpile_web.match.table_view import Table


class NotCoached(Exception):
    """Nobody gets help at this table."""


def is_open(seen: Glance) -> bool:
    """Tell whether the viewer may ask: where one practises."""
    return practice.is_open(seen) and _coach(seen).explain is not None


def advise(seen: Glance, table: Table) -> list[Advice]:
    """Rank the moves that are open to the viewer, the best first; none if nothing is asked."""
    explain = _coach(seen).explain
    if explain is None or not is_open(seen):
        raise NotCoached
    return explain(table.view, table.moves) if table.moves else []


def _coach(seen: Glance) -> Bot:
    game = GAMES[seen.match.game]
    return game.BOTS[steadiest(game)]
