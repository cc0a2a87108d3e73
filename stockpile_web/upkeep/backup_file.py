"""A backup as a file: what is in it, how it is written, and whether all of it is there.

It is a zip with `manifest.json`, the database (SQLite's file, or what pg_dump writes) and the keys
that lie in the instance folder. A zip has a checksum of everything in it.
"""

import os
import tomllib
import zipfile
import zlib
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from stockpile_web.settings import ROOT
from stockpile_web.upkeep import Refused

FORMAT = "stockpile-web backup"
SHAPE = 1

MANIFEST = "manifest.json"
DATABASE = "database"
KEYS = ("secret_key", "push_key")

Kind = Literal["sqlite", "postgresql"]
KIND_NAMES = {"sqlite": "SQLite", "postgresql": "Postgres"}


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup is of."""

    format: str = FORMAT
    shape: int = SHAPE  # Raised when an older version could not read it any more.
    version: str  # Of Stockpile Web.
    migration: str
    made_at: Annotated[datetime, msgspec.Meta(tz=True)]
    database: Kind
    keys: list[str]  # Which of the keys are in it; others were settings.


def own_version() -> str:
    """Return the version of this Stockpile Web."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return str(project["version"])


def write(file: Path, manifest: Manifest, database: Path, keys: Sequence[Path]) -> None:
    """Write a backup that only its owner may read, and see that it can be read again."""
    # A dump is compressed already. For the rest the quickest way saves most of what can be saved.
    packing = zipfile.ZIP_STORED if manifest.database == "postgresql" else zipfile.ZIP_DEFLATED
    descriptor = os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
    with os.fdopen(descriptor, "w+b") as opened:
        with zipfile.ZipFile(opened, "w", packing, compresslevel=1) as packed:
            packed.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
            packed.write(database, DATABASE)
            for key in keys:
                packed.write(key, key.name)
        opened.flush()
        os.fsync(descriptor)
    check(file)


def check(file: Path) -> Manifest:
    """Return what a backup is of; refuse what is none, or damaged."""
    try:
        with zipfile.ZipFile(file) as packed:
            manifest = msgspec.json.decode(packed.read(MANIFEST), type=Manifest)
            names = {MANIFEST, DATABASE, *manifest.keys}
            is_whole = packed.testzip() is None and set(packed.namelist()) == names
    except OSError as error:
        raise Refused(f"{file} cannot be read: {error.strerror or error}.") from None
    except (zipfile.BadZipFile, zlib.error, KeyError, EOFError, msgspec.MsgspecError):
        raise Refused(f"{file} is no backup of Stockpile Web, or not a whole one.") from None
    if manifest.format != FORMAT or not is_whole or not {*manifest.keys} <= {*KEYS}:
        raise Refused(f"{file} is no backup of Stockpile Web, or not a whole one.")
    if manifest.shape > SHAPE:
        raise Refused(
            f"{file} was made by version {manifest.version} of Stockpile Web, which is newer."
        )
    return manifest


def unpack(file: Path, folder: Path) -> None:
    """Lay out a backup that was checked in an empty folder of one's own."""
    with zipfile.ZipFile(file) as packed:
        for name in (DATABASE, *KEYS):
            if name in packed.namelist():
                path = Path(packed.extract(name, folder))
                path.chmod(0o600)
                sync(path)


def sync(path: Path) -> None:
    """See to it that a power cut takes nothing back of a file, or no new name of a folder."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
