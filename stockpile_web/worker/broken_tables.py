"""Tables that cannot be carried on: none of them stops the worker, and each is told of once."""

import logging
from collections.abc import Iterator
from datetime import timedelta

from flask import Flask
from sqlalchemy import select

from stockpile_web.match import broken
from stockpile_web.storage.models.matches import PLAYING, Match
from stockpile_web.storage.transactions import reading

# Where it is not the table that is at fault, a seat is tried again after this.
AFTER_TROUBLE = timedelta(minutes=10)
AT_ONCE = 10  # Tables that are looked at between two looks at what is due.

log = logging.getLogger(__name__)


def pause_after(match_id: int, sentence: str) -> timedelta:
    """Say in the log what has just failed; return for how long to leave its table alone."""
    problem = broken.problem_of(reading(), match_id)
    if problem is not None:
        return broken.note(match_id, problem)
    log.exception("%s", sentence)
    return AFTER_TROUBLE


def look_through(app: Flask) -> Iterator[int]:
    """Look once at each table where a match is played, some at a time, and tell of broken ones.

    Without this nobody would be told where neither a clock nor a bot comes by.
    """
    last = 0
    while True:
        with app.app_context():
            running = select(Match.id).where(Match.status == PLAYING, Match.id > last)
            numbers = reading().scalars(running.order_by(Match.id).limit(AT_ONCE)).all()
            for number in numbers:
                problem = broken.problem_of(reading(), number)
                if problem is not None:
                    broken.note(number, problem)
        if not numbers:
            return
        last = numbers[-1]
        yield last
