"""The queue of mails about accounts: written by a request, leased to the worker that sends them."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, and_, delete, or_, select, update
from sqlalchemy.orm import Session

from stockpile_web.storage.database import now
from stockpile_web.storage.due import earliest
from stockpile_web.storage.models.people import AccountMail

# Longer than a mail server may take.
LEASE = timedelta(seconds=240)

# When there is a mail to send next.
NEXT = earliest(AccountMail.due_at)


def write(
    session: Session,
    kind: str,
    to: str,
    *,
    user_id: int | None = None,
    name: str = "",
    detail: str = "",
) -> None:
    """Leave a mail to be sent."""
    mail = AccountMail(kind=kind, to=to, user_id=user_id, name=name, detail=detail, due_at=now())
    session.add(mail)


def claim(session: Session, me: str) -> AccountMail | None:
    """Lease the mail that has waited longest to the worker `me`; it is a copy."""
    due = select(AccountMail).where(AccountMail.due_at <= now()).order_by(AccountMail.due_at)
    # SQLite: we are the only writer.
    mail = session.scalar(due.limit(1).with_for_update(skip_locked=True))
    if mail is not None:
        mail.lease, mail.due_at = me, now() + LEASE
        mail.attempts += 1
        session.flush()
        session.expunge(mail)
    return mail


def remove(session: Session, me: str, mail: AccountMail) -> None:
    """Take a mail off the queue."""
    session.execute(delete(AccountMail).where(_held(me, mail)))


def put_off(
    session: Session, me: str, mail: AccountMail, when: datetime, problem: str = ""
) -> None:
    """Give a mail back, to be tried again at `when`; say why it was not taken."""
    later = update(AccountMail).where(_held(me, mail))
    session.execute(later.values(lease=None, due_at=when, problem=problem[:200]))


def hurry(session: Session, mail_id: int) -> bool:
    """Have a mail tried now, unless a worker is at it; tell whether it was there."""
    this = update(AccountMail).where(_waits(mail_id)).values(due_at=now())
    return session.scalar(this.returning(AccountMail.id)) is not None


def drop(session: Session, mail_id: int) -> bool:
    """Let a mail not be sent, unless a worker is at it; tell whether it was there."""
    this = delete(AccountMail).where(_waits(mail_id)).returning(AccountMail.id)
    return session.scalar(this) is not None


def _waits(mail_id: int) -> ColumnElement[bool]:
    """Nobody has it, or whoever had it is late."""
    is_free = or_(AccountMail.lease.is_(None), AccountMail.due_at <= now())
    return and_(AccountMail.id == mail_id, is_free)


def _held(me: str, mail: AccountMail) -> ColumnElement[bool]:
    """Once our lease has run out, it is another's."""
    return and_(AccountMail.id == mail.id, AccountMail.lease == me)
