"""How much programs may ask: counted in the database, but not one request at a time.

A process takes a batch of requests at once, so that looking does not write each time, and all
processes still count as one. While nothing can be written, requests pass uncounted: none of them
waits for that.
"""

from contextlib import suppress
from functools import partial

from stockpile_web.storage.cache import BoundedCache
from stockpile_web.web import busy
from stockpile_web.web.api.tokens import Token
from stockpile_web.web.rate_limits import Limit, TooMany, count, window_of

# Bots that play against each other without a pause come to about half of it.
OF_TOKEN = Limit("requests by token", 1200, 1)
OF_PERSON = Limit("requests by programs of a person", 2400, 1)
BATCH = 30

# What is left of the batch that this process has taken in a window, or for how long to wait.
_left: BoundedCache[list[None] | int] = BoundedCache(
    "api limits", 512 * 1024, lambda _left: 8 * BATCH
)


def count_request(token: Token) -> None:
    """Count a request; raise TooMany if there were too many in this window."""
    key = (token.key, window_of(OF_TOKEN))
    left = _left.get(key)
    if isinstance(left, int):
        raise TooMany(left)
    if left:
        with suppress(IndexError):  # Another thread may have taken the last one.
            left.pop()
            return
    busy.unless_locked(partial(_take_batch, token, key))


def _take_batch(token: Token, key: tuple[str, int]) -> None:
    try:
        count((OF_TOKEN, token.key), (OF_PERSON, str(token.owner.id)), amount=BATCH)
    except TooMany as refusal:
        _left.put(key, refusal.wait)
        raise
    _left.put(key, [None] * (BATCH - 1))
