"""Time that runs out: a turn is played for whoever is late, after a reminder.

Whoever is at a match holds it, and looks first whether there is still something to do: so two
workers never do the same.
"""

import logging
from datetime import timedelta

from flask import Flask
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from stockpile_web import live
from stockpile_web.engine import Event, Seat
from stockpile_web.match import absence, seating
from stockpile_web.match.turn import Playing
from stockpile_web.storage import outbox
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models.matches import CLOCK, MISSED, Match, Place
from stockpile_web.storage.models.notices import NEAR, Notice
from stockpile_web.storage.transactions import writing

# A seat for which nobody could play is tried again after this.
AFTER_TROUBLE = timedelta(minutes=10)
# What a stand-in does in one turn at the most; no rules of ours come near it.
LONGEST_TURN = 200

NEXT_DEADLINE = select(func.min(Place.deadline_at)).scalar_subquery()
NEXT_REMINDER = select(func.min(Place.remind_at)).scalar_subquery()

log = logging.getLogger(__name__)


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
