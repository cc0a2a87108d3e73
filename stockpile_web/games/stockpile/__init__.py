"""Stockpile: the contract. Rules are in `setup` and `phases/`; `rules` keeps them in order."""

from stockpile_web.engine import Result
from stockpile_web.games.stockpile import printed as data
from stockpile_web.games.stockpile.board import board
from stockpile_web.games.stockpile.bots import BOTS
from stockpile_web.games.stockpile.modules import OPTIONS
from stockpile_web.games.stockpile.moves import Move
from stockpile_web.games.stockpile.orders import ORDERS
from stockpile_web.games.stockpile.phases.game_end import result
from stockpile_web.games.stockpile.rules import legal, play
from stockpile_web.games.stockpile.setup import setup
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.upgrades import UPGRADES
from stockpile_web.games.stockpile.view import view

__all__ = [
    "BOTS", "OPTIONS", "ORDERS", "SEATS", "TITLE", "UPGRADES", "VERSION", "Move", "Result",
    "State",
    "board", "data", "legal", "play", "result", "setup", "view",
]  # fmt: skip

TITLE = "Stockpile"
SEATS = range(2, 6)
VERSION = 2
