"""Circuit breaker: hosts that have just let somebody wait, as far as this process knows.

When a service that many people use hangs, only the first few find out the slow way.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from stockpile_web.notify.lanes import SLOW_SECONDS

OPEN_FOR = 300.0
MOST = 1000

_lock = threading.Lock()
_slow_until: dict[str, float] = {}


def is_slow(host: str) -> bool:
    """Tell whether a host has let somebody wait and answered nobody since."""
    return _slow_until.get(host, 0) > time.monotonic()


@contextmanager
def timed(host: str) -> Iterator[None]:
    """Note how long the block waits for a host."""
    began = time.monotonic()
    try:
        yield
    finally:
        ended = time.monotonic()
        with _lock:
            _slow_until.pop(host, None)
            if ended - began > SLOW_SECONDS:
                _slow_until[host] = ended + OPEN_FOR
                if len(_slow_until) > MOST:
                    del _slow_until[next(iter(_slow_until))]  # The oldest.


def forget() -> None:
    """Forget all hosts."""
    with _lock:
        _slow_until.clear()
