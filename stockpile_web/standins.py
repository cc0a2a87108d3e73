"""Who plays when a person does not: bots that think, and those who play on for the absent.

What the worker does, one seat at a time. Whoever is at a match holds it, and looks first whether
there is still something to do: so two workers never do the same.
"""

import logging
from datetime import timedelta
from random import Random
from typing import Any, NamedTuple

from flask import Flask
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from stockpile_web import live
from stockpile_web.engine import Event, Seat, codec
from stockpile_web.games import GAMES
from stockpile_web.match import absence, seating
from stockpile_web.match.turn import Playing
from stockpile_web.storage import outbox
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models.matches import BOT, CLOCK, MISSED, PLAYING, Match, Place
from stockpile_web.storage.models.notices import NEAR, Notice
from stockpile_web.storage.transactions import writing

# Longer than any bot thinks: if its worker dies, another one thinks for it then.
LEASE = timedelta(seconds=30)
# A seat for which nobody could play is tried again after this.
AFTER_TROUBLE = timedelta(minutes=10)
# What a stand-in does in one turn at the most; no rules of ours come near it.
LONGEST_TURN = 200

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


NEXT_BOT = select(func.min(Place.acts_at)).scalar_subquery()
NEXT_DEADLINE = select(func.min(Place.deadline_at)).scalar_subquery()
NEXT_REMINDER = select(func.min(Place.remind_at)).scalar_subquery()

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


def play_for_the_late(app: Flask) -> bool:
    """Play the turn of whose time has run out longest ago; tell whether there was one."""
    with app.app_context():
        late = select(Place.match_id, Place.seat).where(Place.deadline_at <= now())
        found = db.session.execute(late.order_by(Place.deadline_at).limit(1)).one_or_none()
        if found is None:
            return False
        match_id, seat = found
        try:
            with writing() as tx:
                play_for_absent(tx, match_id, seat)
                live.notify_in(tx, match_id)
        except Exception:  # All the others must not wait for this one.
            log.exception("Nobody could play for seat %s of match %s", seat, match_id)
            with writing() as tx:
                this = (Place.match_id == match_id, Place.seat == seat)
                tx.execute(update(Place).where(*this).values(deadline_at=now() + AFTER_TROUBLE))
        return True


def play_for_absent(session: Session, match_id: int, seat: Seat) -> None:
    """Play one turn of a seat whose time has run out, unless somebody was faster."""
    playing = Playing(session.connection(), match_id)
    place = playing.places[seat]
    if place.deadline_at is None or place.deadline_at > playing.moment:
        return
    playing.aside.append(Event("time_ran_out", {"seat": seat}))
    bot = playing.game.BOTS[seating.steadiest(playing.game)]
    asked_in = playing.phase
    for _ in range(LONGEST_TURN):
        # What the bot has begun, standing orders may end: they say what their owner wants.
        if not playing.let_orders_move(seat):
            playing.let_bot_move(seat, bot, made_by=CLOCK)
        if playing.phase != asked_in or not playing.game.legal(playing.state, seat):
            break
    playing.let_bots_move()
    playing.save()
    if place.missed + 1 == MISSED:
        absence.begin_vote(session, match_id, seat)


def remind_the_late(app: Flask) -> bool:
    """Leave a notice for one of whose time a quarter is left; tell whether there was one."""
    with app.app_context():
        late = select(Place.id, Place.match_id).where(Place.remind_at <= now())
        found = db.session.execute(late.order_by(Place.remind_at).limit(1)).one_or_none()
        if found is None:
            return False
        with writing() as tx:
            match = seating.find(tx, found.match_id)
            place = tx.get_one(Place, found.id)
            if match is not None and place.remind_at is not None and place.remind_at <= now():
                place.remind_at = None
                _remind(tx, match, place)
        return True


def _remind(session: Session, match: Match, place: Place) -> None:
    """Leave the notice, once for each turn."""
    if place.user_id is None or place.bot or not place.on_turn:
        return
    this = {"user_id": place.user_id, "match_id": match.id, "event": NEAR, "version": match.version}
    if session.scalar(select(Notice.id).filter_by(**this)) is None:
        news = [(NEAR, place.user_id)]
        outbox.write(session.connection(), match.id, match.version, now(), [], news)


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
