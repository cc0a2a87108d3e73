"""Illimat: the functions of the contract. A turn is in `turn`, printed things in `data`."""

from stockpile_web.engine import Filters, Orders, Upgrades
from stockpile_web.games.illimat import data
from stockpile_web.games.illimat.board import board
from stockpile_web.games.illimat.bots import BOTS
from stockpile_web.games.illimat.data import OPTIONS
from stockpile_web.games.illimat.moves import Move
from stockpile_web.games.illimat.reasons import why_not
from stockpile_web.games.illimat.scenes import SCENES
from stockpile_web.games.illimat.scoring import result
from stockpile_web.games.illimat.setup import setup
from stockpile_web.games.illimat.state import State
from stockpile_web.games.illimat.story import story
from stockpile_web.games.illimat.turn import legal, play
from stockpile_web.games.illimat.view import view

__all__ = [
    "BOTS", "COMMON", "FILTERS", "OPTIONS", "ORDERS", "SCENES", "SEATS", "TITLE", "UPGRADES",
    "VERSION", "Move", "State", "board", "data", "legal", "play", "result", "setup", "story",
    "view", "why_not",
]  # fmt: skip

TITLE = "Illimat"
SEATS = range(2, 5)
VERSION = 1
UPGRADES: Upgrades = {}
ORDERS: Orders | None = None
FILTERS: Filters = {}
COMMON = ""
