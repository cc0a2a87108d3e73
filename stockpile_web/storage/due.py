"""When something is due next: the question that the worker asks of each of its queues."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, func, select
from sqlalchemy.orm import InstrumentedAttribute


def earliest(
    column: InstrumentedAttribute[Any], *which: ColumnElement[bool]
) -> ScalarSelect[datetime]:
    """Return the earliest moment in a column, as a query that finds it at the end of an index.

    Where a moment may be missing the index holds only those that are there, and the database uses
    it only if the question says so too.
    """
    return select(func.min(column)).where(column.is_not(None), *which).scalar_subquery()
