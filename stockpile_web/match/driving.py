"""Who moves at a table without being waited for: standing orders, and bots that need not think."""

from random import Random

from stockpile_web.engine import Bot, Seat
from stockpile_web.match import bots, rows
from stockpile_web.match.turn import Turn
from stockpile_web.storage.models.matches import BOT, ORDER

# So many moves of bots and orders at the most in one transaction; the worker goes on from there.
LONGEST_CHAIN = 50


def play_on(turn: Turn) -> None:
    """Let orders and bots move, until somebody is needed who takes time, or it is over.

    A bot that thinks is left to the worker, and so is what would take too long here. Where
    nobody plays themselves, bots wait.
    """
    if rows.is_paused(turn.match, turn.seats):
        return
    driven = [(seat.number, turn.game.BOTS[seat.bot]) for seat in turn.seats if seat.bot]
    at_once = [(seat, bot) for seat, bot in driven if not bot.thinks]
    for _ in range(LONGEST_CHAIN):
        if any(_follow(turn, seat) for seat in turn.books.seats):
            continue
        if not any(let_bot_move(turn, seat, bot) for seat, bot in at_once):
            return
    turn.worker_goes_on = True


def follow_orders(turn: Turn, seat: Seat) -> bool:
    """Let a seat's standing orders make one move; False if they leave it to the player."""
    return seat in turn.books.seats and _follow(turn, seat)


def _follow(turn: Turn, seat: Seat) -> bool:
    moves = turn.legal(seat)
    if not moves:
        return False
    ordered = turn.books.follow(seat, turn.state, moves, turn.seats[seat].moves_made)
    if not ordered:
        return False
    *steps, move = ordered
    turn.play(seat, move, made_by=ORDER, steps=steps)
    return True


def let_bot_move(turn: Turn, seat: Seat, bot: Bot, made_by: str = BOT) -> bool:
    """Let a bot make one move for a seat; tell whether there was one to make."""
    moves = turn.legal(seat)
    if moves:
        rng = Random(f"{turn.seed}:bot:{turn.match.version}")
        *steps, move = bots.choose(turn.game, bot, turn.state, seat, moves, rng)
        turn.play(seat, move, made_by=made_by, steps=steps)
    return bool(moves)
