"""Guests: people who play before they have an account; a cookie is all that they have.

A guest is a row of `user` with `guest_until`, and without a password. Their names have a space,
which no account's has: so nobody can be taken for a guest, nor a guest for anybody.
"""

import secrets
from datetime import timedelta

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from stockpile_web.people import Database
from stockpile_web.storage import names
from stockpile_web.storage.database import now
from stockpile_web.storage.models.people import NOBODY, Device, User
from stockpile_web.storage.transactions import advisory_lock

MOST_GUESTS = 2000  # Within two weeks, on the whole site: each has some tables.
STAYS = timedelta(days=14)  # Without being seen.
MARK = " (guest)"
LONGEST_NAME = names.LONGEST - len(MARK)  # Of one that a guest has chosen.


class Full(Exception):
    """There are as many guests as this site takes."""


class Taken(Exception):
    """Another guest has this name."""


def make(tx: Session, chosen: str = "", time_zone: str = "UTC") -> User:
    """Make a guest with the tidy name that they have chosen, or with a number for one."""
    advisory_lock(tx, "sign up")  # Of two who come at once, one has the name.
    if is_full(tx):
        raise Full
    name = f"{chosen}{MARK}" if chosen else _free_name(tx)
    if chosen and _is_taken(tx, name):
        raise Taken
    moment = now()
    guest = User(
        **names.columns(name),
        time_zone=time_zone,
        profile_for=NOBODY,
        created_at=moment,
        guest_until=moment + STAYS,
    )
    tx.add(guest)
    tx.flush()
    return guest


def stay(tx: Session, user_id: int) -> None:
    """Note that a guest was seen: they may stay for another while."""
    is_here = (User.id == user_id, User.guest_until.is_not(None), User.deleted_at.is_(None))
    tx.execute(update(User).where(*is_here).values(guest_until=now() + STAYS))


def rename(tx: Session, user_id: int, chosen: str) -> None:
    """Let a guest have the tidy name that they have chosen."""
    advisory_lock(tx, "sign up")
    guest, name = tx.get_one(User, user_id), f"{chosen}{MARK}"
    if not guest.is_guest or guest.name == name:
        return
    if _is_taken(tx, name):
        raise Taken
    for column, value in names.columns(name).items():
        setattr(guest, column, value)


def begin_to_remove(tx: Session, user_id: int) -> bool:
    """Let a guest who was not seen for long come back no more; False if they were, after all."""
    is_due = (User.id == user_id, User.guest_until <= now())
    going = update(User).where(*is_due).values(deleted_at=now()).returning(User.id)
    if tx.scalar(going) is None:
        return False
    tx.execute(delete(Device).where(Device.user_id == user_id))
    return True


def is_full(database: Database) -> bool:
    """Tell whether there are as many guests as this site takes."""
    guests = select(func.count()).where(User.guest_until.is_not(None))
    return (database.scalar(guests) or 0) >= MOST_GUESTS


def chosen_name(name: str) -> str:
    """Return the name that a guest has chosen; empty if they have none but a number."""
    return name.removesuffix(MARK) if name.endswith(MARK) else ""


def looks_like_guest(name: str) -> bool:
    """Tell whether a name that an account could have reads as that of a guest with a number."""
    looks = set(names.looks_of("guest"))
    rest = name[len("guest") :]
    return not looks.isdisjoint(names.looks_of(name[: len("guest")])) and not any(
        letter.isalpha() for letter in rest
    )


def _free_name(tx: Session) -> str:
    while _is_taken(tx, name := f"Guest {1000 + secrets.randbelow(9000)}"):
        pass
    return name


def _is_taken(tx: Session, name: str) -> bool:
    return tx.scalar(select(User.id).where(User.name_key == names.key_of(name))) is not None
