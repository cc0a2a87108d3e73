"""Inserts that may find their row there already, as both databases have them."""

from importlib import import_module
from typing import Any

from sqlalchemy import Dialect

from stockpile_web.storage.database import Base


def insert_into(model: type[Base], dialect: Dialect) -> Any:
    """Return an insert that can be told what to do about a row that is there: `on_conflict_…`."""
    # Only the one in use: the other would take memory for nothing.
    return import_module(f"sqlalchemy.dialects.{dialect.name}").insert(model)
