"""Matches played on in one transaction, which takes milliseconds."""

from random import Random

from flask import Flask

from stockpile_web.match.bots import choose
from stockpile_web.match.turn import changing


def play(app: Flask, match_id: int, moves: int = 10_000, seed: int = 1) -> None:
    """Let the plainest bot choose for everybody, for so many moves or to the end."""
    rng = Random(seed)
    with app.app_context(), changing(match_id) as turn:
        bot = next(iter(turn.game.BOTS.values()))
        for _ in range(moves):
            waiting = [seat.number for seat in turn.seats if turn.legal(seat.number)]
            if not waiting:
                return
            seat = rng.choice(waiting)
            *steps, move = choose(turn.game, bot, turn.state, seat, turn.legal(seat), rng)
            turn.play(seat, move, steps=steps)
