"""Notes in the audit log, and reading it: who did what to an account or the site, and when."""

from datetime import timedelta
from typing import NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from stockpile_web.storage.database import now
from stockpile_web.storage.models.audit import Audit
from stockpile_web.storage.models.people import User

KEPT_FOR = timedelta(days=365)
NEWEST = 2**31 - 1  # No row comes after it.

# Each event, as the page says it.
EVENTS = {
    "signed up": "made an account",
    "signed in": "signed in",
    "signed out": "signed out on other devices",
    "password": "changed the password",
    "reset": "chose a new password by a link",
    "address": "changed the e-mail address",
    "confirmed": "confirmed the e-mail address",
    "token": "made a token for a program",
    "token revoked": "revoked a token",
    "deleted": "deleted the account",
    "report": "put a report away",
}


class Entry(NamedTuple):
    """A line of the log, with the name that its person has now."""

    row: Audit
    user: User

    @property
    def words(self) -> str:
        """What was done."""
        said = EVENTS.get(self.row.event, self.row.event)
        return f"{said}: {self.row.detail}" if self.row.detail else said


def note(session: Session, user_id: int, event: str, detail: str = "") -> None:
    """Note what somebody has done, in the transaction in which it is; forget what is too old."""
    assert event in EVENTS
    moment = now()
    session.execute(delete(Audit).where(Audit.at < moment - KEPT_FOR))
    session.add(Audit(at=moment, user_id=user_id, event=event, detail=detail[:100]))


def read(session: Session, most: int, *, before: int, user_id: int | None = None) -> list[Entry]:
    """Return the newest lines before a row, of everybody or of one person."""
    lines = select(Audit, User).join(User, User.id == Audit.user_id).where(Audit.id < before)
    if user_id is not None:
        lines = lines.where(Audit.user_id == user_id)
    found = session.execute(lines.order_by(Audit.id.desc()).limit(most))
    return [Entry(*row) for row in found]
