"""Every package in this folder is a game; written out, so that mypy holds each to the contract."""

from stockpile_web.engine import Game
from stockpile_web.games import illimat, stockpile, stonks

STOCKPILE: Game = stockpile
STONKS: Game = stonks
ILLIMAT: Game = illimat

GAMES = {
    "stockpile": STOCKPILE,
    "stonks": STONKS,
    "illimat": ILLIMAT,
}
