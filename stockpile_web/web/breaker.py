"""Circuit breaker: while the database is known to be locked or away, nobody waits to be told so."""

import logging
import threading
import time
from typing import NamedTuple

from stockpile_web.storage.database import Away, Busy
from stockpile_web.storage.trouble import in_words

log = logging.getLogger(__name__)

REST_SECONDS = 0.5  # After which somebody may try what has just failed.
PROBE_SECONDS = 5.0  # By then whoever tries has had an answer: another one may try.
FORGET_SECONDS = 30.0  # Nobody has asked for it for so long: it may well be over.


class Trouble(NamedTuple):
    """What was met, when last, and when to try again."""

    kind: type[Busy]
    at: float
    try_at: float  # From when on one request may go and see.


class Breaker:
    """Remembers which requests have met trouble, by name: a kind of page, or what a form changes.

    Of one name one at a time tries again, in each process; all others are refused at once. So a
    lock that is held for long takes one thread, however many ask. What has met none goes on.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.troubles: dict[str, Trouble] = {}  # Empty while all is well: every request looks.
        self._since = 0.0

    def refusal(self, name: str) -> Busy | None:
        """Return what to tell whoever asks for this; None if they may, or are the one to try."""
        with self._lock:
            now = time.monotonic()
            self._keep({n: t for n, t in self.troubles.items() if now - t.at < FORGET_SECONDS})
            trouble = self.troubles.get(name)
            if trouble is None:
                return None
            if now < trouble.try_at:
                return trouble.kind()
            self.troubles[name] = trouble._replace(try_at=now + PROBE_SECONDS)
            return None

    def failed(self, name: str, error: Busy) -> None:
        """Note trouble: the first is written to the log, and not one line for each request."""
        with self._lock:
            now = time.monotonic()
            if not self.troubles:
                self._since = now
                what = "cannot be reached" if isinstance(error, Away) else "is locked"
                log.warning("The database %s: %s; pages that need it say so", what, in_words(error))
            self.troubles[name] = Trouble(type(error), now, now + REST_SECONDS)

    def passed(self, name: str, has_asked: bool) -> None:
        """Note that this has met no trouble; it proves nothing if the database was not asked."""
        with self._lock:
            trouble = self.troubles.get(name)
            if trouble is None:
                return
            if not has_asked:
                self.troubles[name] = trouble._replace(try_at=0.0)
                return
            others = {n: t for n, t in self.troubles.items() if n != name}
            if trouble.kind is Away:  # A database that is back is back for all.
                others = {n: t for n, t in others.items() if t.kind is not Away}
            self._keep(others)

    def _keep(self, troubles: dict[str, Trouble]) -> None:
        if self.troubles and not troubles:
            log.warning("The database answers again, after %.0f s", time.monotonic() - self._since)
        self.troubles = troubles
