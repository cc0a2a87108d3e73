"""How many connections each process has, in memory that all of them share.

Whoever wakes up first would otherwise accept nearly all of a handful of busy keep-alive
connections, and the other processes would have nothing to do.
"""

import mmap
import time

SLOTS = 64
SILENT_SECONDS = 3.0  # A process that has not reported for this long is dead or hung: ignored.
SLACK = 8  # With n connections, n/8 more than another process has is fair enough.

# For each process its number of connections plus one (0: no process) and when it said so.
_shared = memoryview(mmap.mmap(-1, 16 * SLOTS)).cast("d")


def clear(age: int) -> None:
    """Note that the process of this age has ended."""
    _shared[2 * (age % SLOTS)] = 0.0


class Balance:
    """The entry of one process, and how it compares with the others."""

    def __init__(self, age: int, shared: "memoryview[float]" = _shared) -> None:
        self._shared = shared
        self._slot = 2 * (age % SLOTS)

    def report(self, connections: int) -> None:
        """Say how many connections this process has now."""
        self._shared[self._slot] = connections + 1
        self._shared[self._slot + 1] = time.monotonic()

    def is_ahead(self, connections: int) -> bool:
        """Tell whether a living process has clearly fewer connections than this one."""
        since = time.monotonic() - SILENT_SECONDS
        least = min(
            (
                int(self._shared[slot]) - 1
                for slot in range(0, len(self._shared), 2)
                if slot != self._slot and self._shared[slot] and self._shared[slot + 1] > since
            ),
            default=connections,
        )
        return connections > least + least // SLACK
