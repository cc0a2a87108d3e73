"""Suspended accounts: their people cannot sign in until an administrator lets them."""

from sqlalchemy import delete
from sqlalchemy.orm import Session

from stockpile_web.storage.database import now
from stockpile_web.storage.models.people import Device, ResetLink, User


class Suspended(Exception):
    """Somebody whose account is suspended wants to sign in."""


def suspend(tx: Session, user: User) -> None:
    """Sign somebody out everywhere, and let them in no more; what they own stays as it is.

    Their seats go on as those of the absent do: by the clock.
    """
    user.suspended_at = user.suspended_at or now()
    for kind in (Device, ResetLink):
        tx.execute(delete(kind).where(kind.user_id == user.id))


def lift(user: User) -> None:
    """Let somebody sign in again."""
    user.suspended_at = None
