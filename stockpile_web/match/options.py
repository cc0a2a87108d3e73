"""The options of a table: those that were chosen and mean something for so many players."""

from stockpile_web.engine.options import applying, read, titles
from stockpile_web.games import GAMES
from stockpile_web.match.listed import Listed
from stockpile_web.match.rows import MatchRow
from stockpile_web.storage.models.matches import Match


def options_of(match: Match | MatchRow) -> dict[str, int]:
    """Return the options of a match, for as many players as it has, or is to have."""
    return applying(GAMES[match.game], read(match.options.split()), match.size)


def played_with(match: Match | MatchRow | Listed) -> list[str]:
    """Say what a match is played with, as its pages show it."""
    return rules_in_words(match.game, match.options, match.size)


def rules_in_words(game: str, options: str, size: int) -> list[str]:
    """Say what a game is played with, given the options as they are stored."""
    return titles(GAMES[game], applying(GAMES[game], read(options.split()), size))
