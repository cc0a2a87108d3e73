"""How often something may be tried: counted in the database, so that all processes count as one."""

import hashlib
import time
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

from flask import request
from sqlalchemy import Insert, delete, update

from stockpile_web.storage.database import db
from stockpile_web.storage.models import Attempt
from stockpile_web.storage.transactions import writing
from stockpile_web.storage.upserts import insert_into
from stockpile_web.web import busy


class TooMany(Exception):
    """It has been tried too often; `wait` says for how many minutes."""

    def __init__(self, wait: int) -> None:
        super().__init__(f"Try again in {wait} minutes.")
        self.wait = wait


@dataclass(frozen=True)
class Limit:
    """At most `most` tries of one kind in each window of `minutes`."""

    kind: str
    most: int
    minutes: int


# By the name or address that was typed, each by itself: one count for both would tell that they
# belong together.
PASSWORD_OF_ACCOUNT = Limit("password of account", 10, 15)
# Of somebody who is signed in: what strangers try must not keep them from changing it.
PASSWORD_ASKED_AGAIN = Limit("password asked again", 10, 15)
PASSWORD_FROM_ADDRESS = Limit("password from address", 30, 15)
SIGN_UP = Limit("sign up", 20, 60)
CONFIRM_OF_ACCOUNT = Limit("confirmation of account", 5, 60)
CONFIRM_TO_ADDRESS = Limit("confirmation to address", 3, 60)
RESET_OF_ACCOUNT = Limit("reset of account", 3, 60)
# As many as accounts may share an address: who asks for it once is told of each of them.
RESET_TO_ADDRESS = Limit("reset to address", 5, 60)
RESET_FROM_ADDRESS = Limit("reset from address", 10, 60)


def count(*tries: tuple[Limit, str], amount: int = 1) -> None:
    """Count one try of each, or so many; raise TooMany if any has been tried too often.

    A try is counted before its outcome is known: otherwise many at once would all be let in.
    """
    wait = 0
    with busy.aside(), writing() as tx:
        for limit, whose in tries:
            window = window_of(limit)
            made = tx.scalar(_more(_key(limit, whose), window, amount))
            if made == amount:
                # An idle counter says nothing; two days are longer than any window.
                tx.execute(delete(Attempt).where(Attempt.window < window - 2 * 24 * 60))
            if made is not None and made > limit.most:
                wait = max(wait, window + limit.minutes - _minute())
    if wait:
        raise TooMany(wait)


def forgive(limit: Limit, whose: str, *, all_of_them: bool = False) -> None:
    """Take back the last try, which turned out right, or all of this window."""
    counter = (Attempt.key == _key(limit, whose)) & (Attempt.window == window_of(limit))
    with busy.aside(), writing() as tx:
        if all_of_them:
            tx.execute(delete(Attempt).where(counter))
        else:
            tx.execute(update(Attempt).where(counter).values(count=Attempt.count - 1))


def address() -> str:
    """Return where the request comes from: of IPv6 the network, since each has a great many."""
    try:
        found = ip_address((request.remote_addr or "").partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(IPv6Address(int(found) >> 64 << 64))
    return str(found)


def _more(key: str, window: int, amount: int) -> Insert:
    values = {"key": key, "window": window, "count": amount}
    counted: Insert = (
        insert_into(Attempt, db.engine.dialect)
        .values(values)
        .on_conflict_do_update(
            index_elements=["key", "window"], set_={"count": Attempt.count + amount}
        )
    )
    return counted.returning(Attempt.count)


def _key(limit: Limit, whose: str) -> str:
    # What was typed as a name may be a password: it is not kept.
    return hashlib.sha256(f"{limit.kind}:{whose}".encode()).hexdigest()


def _minute() -> int:
    return int(time.time()) // 60


def window_of(limit: Limit) -> int:
    """Return the minute in which the present window began."""
    return _minute() // limit.minutes * limit.minutes
