"""Illimat: the functions of the contract. A turn is in `turn`, printed things in `data`."""

from collections.abc import Mapping

from stockpile_web.engine import Filters, Orders, Upgrades
from stockpile_web.engine import points as score_in_words
from stockpile_web.games.illimat import data
from stockpile_web.games.illimat.board import board
from stockpile_web.games.illimat.bots import BOTS
from stockpile_web.games.illimat.data import OPTIONS
from stockpile_web.games.illimat.moves import Move
from stockpile_web.games.illimat.odds import odds
from stockpile_web.games.illimat.reasons import why_not
from stockpile_web.games.illimat.scenes import SCENES
from stockpile_web.games.illimat.scoring import result
from stockpile_web.games.illimat.setup import setup
from stockpile_web.games.illimat.state import OVER, PLAYING, SWAPPING, TURNING, State
from stockpile_web.games.illimat.story import story
from stockpile_web.games.illimat.turn import legal, play
from stockpile_web.games.illimat.view import open_view, view

__all__ = [
    "BOTS", "COMMON", "FILTERS", "OPTIONS", "ORDERS", "PHASES", "SCENES", "SEATS", "TITLE",
    "UPGRADES", "VERSION", "Move", "State", "board", "data", "legal", "odds", "open_view", "play",
    "result", "score_in_words", "setup", "story", "view", "why_not",
]  # fmt: skip

TITLE = "Illimat"
SEATS = range(2, 5)
VERSION = 1
UPGRADES: Upgrades = {}
ORDERS: Orders | None = None
FILTERS: Filters = {}
COMMON = ""
# What a Luminary asks for belongs to the play.
PHASES: Mapping[str, str] = {
    PLAYING: "Play",
    SWAPPING: "Play",
    TURNING: "Play",
    OVER: "The end",
}
