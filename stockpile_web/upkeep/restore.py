"""Puts a backup back: checked first, then replaced in one step; what was there is kept."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from stockpile_web.settings import open_instance
from stockpile_web.storage.schema import migration_of, newest_migration
from stockpile_web.upkeep import Refused, backup_file, postgres, sqlite_file
from stockpile_web.upkeep.backup import kind_of, sqlite_path
from stockpile_web.upkeep.backup_file import DATABASE, KIND_NAMES, Manifest

ASK = "There is a database already. To put the backup in its place: ./run restore --replace FILE"


class Restored(NamedTuple):
    """What was put back, and where that lies now which was there before."""

    manifest: Manifest
    kept: list[str]


def restore(settings: Mapping[str, Any], file: Path, *, replace: bool) -> Restored:
    """Put a backup in the place of the site with these settings, which must not be running."""
    url, instance = settings["DATABASE_URL"], open_instance(settings["STOCKPILE_INSTANCE"])
    manifest = backup_file.check(file)
    _refuse_what_does_not_fit(manifest, url)
    stamp = datetime.now(UTC).strftime("%Y%m%d_%H%M%S_%f")
    try:
        # Beside what it replaces: only within one file system is that a single step.
        with TemporaryDirectory(prefix=".restore-", dir=_home_of(url, instance)) as name:
            folder = Path(name)
            backup_file.unpack(file, folder)
            if manifest.database == "sqlite":
                kept = _replace_file(sqlite_path(url), folder / DATABASE, stamp, replace)
            else:
                kept = _replace_schema(url, folder / DATABASE, stamp, replace)
            kept += [one for key in manifest.keys for one in _put_key(folder, key, instance, stamp)]
    except OSError as error:
        raise Refused(f"The backup cannot be put back: {error.strerror or error}.") from None
    return Restored(manifest, kept)


def _refuse_what_does_not_fit(manifest: Manifest, url: str) -> None:
    if manifest.migration > newest_migration():
        raise Refused(
            f"The backup was made by version {manifest.version} of Stockpile Web, which is newer: "
            "upgrade first."
        )
    if manifest.database != kind_of(url):
        theirs, ours = KIND_NAMES[manifest.database], KIND_NAMES[kind_of(url)]
        raise Refused(
            f"The backup is of {theirs}, and DATABASE_URL is of {ours}. Restore it to {theirs} and "
            "carry it over by ./run copy-database."
        )


def _home_of(url: str, instance: Path) -> Path:
    return sqlite_path(url).parent if kind_of(url) == "sqlite" else instance


def _replace_file(path: Path, new: Path, stamp: str, replace: bool) -> list[str]:
    sqlite_file.check(new)
    is_there = path.exists()
    if is_there and not replace:
        raise Refused(ASK)
    if is_there:
        sqlite_file.close(path)
    kept = path.with_name(f"{path.name}.before_{stamp}")
    sqlite_file.replace(path, new, kept)
    backup_file.sync(path.parent)
    return [str(kept)] if is_there else []


def _replace_schema(url: str, dump: Path, stamp: str, replace: bool) -> list[str]:
    postgres.check(dump)
    with postgres.connected(url) as connection:
        is_there = bool(migration_of(connection))
        if is_there and not replace:
            raise Refused(ASK)
        postgres.refuse_if_in_use(connection)
    keep_as = f"{postgres.KEPT}{stamp}" if is_there else ""
    postgres.restore(url, dump, keep_as)
    return [f"the schema {keep_as} of the database"] if is_there else []


def _put_key(folder: Path, key: str, instance: Path, stamp: str) -> list[str]:
    """Put a key into the instance folder; return where another one that was there is."""
    new, path = folder / key, instance / key
    if not path.exists():
        _move(new, path)
        return []
    if path.read_bytes() == new.read_bytes():
        return []
    kept = path.with_name(f"{key}.before_{stamp}")
    path.rename(kept)
    _move(new, path)
    return [str(kept)]


def _move(new: Path, path: Path) -> None:
    """Move a small file whole, to another file system if need be."""
    draft = path.with_name(f".{path.name}.new")
    draft.touch(mode=0o600)
    draft.write_bytes(new.read_bytes())
    backup_file.sync(draft)
    draft.replace(path)
