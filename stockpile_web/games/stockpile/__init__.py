"""Stockpile: the contract. A reader of the rulebook finds its chapters here:

- Setup: `setup`. What is printed: `data`, and for the Epic Edition `data_epic`.
- The round: a file for each phase in `phases/`, in the order of their table; `rules` plays them.
- Trading fees: `fees`. Dividends: `dividends`. Stock splits: `splits`. Bankruptcy: `bankruptcy`.
- The game end: `phases/game_end`. With two players: the numbers in `data.TABLES`.
- Expansion modules: a file for each in `modules/`. Investors: the table in `investors/`.
"""

from stockpile_web.engine import Result
from stockpile_web.games.stockpile import printed as data
from stockpile_web.games.stockpile.amounts import FILTERS
from stockpile_web.games.stockpile.amounts import money as score_in_words
from stockpile_web.games.stockpile.board import board
from stockpile_web.games.stockpile.bots import BOTS
from stockpile_web.games.stockpile.modules import OPTIONS
from stockpile_web.games.stockpile.moves import Move
from stockpile_web.games.stockpile.odds import odds
from stockpile_web.games.stockpile.orders import ORDERS
from stockpile_web.games.stockpile.phases.game_end import result
from stockpile_web.games.stockpile.reasons import why_not
from stockpile_web.games.stockpile.rules import legal, play
from stockpile_web.games.stockpile.scenes import SCENES
from stockpile_web.games.stockpile.setup import setup
from stockpile_web.games.stockpile.state import State
from stockpile_web.games.stockpile.story import story
from stockpile_web.games.stockpile.titles import PHASES
from stockpile_web.games.stockpile.upgrades import UPGRADES
from stockpile_web.games.stockpile.view import open_view, view

__all__ = [
    "BOTS", "COMMON", "FILTERS", "OPTIONS", "ORDERS", "PHASES", "SCENES", "SEATS", "TITLE",
    "UPGRADES", "VERSION", "Move", "Result", "State", "board", "data", "legal", "odds", "open_view",
    "play", "result", "score_in_words", "setup", "story", "view", "why_not",
]  # fmt: skip

TITLE = "Stockpile"
SEATS = range(2, 6)
COMMON = "Market"
VERSION = 3
