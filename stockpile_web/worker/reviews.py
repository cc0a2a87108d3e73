"""How did I play? The coach looks through the decisions of a seat, a few at a time.

Between two slices all is written down, so whoever is killed loses one slice, and nobody waits long
for the worker. A slice holds nothing but a lease while the coach thinks.
"""

import logging
import time
from datetime import datetime, timedelta
from typing import NamedTuple

from flask import Flask
from sqlalchemy import ColumnElement, and_, delete, select, update
from sqlalchemy.exc import SQLAlchemyError

from stockpile_web.engine import Seat, codec
from stockpile_web.games import GAMES
from stockpile_web.match import review
from stockpile_web.match.perspective import is_open
from stockpile_web.match.review import Findings, coach_of
from stockpile_web.match.rows import read_match, read_seats
from stockpile_web.storage.database import now
from stockpile_web.storage.due import earliest
from stockpile_web.storage.models.history import Review
from stockpile_web.storage.transactions import reading, transaction
from stockpile_web.storage.trouble import trouble_in

SLICE = 0.4  # Seconds of CPU, and one decision more.
LEASE = timedelta(seconds=30)
MOST_TRIES = 3  # Whatever ends a worker so often without any progress is not tried again.

NEXT = earliest(Review.due_at)

log = logging.getLogger(__name__)


class Leased(NamedTuple):
    """A review that this worker is at."""

    match_id: int
    seat: Seat
    edition: str
    asked_at: datetime
    judged: int
    found: str
    until: datetime


def look_on(app: Flask) -> bool:
    """Do a slice of the review that was asked for first; tell whether there was one."""
    with app.app_context():
        leased = _lease()
        if leased is None:
            return False
        try:
            _do_slice(leased)
        except Exception as error:  # Whatever is wrong with this one, the others must not wait.
            if isinstance(error, SQLAlchemyError) or trouble_in(error):
                raise
            log.exception("Seat %s of match %s cannot be reviewed", leased.seat, leased.match_id)
            _write(leased, due_at=None)
        return True


def _lease() -> Leased | None:
    """Take on the review that was asked for first, so that no other worker does."""
    with transaction() as connection:
        due = select(*Review.__table__.c).where(Review.due_at <= now())
        first = due.order_by(Review.due_at).limit(1).with_for_update(skip_locked=True)
        row = connection.execute(first).one_or_none()
        if row is None:
            return None
        until = now() + LEASE
        leased = Leased(
            row.match_id, row.seat, row.edition, row.asked_at, row.judged, row.found, until
        )
        is_hopeless = row.tries >= MOST_TRIES
        values = {"due_at": None if is_hopeless else until, "tries": row.tries + 1}
        connection.execute(update(Review).where(_is(leased)).values(values))
    if is_hopeless:
        log.error("Seat %s of match %s: its review was given up", row.seat, row.match_id)
        return None
    return leased


def _do_slice(leased: Leased) -> None:
    match = read_match(reading(), leased.match_id)
    coach = coach_of(GAMES[match.game]) if match else None
    is_stale = match is None or not is_open(match) or review.edition(match) != leased.edition
    if match is None or coach is None or is_stale:
        with transaction() as connection:  # It was played on, or begun by another coach.
            connection.execute(delete(Review).where(_is(leased)))
        return
    seat = read_seats(reading(), match.id)[leased.seat]
    moves = review.moves_of(reading(), match, seat)
    findings: Findings = codec.load(Findings, leased.found)
    judged, begun = leased.judged, time.thread_time()
    for decision in review.judge(reading(), match, leased.seat, moves[judged:]):
        judged += 1
        findings.note(decision, coach.clearly)
        if time.thread_time() - begun > SLICE:
            break
    is_done = judged >= len(moves)
    _write(
        leased,
        judged=judged,
        total=len(moves),
        tries=0,
        found=codec.dump(findings),
        # Whoever asked first stays the first.
        due_at=None if is_done else leased.asked_at,
        done_at=now() if is_done else None,
    )


def _write(leased: Leased, **values: object) -> None:
    """Write down how far it is, unless the lease has ended and another worker is at it."""
    with transaction() as connection:
        mine = update(Review).where(_is(leased), Review.due_at == leased.until)
        connection.execute(mine.values(values))


def _is(leased: Leased) -> ColumnElement[bool]:
    return and_(Review.match_id == leased.match_id, Review.seat == leased.seat)
