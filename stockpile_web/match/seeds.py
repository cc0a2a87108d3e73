"""Where all chance of a match comes from: a seed that nobody could choose, and how it is checked.

When a table is made the server fixes a secret and shows its fingerprint. Everybody who sits down
sends a random number. The seed is a hash of all of them: the server could not choose it, since it
did not know the numbers when it fixed the secret, and the players could not, since they do not
know the secret. `docs/export.md` tells it to those who want to check it without this code.
"""

import re
import secrets
from collections.abc import Iterable
from hashlib import sha256

from stockpile_web.engine import Dealer

BROWSER, SERVER = "browser", "server"  # Where a player's number came from.

_NUMBER = re.compile(r"[0-9a-f]{64}")
# Chance by which seats are drawn: that of the move before the deal, which is move 0.
_SEATING = -1


def new_number() -> str:
    """Return 32 random bytes: a secret, or the number of somebody whose browser sent none."""
    return secrets.token_hex(32)


def is_number(text: str) -> bool:
    """Tell whether this is what a browser should have sent."""
    return _NUMBER.fullmatch(text) is not None


def fingerprint_of(secret: str) -> str:
    """Return what is shown of a secret before it may be known."""
    return sha256(secret.encode()).hexdigest()


def seed_of(secret: str, match_id: int, numbers: Iterable[str]) -> str:
    """Return the seed of a match: the numbers count in the order of their digits."""
    lines = [secret, str(match_id), *sorted(numbers)]
    return sha256("\n".join(lines).encode()).hexdigest()


def order_of(seed: str, count: int) -> list[int]:
    """Return who sits where: for each seat, the place in the waiting room from which they came."""
    places = list(range(count))
    Dealer(seed, _SEATING).shuffle(places)
    return places
