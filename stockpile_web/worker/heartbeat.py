"""The worker's heartbeat: it counts up in memory that it shares with its keeper, which looks on."""

import mmap
import time

LONGEST_LOOK = 1.0  # Seconds that one look can add to a silence.


class Heartbeat:
    """Made before the fork; `beat` is the worker's, `silence` the keeper's."""

    def __init__(self) -> None:
        self._beats = memoryview(mmap.mmap(-1, 8)).cast("Q")
        self._heard = 0
        self._looked_at = time.monotonic()
        self._silence = 0.0

    def beat(self) -> None:
        """Say that the worker goes on."""
        self._beats[0] += 1

    def silence(self) -> float:
        """Return for how many seconds the keeper has looked and heard nothing.

        Not what a clock says: if a machine was frozen, both were, and the worker beats again soon.
        """
        moment, beats = time.monotonic(), self._beats[0]
        passed = min(moment - self._looked_at, LONGEST_LOOK)
        self._silence = 0.0 if beats != self._heard else self._silence + passed
        self._heard, self._looked_at = beats, moment
        return self._silence
