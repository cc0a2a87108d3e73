"""Notes in the audit log, and reading it: who did what to an account or the site, and when."""

from datetime import timedelta
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, or_, select
from sqlalchemy.orm import Session, aliased

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
    "passkey added": "added a passkey",
    "passkey removed": "removed a passkey",
    "token": "made a token for a program",
    "token revoked": "revoked a token",
    "deleted": "deleted the account",
    "report": "put a report away",
    "suspended": "suspended the account",
    "lifted": "lifted the suspension",
    "link sent": "sent a link for a new password",
    "link made": "made a link for a new password, to pass on",
    "renamed": "changed the name",
    "removed": "deleted the account",
    "made administrator": "made an administrator",
    "administers no more": "took the rights of an administrator away",
    "paused": "paused a table",
    "went on": "let a table go on",
    "ended": "ended a table",
    "bot": "left a seat to a bot",
    "opened": "opened a seat to a substitute",
    "set back": "set a broken table back",
    "tried again": "had a message tried again",
    "dropped": "dropped a message",
}


class Entry(NamedTuple):
    """A line of the log, with the name that its person has now."""

    row: Audit
    user: User
    about: User | None  # To whose account it was done, if not to their own.

    @property
    def words(self) -> str:
        """What was done."""
        said = EVENTS.get(self.row.event, self.row.event)
        told = [self.about.display_name] if self.about else []
        told += [self.row.detail] if self.row.detail else []
        return f"{said}: {', '.join(told)}" if told else said


def note(
    database: Session | Connection,
    user_id: int,
    event: str,
    detail: str = "",
    *,
    about: int | None = None,
) -> None:
    """Note what somebody has done, in the transaction in which it is; forget what is too old.

    `about` is the person to whose account it was done, by an administrator.
    """
    assert event in EVENTS
    moment = now()
    database.execute(delete(Audit).where(Audit.at < moment - KEPT_FOR))
    line = {"at": moment, "user_id": user_id, "event": event, "detail": detail[:100]}
    database.execute(insert(Audit).values(**line, about_id=about))


def read(session: Session, most: int, *, before: int, user_id: int | None = None) -> list[Entry]:
    """Return the newest lines before a row: all, or what one person did or was done to them."""
    about = aliased(User)
    lines = (
        select(Audit, User, about)
        .join(User, User.id == Audit.user_id)
        .outerjoin(about, about.id == Audit.about_id)
        .where(Audit.id < before)
    )
    if user_id is not None:
        lines = lines.where(or_(Audit.user_id == user_id, Audit.about_id == user_id))
    found = session.execute(lines.order_by(Audit.id.desc()).limit(most))
    return [Entry(*row) for row in found]
