"""When the worker was last seen, as the time of a file in the instance folder.

Not in the database: every commit there makes pages be read anew.
"""

import time
from pathlib import Path

FILE = "worker_seen"
SILENT_SECONDS = 60.0  # After which it counts as gone; it is seen every few seconds.


def note(instance: Path) -> None:
    """Note that the worker is at work."""
    (instance / FILE).touch(mode=0o600)


def seconds_ago(instance: Path) -> float | None:
    """Return how many seconds ago the worker was seen; None if it never was."""
    try:
        return max(0.0, time.time() - (instance / FILE).stat().st_mtime)
    except OSError:
        return None
