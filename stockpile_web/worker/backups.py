"""Backups by themselves, where the setting BACKUPS names a folder for them."""

import logging
from datetime import UTC, datetime, timedelta

from flask import Flask
from sqlalchemy import func, literal, select

from stockpile_web.storage.database import Moment, now
from stockpile_web.storage.models.upkeep import ONLY, ScheduledBackup
from stockpile_web.storage.transactions import advisory_lock, writing
from stockpile_web.upkeep import Refused

AFTER_TROUBLE = timedelta(hours=1)
LEASE = timedelta(hours=2)  # Longer than any backup takes.

# As long as there is no row, the first one is due.
_LONG_AGO = literal(datetime(2000, 1, 1, tzinfo=UTC), Moment())
NEXT = select(func.coalesce(func.min(ScheduledBackup.due_at), _LONG_AGO)).scalar_subquery()

log = logging.getLogger(__name__)


def make_next(app: Flask) -> bool:
    """Make a backup if one is due and nobody else is at it; tell that there is no other."""
    with app.app_context():
        from stockpile_web.upkeep import schedule  # Here: hardly any process ever needs it.

        began = now()
        if not _lease(began):
            return False
        try:
            file = schedule.make_next(app.config)
        except Refused as reason:
            _note_problem(str(reason))
            return False
        every = timedelta(hours=app.config["BACKUP_HOURS"])
        size = file.stat().st_size
        with writing() as tx:
            row = tx.get_one(ScheduledBackup, ONLY)
            row.due_at, row.problem = began + every, ""
            row.made_at, row.file, row.size = began, str(file), size
        log.info("Backup made: %s", file)
        return False


def _lease(moment: datetime) -> bool:
    """Take the next backup on, so that no other worker does."""
    with writing() as tx:
        advisory_lock(tx, "backups")
        row = tx.get(ScheduledBackup, ONLY)
        if row is None:
            row = ScheduledBackup(id=ONLY, due_at=moment)
            tx.add(row)
        elif row.due_at > moment:
            return False
        row.due_at = moment + LEASE
        return True


def _note_problem(reason: str) -> None:
    """Keep for the administrator why there is no backup; say it once in the log."""
    with writing() as tx:
        row = tx.get_one(ScheduledBackup, ONLY)
        row.due_at = min(row.due_at, now() + AFTER_TROUBLE)
        is_news = row.problem != reason
        row.problem = reason
    if is_news:
        log.error("No backup could be made: %s It is tried again every hour.", reason)
