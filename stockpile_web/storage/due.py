"""When something is due: what is next in a queue of the worker, and when to try again."""

import random
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, func, select
from sqlalchemy.orm import InstrumentedAttribute

from stockpile_web.storage.database import now

FIRST_PAUSE, LONGEST_PAUSE = 10.0, 3600.0


def earliest(
    column: InstrumentedAttribute[Any], *which: ColumnElement[bool]
) -> ScalarSelect[datetime]:
    """Return the earliest moment in a column, as a query that finds it at the end of an index.

    Where a moment may be missing the index holds only those that are there, and the database uses
    it only if the question says so too.
    """
    return select(func.min(column)).where(column.is_not(None), *which).scalar_subquery()


def retry_at(attempts: int, wait: float = 0) -> datetime:
    """Return when to try again after this many attempts, and not before `wait` seconds."""
    pause = min(LONGEST_PAUSE, FIRST_PAUSE * 3 ** (attempts - 1))
    return now() + timedelta(seconds=max(wait, pause * random.uniform(0.8, 1.2)))
