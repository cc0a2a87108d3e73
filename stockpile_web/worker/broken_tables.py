"""Tables that cannot be carried on: none of them stops the worker, and each is told of once."""

import logging
import time
from datetime import timedelta

from flask import Flask
from sqlalchemy import select

from stockpile_web.match import broken
from stockpile_web.storage.models.matches import PLAYING, Match
from stockpile_web.storage.transactions import reading
from stockpile_web.storage.trouble import trouble_in

# Where it is not the table that is at fault, a seat is tried again after this.
AFTER_TROUBLE = timedelta(minutes=10)
REST_SECONDS = 5.0  # After trouble with the database.
AT_ONCE = 10  # Tables that are looked at between two looks at what is due.

log = logging.getLogger(__name__)


def pause_after(match_id: int, sentence: str) -> timedelta:
    """Say in the log what has just failed; return for how long to leave its table alone."""
    problem = broken.problem_of(reading(), match_id)
    if problem is not None:
        return broken.note(match_id, problem)
    log.exception("%s", sentence)
    return AFTER_TROUBLE


class LookThrough:
    """Looks once at each table where a match is played, and tells of broken ones.

    Without this nobody would be told where neither a clock nor a bot comes by. A table that meets
    trouble with the database keeps nobody waiting: it is looked at again after the others.
    """

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._last = 0
        self._again: list[int] = []
        self._again_at = 0.0
        self._is_done = False

    def go_on(self) -> None:
        """Look at some more of them, if there are any left."""
        if self._is_done:
            return
        with self._app.app_context():
            running = select(Match.id).where(Match.status == PLAYING, Match.id > self._last)
            numbers = list(reading().scalars(running.order_by(Match.id).limit(AT_ONCE)))
            self._is_done = not numbers and not self._again
            if not numbers and time.monotonic() >= self._again_at:
                numbers, self._again = self._again, []
            for place, number in enumerate(numbers, start=1):
                self._last = max(self._last, number)
                try:
                    _look_at(number)
                except Exception as error:
                    if trouble_in(error) is None:
                        log.exception("Match %s could not be looked at", number)
                        continue
                    self._again += numbers[place - 1 :]
                    self._last = max(self._last, *numbers)
                    self._again_at = time.monotonic() + REST_SECONDS
                    return


def _look_at(match_id: int) -> None:
    problem = broken.problem_of(reading(), match_id)
    if problem is not None:
        broken.note(match_id, problem)
