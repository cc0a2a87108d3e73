"""What is counted for the host, all of it; without METRICS_TOKEN counting does nothing.

Each process counts in files of its own (prometheus-client's multiprocess mode), so that whichever
is asked can add up all of them, the worker and those that have ended among them. Labels are names
that the code knows: never a path, a person, a table or an address.
"""

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PREFIX = "stockpile_web_"
FOLDER = "metrics"  # In the instance folder.

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
DELAYS = (1.0, 2.0, 5.0, 15.0, 60.0, 300.0, 3600.0)


class Metric:
    """Something counted; `inner` is the library's own, while there is one."""

    kind = "Counter"

    def __init__(self, name: str, about: str, *labels: str, **options: Any) -> None:
        self._name, self._about, self._labels = name, about, labels
        self._options = options
        self._inner: Any = None
        self.is_on = False

    def begin(self, library: Any) -> None:
        """Count from now on, by the classes of `library`; without one, count no more."""
        make = library and getattr(library, self.kind)
        arguments = (f"{PREFIX}{self._name}", self._about, self._labels)
        self.is_on = library is not None
        self._inner = make and make(*arguments, registry=None, **self._options)

    def _of(self, labels: Sequence[str]) -> Any:
        return self._inner.labels(*labels) if labels else self._inner


class Count(Metric):
    """A number that only grows."""

    def add(self, *labels: str, count: int = 1) -> None:
        if self._inner is not None:
            self._of(labels).inc(count)


class Seconds(Metric):
    """How long something took, as a histogram."""

    kind = "Histogram"

    def note(self, seconds: float, *labels: str) -> None:
        if self._inner is not None:
            self._of(labels).observe(seconds)


class Level(Metric):
    """A number as it is now; those of all processes that live are added up, unless told."""

    kind = "Gauge"

    def __init__(self, name: str, about: str, *labels: str, mode: str = "livesum") -> None:
        super().__init__(name, about, *labels, multiprocess_mode=mode)

    def set(self, value: float, *labels: str) -> None:
        if self._inner is not None:
            self._of(labels).set(value)


REQUESTS = Seconds(
    "request_seconds", "Answers, by route and class of status.", "route", "status",
    buckets=BUCKETS,
)  # fmt: skip
# By whom: a person or a bot, or the clock. What an order did counts as its owner's, as at the
# table, where nobody else is told.
MOVES = Count("moves", "Moves that were recorded.", "by")
REFUSED = Count("moves_refused", "Forms at a table that were refused.", "why")
BUSY = Count("database_busy", "Waits for a lock of the database that were given up.")
STREAMS = Level("streams", "Open pages that are brought what is new.")
QUEUED = Count("notices_queued", "Notices queued to be sent.", "channel")
SENT = Count("notices", "Attempts to send notices.", "channel", "outcome")
DELAY = Seconds(
    "notice_delay_seconds", "From what happened until the notice is taken.", "channel",
    buckets=DELAYS,
)  # fmt: skip
DUTY_RAN = Level(
    "duty_last_run_timestamp_seconds", "When a duty was last done.", "duty", mode="max"
)
DUTY_FAILED = Count("duty_failures", "How often a duty was given up.", "duty")
LOOKUPS = Count("cache_lookups", "What caches were asked for.", "cache", "result")
CACHED = Level("cache_bytes", "What caches hold.", "cache")

ALL: tuple[Metric, ...] = (
    REQUESTS, MOVES, REFUSED, BUSY, STREAMS, QUEUED, SENT, DELAY, DUTY_RAN, DUTY_FAILED, LOOKUPS,
    CACHED,
)  # fmt: skip


def begin(instance: Path) -> None:
    """Count from now on, in this process and in those that are forked from it."""
    # Only here: it takes two megabytes, and most sites do without.
    import prometheus_client
    from prometheus_client import values

    end()
    folder = instance / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    for file in folder.glob("*.db"):
        if not _is_running(file):
            file.unlink(missing_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)  # The library asks there.
    values.ValueClass = values.MultiProcessValue()  # type: ignore[no-untyped-call]
    for metric in ALL:
        metric.begin(prometheus_client)


def end() -> None:
    """Count no more."""
    from prometheus_client import values

    for metric in ALL:
        metric.begin(None)
    values.close_all_multiprocess_files()  # type: ignore[no-untyped-call]


def forget_the_dead(folder: Path) -> None:
    """Remove what processes that have ended said of how things are now; what they counted stays."""
    for file in folder.glob("gauge_live*.db"):
        if not _is_running(file):
            file.unlink(missing_ok=True)


def _is_running(file: Path) -> bool:
    """Tell whether the process still lives whose number ends the name of its file."""
    number = file.stem.rpartition("_")[2]
    with contextlib.suppress(PermissionError):  # It lives, under another account.
        try:
            os.kill(int(number), 0)
        except (ProcessLookupError, ValueError, OverflowError):
            return False
    return True
