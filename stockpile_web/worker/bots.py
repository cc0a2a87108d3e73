"""Bots that think: the worker leases a seat, has its bot think, and makes the move.

A bot thinks on a copy and holds nothing; its move counts only if nobody has moved meanwhile, so
that two workers never make the same move.
"""

import logging
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any, NamedTuple

from flask import Flask
from sqlalchemy import select, update

from stockpile_web.engine import Seat as SeatNumber
from stockpile_web.games import GAMES
from stockpile_web.match import driving
from stockpile_web.match.bots import choose
from stockpile_web.match.rows import is_paused
from stockpile_web.match.rules_versions import load_state
from stockpile_web.match.turn import changing
from stockpile_web.storage.database import now
from stockpile_web.storage.due import earliest
from stockpile_web.storage.models.matches import BOT, PLAYING, Match, Seat
from stockpile_web.storage.transactions import reading, transaction
from stockpile_web.storage.trouble import insist, trouble_in
from stockpile_web.worker import broken_tables
from stockpile_web.worker.thinkers import ThoughtLost

# Longer than any bot thinks: if its process dies, another one thinks for it then.
LEASE = timedelta(seconds=30)
# For which a bot tries to make its move at a match that is locked: then others that think have
# this thread, and it is asked again when the lease ends.
INSIST_SECONDS = 3.0

log = logging.getLogger(__name__)


class Asked(NamedTuple):
    """A bot that is to move, and the match as it stood when it was asked."""

    match_id: int
    seat: SeatNumber
    bot: str | None
    game: str
    status: str
    seed: str
    state: str
    version: int
    rules_version: int


NEXT = earliest(Seat.acts_at)

_ASKED = select(
    Seat.match_id, Seat.number, Seat.bot, Match.game, Match.status, Match.seed, Match.state,
    Match.version, Match.rules_version,
).join(Match)  # fmt: skip


def think(asked: Asked) -> list[Any]:
    """Let a bot choose a turn from what its seat sees; nothing if it is not asked any more."""
    if asked.status != PLAYING or not asked.bot:
        return []
    game = GAMES[asked.game]
    state = load_state(game, asked.state, asked.rules_version)
    moves = game.legal(state, asked.seat)
    if not moves:
        return []
    rng = Random(f"{asked.seed}:bot:{asked.version}")
    return choose(game, game.BOTS[asked.bot], state, asked.seat, moves, rng)


def let_a_bot_think(app: Flask, think: Callable[[Asked], list[Any]] = think) -> bool:
    """Let the bot that has waited longest think and move; tell whether there was one.

    It thinks without holding anything, and its move counts only if nobody has moved meanwhile.
    """
    with app.app_context():
        seat_id = _lease()
        if seat_id is None:
            return False
        asked = Asked(*reading().execute(_ASKED.where(Seat.id == seat_id)).one())
        reading().rollback()  # Nothing is held while it thinks.
        try:
            moves = think(asked)
            insist(lambda: _move(asked, moves), INSIST_SECONDS)
        except ThoughtLost:  # When the lease ends, another one thinks.
            log.error(
                "The bot of seat %s of match %s is asked again: the process in which it thought "
                "has ended", asked.seat, asked.match_id,
            )  # fmt: skip
        except Exception as error:  # All the others must not wait for this one.
            if trouble_in(error):
                raise
            failed = f"The bot of seat {asked.seat} of match {asked.match_id} cannot move"
            _put_off(seat_id, broken_tables.pause_after(asked.match_id, failed))
        return True


def _lease() -> int | None:
    """Take on the bot that has waited longest, so that no other worker does."""
    with transaction() as connection:
        due = select(Seat.id).where(Seat.acts_at <= now()).order_by(Seat.acts_at).limit(1)
        seat_id: int | None = connection.scalar(due.with_for_update(skip_locked=True))
        if seat_id is not None:
            leased = update(Seat).where(Seat.id == seat_id)
            connection.execute(leased.values(acts_at=now() + LEASE))
        return seat_id


def _move(asked: Asked, moves: list[Any]) -> None:
    with changing(asked.match_id) as turn:
        seat = turn.seats[asked.seat]
        is_asked = turn.match.status == PLAYING and seat.on_turn and seat.bot is not None
        has_changed = (turn.match.version, seat.bot) != (asked.version, asked.bot)
        if not moves or has_changed or is_paused(turn.match, turn.seats):
            # Somebody was faster: it is asked anew, or not at all any more.
            seat.acts_at = turn.moment if is_asked else None
        else:
            *steps, move = moves
            turn.play(asked.seat, move, made_by=BOT, steps=steps)
            driving.play_on(turn)


def _put_off(seat_id: int, pause: timedelta) -> None:
    with transaction() as connection:
        this = update(Seat).where(Seat.id == seat_id, Seat.acts_at.is_not(None))
        connection.execute(this.values(acts_at=now() + pause))
