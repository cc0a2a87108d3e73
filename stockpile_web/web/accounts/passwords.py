"""Passwords: kept as argon2 hashes, checked at the same pace for people who do not exist."""

import gzip
import threading
from pathlib import Path

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from flask import current_app

SHORTEST = 8
LONGEST = 200
# 8,354 of the 20,000 most common ones, compiled by Royce Williams, as Django ships them; Django's
# licence (BSD) stands at the head of the list.
_COMMON = Path(__file__).with_name("common_passwords.txt.gz")

# Each check takes 19 MiB and a core for 22 ms: a flood of them must not take the server down.
_at_once = threading.BoundedSemaphore(2)


def hash_password(password: str) -> str:
    """Return what the database keeps of `password`."""
    with _at_once:
        return _hasher().hash(password)


def is_right(kept: str | None, password: str) -> bool:
    """Tell whether `kept` was made of `password`; with nothing kept it takes as long to say no."""
    with _at_once:
        try:
            return _hasher().verify(kept or _nobody(), password) and kept is not None
        except (VerificationError, InvalidHashError):
            return False


def is_outdated(kept: str) -> bool:
    """Tell whether `kept` was made at another cost than today's."""
    return _hasher().check_needs_rehash(kept)


def what_is_wrong_with(password: str) -> str | None:
    """Say why `password` cannot be a new password, or None if it can."""
    if len(password) < SHORTEST:
        return f"Use at least {SHORTEST} characters."
    if len(password) > LONGEST:
        return f"Use at most {LONGEST} characters."
    if is_common(password):
        return "Many people have this one, so it is guessed first. Take a few words of your own."
    return None


def is_common(password: str) -> bool:
    """Tell whether `password` is among those that are tried first."""
    # Read anew each time: it is rarely asked, and would take a megabyte of every process.
    return f"\n{password.casefold()}\n".encode() in gzip.decompress(_COMMON.read_bytes())


def _hasher() -> PasswordHasher:
    memory = current_app.config.get("ARGON2_MEMORY", 19456)  # KiB; tests ask for less.
    return PasswordHasher(time_cost=2, memory_cost=memory, parallelism=1)


def _nobody() -> str:
    """Return a hash that no password has."""
    costs = _hasher()
    salt_and_hash = "c3RvY2twaWxlc3RvY2twaQ$" + "A" * 43
    return f"$argon2id$v=19$m={costs.memory_cost},t={costs.time_cost},p=1${salt_and_hash}"
