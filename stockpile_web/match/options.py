"""The options of a table: those that were chosen and mean something for so many players."""

from collections.abc import Iterable

from stockpile_web.engine import Game, Option
from stockpile_web.games import GAMES
from stockpile_web.match.rows import MatchRow
from stockpile_web.storage.models.matches import Match


def applying(game: Game, keys: Iterable[str], seats: int) -> list[Option]:
    """Return the options among `keys` that `seats` players can play with."""
    wanted = set(keys)
    return [option for option in game.OPTIONS if option.key in wanted and option.is_for(seats)]


def played_with(match: Match | MatchRow) -> list[Option]:
    """Return the options of a match, for as many players as it has, or is to have."""
    return applying(GAMES[match.game], match.options.split(), match.size)
