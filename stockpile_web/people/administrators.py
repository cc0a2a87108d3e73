"""Who administers the site: never nobody, as long as anybody has an account."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from stockpile_web.people import Database
from stockpile_web.storage.models.people import User
from stockpile_web.storage.transactions import advisory_lock


class LastOne(Exception):
    """Without this person nobody would administer the site; the message says what to do first."""

    def __init__(self) -> None:
        super().__init__(
            "Nobody else administers this site: make somebody else an administrator first."
        )


def is_last(database: Database, user_id: int) -> bool:
    """Tell whether somebody is the only one left who administers the site."""
    able = select(User.id).where(User.is_admin, User.suspended_at.is_(None))
    return list(database.scalars(able.order_by(User.id).limit(2))) == [user_id]


def must_not_be_last(tx: Session, user_id: int) -> None:
    """Raise LastOne if nobody else administers the site; of two who go at once, one stays."""
    advisory_lock(tx, "administrators")
    if is_last(tx, user_id):
        raise LastOne


def step_down(tx: Session, user: User) -> None:
    """Let somebody administer the site no more."""
    must_not_be_last(tx, user.id)
    user.is_admin = False


def must_be_free_to_go(tx: Session, user_id: int) -> None:
    """Raise LastOne if somebody cannot go for good; whoever has the only account may always."""
    others = (User.deleted_at.is_(None), User.guest_until.is_(None), User.id != user_id)
    if tx.scalar(select(User.id).where(*others).limit(1)) is not None:
        must_not_be_last(tx, user_id)
