"""How a bot's choice is asked for: whatever it does, its table goes on."""

import logging
from random import Random
from typing import Any

from stockpile_web.engine import Bot, Game, IllegalMove, Seat, Step
from stockpile_web.engine.steps import Choose, go_on

log = logging.getLogger(__name__)


def choose(
    game: Game, bot: Bot, state: Any, seat: Seat, moves: list[Any], rng: Random
) -> list[Any]:
    """Return the turn that a bot chooses, or another one: no bot makes a table stand still.

    It is asked step by step, on a copy. If it fails on the way the turn is begun anew: by a
    plainer bot, then by any moves at all that complete it soon. Where the rules cannot show the
    table no bot is to blame, and nothing is played that nobody could see.
    """
    seen = game.view(state, seat)
    for each in (bot, game.BOTS[steadiest(game)]):

        def ask(now: Any, moves: list[Any], each: Bot = each) -> Any:
            move = each.choose(seen if now is state else game.view(now, seat), moves, rng)
            if move not in moves:
                raise IllegalMove(f"It chose what it may not: {move}")
            return move

        try:
            return _turn(game, state, seat, moves, ask)
        except Exception:
            log.exception("The bot %s failed", each.title)
    return _turn(game, state, seat, moves, lambda _, moves: _soonest(moves, rng))


def _turn(game: Game, state: Any, seat: Seat, moves: list[Any], choose: Choose) -> list[Any]:
    first = choose(state, moves)
    return go_on(game, state, seat, moves, first, choose) if isinstance(first, Step) else [first]


def _soonest(moves: list[Any], rng: Random) -> Any:
    """Return any move that completes a turn, or else any step."""
    return rng.choice([move for move in moves if not isinstance(move, Step)] or moves)


def steadiest(game: Game) -> str:
    """Return the bot that plays on for people: a good one that need not think."""
    at_once = [key for key, bot in game.BOTS.items() if not bot.thinks]
    return "steady" if "steady" in at_once else at_once[0]
