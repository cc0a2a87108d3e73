"""Matches that are over: what was never noted of their results is, and their players are rated.

Matches are rated in the order in which they ended. What waits is a row, which goes in the
transaction that rates: so a match is rated once, and two workers take turns at a lock.
"""

import logging

from flask import Flask
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from stockpile_web.match import ratings, results
from stockpile_web.match.ratings import Belief
from stockpile_web.match.turn import changing
from stockpile_web.storage.database import now
from stockpile_web.storage.due import earliest
from stockpile_web.storage.models import Match, Rating, RatingChange, Reckoning, Seat
from stockpile_web.storage.transactions import advisory_lock, reading, writing
from stockpile_web.storage.trouble import trouble_in

NEXT = earliest(Reckoning.due_at)

log = logging.getLogger(__name__)


def reckon_next(app: Flask) -> bool:
    """Reckon the match that ended first of those that wait; tell whether there was one."""
    with app.app_context():
        due = select(Reckoning.match_id).where(Reckoning.due_at <= now())
        first = due.order_by(Reckoning.due_at, Reckoning.match_id).limit(1)
        match_id = reading().scalar(first)
        if match_id is None:
            return False
        _note_result(match_id)
        with writing() as tx:
            advisory_lock(tx, "ratings")
            waiting = tx.get(Reckoning, match_id)
            if waiting is not None:  # Otherwise another worker was faster.
                tx.delete(waiting)
                _rate(tx, match_id)
        return True


def _note_result(match_id: int) -> None:
    """Note how a match ended that was over before this was done at its end.

    One that cannot be read any more has no result: it is not tried again.
    """
    noted = select(Match.top_score).where(Match.id == match_id)
    if reading().scalar(noted) is not None:
        return
    try:
        with changing(match_id) as turn:
            result = turn.game.result(turn.state)
            if result is not None:
                results.note(turn.match, turn.seats, result)
    except Exception as error:  # Whatever an old state makes of the rules, others must not wait.
        if isinstance(error, SQLAlchemyError) or trouble_in(error):
            raise
        log.exception("The result of match %s cannot be read", match_id)


def _rate(tx: Session, match_id: int) -> None:
    match = tx.get_one(Match, match_id)
    if match.practice or match.started_at is None:
        return
    seats = tx.scalars(select(Seat).where(Seat.match_id == match_id, Seat.place.is_not(None)))
    places: dict[Rating, list[int]] = {}
    for seat in seats:
        rating = _rating_of(tx, match, seat)
        if rating is not None:
            places.setdefault(rating, []).append(seat.place or 0)
    if len(places) < 2:
        return
    entries = [(rating, place) for rating, won in places.items() for place in won]
    before = [Belief(rating.strength, rating.doubt) for rating, _ in entries]
    after = ratings.after_match(before, [place for _, place in entries])
    for rating, won in places.items():
        mine = [belief for (each, _), belief in zip(entries, after, strict=True) if each is rating]
        _change(tx, rating, _mean(mine), match_id, min(won))


def _rating_of(tx: Session, match: Match, seat: Seat) -> Rating | None:
    """Return whose rating a seat counts for: a bot's, or that of a person who wanted it in time."""
    if seat.substitute or match.started_at is None:
        return None
    if seat.user_id is not None:
        theirs = select(Rating).filter_by(user_id=seat.user_id, game=match.game)
        counts = theirs.where(Rating.on_since <= match.started_at)
        return tx.scalars(counts).one_or_none()
    its = tx.scalars(select(Rating).filter_by(bot=seat.bot, game=match.game)).one_or_none()
    if its is None and seat.bot:
        its = ratings.newcomer(match.game, bot=seat.bot)
        tx.add(its)
        tx.flush()
    return its


def _mean(beliefs: list[Belief]) -> Belief:
    """Return what is believed of a bot that had several seats."""
    count = len(beliefs)
    return Belief(sum(b.strength for b in beliefs) / count, sum(b.doubt for b in beliefs) / count)


def _change(tx: Session, rating: Rating, belief: Belief, match_id: int, place: int) -> None:
    rating.strength, rating.doubt = belief
    rating.at_least, rating.matches = belief.at_least, rating.matches + 1
    tx.add(
        RatingChange(
            rating_id=rating.id,
            number=rating.matches,
            match_id=match_id,
            place=place,
            strength=belief.strength,
            doubt=belief.doubt,
        )
    )
