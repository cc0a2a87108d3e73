"""Backups by themselves: how they are called, and which of them are kept."""

import shutil
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from stockpile_web.upkeep import Refused, backup

# Longer than a backup takes: after this another worker makes it.
ABANDONED = timedelta(hours=2)

_NAMES = "backup-????????-??????.zip"


def make_next(settings: Mapping[str, Any]) -> Path:
    """Make a backup in the folder that the settings name, and remove those that are too many."""
    folder = Path(settings["BACKUPS"])
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _remove_unfinished(folder)
    except OSError as error:
        reason = error.strerror or error
        raise Refused(f"No backup can be written to {folder}: {reason}.") from None
    file = folder / datetime.now(UTC).strftime("backup-%Y%m%d-%H%M%S.zip")
    backup.make(settings, file)
    # Only now: as long as none can be made, none is removed. Never the new one: by its name it is
    # not the last if the clock was ahead once.
    others = [path for path in made_in(folder) if path != file]
    too_many = len(others) + 1 - settings["BACKUPS_KEPT"]
    for old in others[: max(0, too_many)]:
        old.unlink(missing_ok=True)
    return file


def made_in(folder: Path) -> list[Path]:
    """Return the backups that were made by themselves, the oldest first."""
    return sorted(folder.glob(_NAMES))


def _remove_unfinished(folder: Path) -> None:
    """Remove what a process that was killed has left."""
    for path in folder.glob(f"{backup.UNFINISHED}*"):
        if path.stat().st_mtime < time.time() - ABANDONED.total_seconds():
            shutil.rmtree(path, ignore_errors=True)
