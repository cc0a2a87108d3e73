"""Bots that think: the worker lets them move, one seat at a time.

A bot thinks on a copy and holds nothing; its move counts only if nobody has moved meanwhile, so
that two workers never make the same move.
"""

import logging
from datetime import timedelta
from random import Random
from typing import Any, NamedTuple

from flask import Flask
from sqlalchemy import func, select, update

from stockpile_web import live
from stockpile_web.engine import Seat, codec
from stockpile_web.games import GAMES
from stockpile_web.match import seating
from stockpile_web.match.turn import Playing
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models.matches import BOT, PLAYING, Match, Place
from stockpile_web.storage.transactions import writing

# Longer than any bot thinks: if its worker dies, another one thinks for it then.
LEASE = timedelta(seconds=30)

log = logging.getLogger(__name__)


class Asked(NamedTuple):
    """A bot that is to move, and the match as it stood when it was asked."""

    match_id: int
    seat: Seat
    bot: str | None
    game: str
    status: str
    seed: str
    state: str
    version: int


NEXT = select(func.min(Place.acts_at)).scalar_subquery()

_ASKED = select(
    Place.match_id, Place.seat, Place.bot, Match.game, Match.status, Match.seed, Match.state,
    Match.version,
).join(Match)  # fmt: skip


def let_a_bot_think(app: Flask) -> bool:
    """Let the bot that has waited longest think and move; tell whether there was one.

    It thinks without holding anything, and its move counts only if nobody has moved meanwhile.
    """
    with app.app_context():
        place_id = _lease()
        if place_id is None:
            return False
        asked = Asked(*db.session.execute(_ASKED.where(Place.id == place_id)).one())
        db.session.rollback()  # Nothing is held while it thinks.
        move = _choose(asked)
        with writing() as tx:
            playing = Playing(tx.connection(), asked.match_id)
            place = playing.places[asked.seat]
            unchanged = (playing.version, place.bot) == (asked.version, asked.bot)
            if move is not None and unchanged and playing.match.status == PLAYING:
                playing.take_turn(asked.seat, move, made_by=BOT)
                playing.let_bots_move()
                playing.save()
                live.notify_in(tx, asked.match_id)
            else:
                # Somebody was faster: it is asked anew, or not at all any more.
                is_asked = playing.match.status == PLAYING and place.on_turn and place.bot
                again = now() if is_asked else None
                tx.execute(update(Place).where(Place.id == place_id).values(acts_at=again))
        return True


def _lease() -> int | None:
    """Take on the bot that has waited longest, so that no other worker does."""
    with writing() as tx:
        due = select(Place.id).where(Place.acts_at <= now()).order_by(Place.acts_at).limit(1)
        place_id = tx.scalar(due.with_for_update(skip_locked=True))  # SQLite: the only writer.
        if place_id is not None:
            taken = update(Place).where(Place.id == place_id)
            tx.execute(taken.values(acts_at=now() + LEASE))
        return place_id


def _choose(asked: Asked) -> Any:
    """Let a bot choose from a copy of what its seat sees; None if it is not asked any more."""
    game = GAMES[asked.game]
    state = codec.load(game.State, asked.state)
    moves = game.legal(state, asked.seat)
    if asked.status != PLAYING or not moves or not asked.bot:
        return None
    view, rng = game.view(state, asked.seat), Random(f"{asked.seed}:bot:{asked.version}")
    try:
        move = game.BOTS[asked.bot].choose(view, moves, rng)
        if move in moves:
            return move
        log.error("The bot %s chose what it may not: %s", asked.bot, move)
    except Exception:
        log.exception("The bot %s failed", asked.bot)
    # A table must not stand still because of a bot.
    return game.BOTS[seating.steadiest(game)].choose(view, moves, rng)
