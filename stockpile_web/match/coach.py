"""The coach: how a steady player ranks the choices of a seat, by what that seat sees."""

from stockpile_web.engine import Advice, Bot
from stockpile_web.games import GAMES
from stockpile_web.match.bots import steadiest
from stockpile_web.match.table_view import Glance, Table
from stockpile_web.storage.models.matches import PLAYING


class NotCoached(Exception):
    """Nobody is advised at this table."""


def is_open(seen: Glance) -> bool:
    """Tell whether the viewer may ask: at a practice table at which no other person sits.

    That is the one gate. A seat for which a bot stands in is its person's all the same.
    """
    others = (seat for seat in seen.seats if seat.number != seen.viewer)
    is_alone = seen.viewer is not None and all(seat.user_id is None for seat in others)
    is_practice = seen.match.practice and seen.match.status == PLAYING
    return is_practice and is_alone and _coach(seen).explain is not None


def advise(seen: Glance, table: Table) -> list[Advice]:
    """Rank the moves that are open to the viewer, the best first; none if nothing is asked."""
    explain = _coach(seen).explain
    if explain is None or not is_open(seen):
        raise NotCoached
    return explain(table.view, table.moves) if table.moves else []


def _coach(seen: Glance) -> Bot:
    game = GAMES[seen.match.game]
    return game.BOTS[steadiest(game)]
