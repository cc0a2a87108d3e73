"""How a bot's choice is asked for: whatever it does, its table goes on."""

import logging
from random import Random
from typing import Any

from stockpile_web.engine import Bot, Game

log = logging.getLogger(__name__)


def choose(game: Game, bot: Bot, view: Any, moves: list[Any], rng: Random) -> Any:
    """Return the move that a bot chooses, or another one: no bot makes a table stand still."""
    for each in (bot, game.BOTS[steadiest(game)]):
        try:
            move = each.choose(view, moves, rng)
            if move in moves:
                return move
            log.error("The bot %s chose what it may not: %s", each.title, move)
        except Exception:
            log.exception("The bot %s failed", each.title)
    return rng.choice(moves)


def steadiest(game: Game) -> str:
    """Return the bot that plays on for people: a good one that need not think."""
    at_once = [key for key, bot in game.BOTS.items() if not bot.thinks]
    return "steady" if "steady" in at_once else at_once[0]
