"""Makes a backup of a site while it runs: of its database, and of the keys beside it."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import make_url

from stockpile_web.storage.schema import migration_of
from stockpile_web.upkeep import Refused, backup_file, postgres, sqlite_file
from stockpile_web.upkeep.backup_file import DATABASE, KEYS, Kind, Manifest

# What is not done yet lies in a folder with such a name, beside where the backup is to be.
UNFINISHED = ".unfinished-backup-"


def make(settings: Mapping[str, Any], file: Path) -> Manifest:
    """Make a backup of the site with these settings; there is no `file` until it is whole."""
    _refuse_to_overwrite(file)
    try:
        with TemporaryDirectory(prefix=UNFINISHED, dir=file.parent) as folder:
            draft = Path(folder, "backup.zip")
            manifest = _write(settings, draft, Path(folder, DATABASE))
            _refuse_to_overwrite(file)  # It may have taken a while.
            draft.rename(file)
        backup_file.sync(file.parent)
    except OSError as error:
        reason = error.strerror or error
        raise Refused(f"No backup can be written to {file.parent}: {reason}.") from None
    return manifest


def kind_of(url: str) -> Kind:
    """Return the kind of database at an address."""
    return "sqlite" if url.startswith("sqlite") else "postgresql"


def sqlite_path(url: str) -> Path:
    """Return where SQLite's database lies."""
    return Path(str(make_url(url).database))


def _write(settings: Mapping[str, Any], draft: Path, copy: Path) -> Manifest:
    url = settings["DATABASE_URL"]
    kind = kind_of(url)
    made_at = datetime.now(UTC)
    if kind == "sqlite":
        sqlite_file.copy(sqlite_path(url), copy)
        migration = sqlite_file.check(copy)
    else:
        with postgres.connected(url) as connection:
            migration = migration_of(connection)
        postgres.dump(url, copy)
        postgres.check(copy)
    keys = [path for name in KEYS if (path := Path(settings["STOCKPILE_INSTANCE"], name)).exists()]
    manifest = Manifest(
        version=backup_file.own_version(),
        migration=migration,
        made_at=made_at,
        database=kind,
        keys=[path.name for path in keys],
    )
    backup_file.write(draft, manifest, copy, keys)
    return manifest


def _refuse_to_overwrite(file: Path) -> None:
    if file.exists():
        raise Refused(f"{file} is there already; give the backup another name.")
