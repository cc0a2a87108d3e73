"""Every package in this folder is a game; written out, so that mypy holds each to the contract."""

from stockpile_web.engine import Game
from stockpile_web.games import gone, illimat, stockpile, stonks

STOCKPILE: Game = stockpile
STONKS: Game = stonks
ILLIMAT: Game = illimat

GONE: Game = gone


class Games(dict[str, Game]):
    """The games by their names. Of a match whose game was removed, there is one that says so."""

    def __missing__(self, name: str) -> Game:
        return GONE


GAMES = Games(
    stockpile=STOCKPILE,
    stonks=STONKS,
    illimat=ILLIMAT,
)
