"""The instance folder: who may read it, whether its keys are keys, and room on the disk."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from stockpile_web.notify import webpush
from stockpile_web.settings import ANY_TEXT, PUSH_PAIR, BadSetting, stored_secret
from stockpile_web.upkeep.backup import kind_of, sqlite_path
from stockpile_web.upkeep.doctor import Check, Finding, Settings

SHORT = 32  # A secret with fewer letters can be guessed.
LITTLE_ROOM = 200 * 1000 * 1000


def folder(settings: Settings) -> Iterator[Finding]:
    """Everything that is kept lies there."""
    path = Path(settings["STOCKPILE_INSTANCE"])
    if not path.exists():
        yield Finding("note", "folder", f"{path} is not there yet; ./run makes it.")
    elif not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        yield Finding("WRONG", "folder", f"{path} cannot be written to by this account.")
    else:
        yield Finding("ok", "folder", f"{path} can be written to.")


def modes(settings: Settings) -> Iterator[Finding]:
    """Whoever can read the database sees all cards, and whoever has a key is anybody."""
    instance = Path(settings["STOCKPILE_INSTANCE"])
    paths = [instance / "secret_key", instance / "push_key"]
    if kind_of(settings["DATABASE_URL"]) == "sqlite":
        paths.append(sqlite_path(settings["DATABASE_URL"]))
    there = [path for path in paths if path.exists()]
    open_files = [path for path in there if _others_can_read(path)]
    for path in open_files:
        yield Finding("WRONG", "file modes", f"others can read {path}: chmod 600 {path}")
    for path in there:
        if path.stat().st_uid != instance.stat().st_uid:
            yield Finding(
                "WRONG",
                "file modes",
                f"{path} belongs to another account than its folder: chown it, and start the "
                "server always as the same account.",
            )
    if there and not open_files:
        yield Finding("ok", "file modes", "nobody else can read the keys and the database.")


def keys(settings: Settings) -> Iterator[Finding]:
    """A site without its keys signs everybody out, and has no pushes."""
    instance = Path(settings["STOCKPILE_INSTANCE"])
    for name, looks in (("secret_key", ANY_TEXT), ("push_key", PUSH_PAIR)):
        setting, path = name.upper(), instance / name
        if not settings[setting] and not path.exists():
            yield Finding("note", name, f"{path} is not there yet; ./run makes it.")
            continue
        try:
            key = settings[setting] or stored_secret(path, str, looks)
            if name == "push_key":
                webpush.signature(key, "https://push.invalid/", "mailto:nobody@example.org")
        except BadSetting as problem:
            yield Finding("WRONG", name, str(problem))
        except ValueError:
            yield Finding("WRONG", name, f"{setting} is no key: put it back from a backup.")
        else:
            yield _length(name, key)


def disk(settings: Settings) -> Iterator[Finding]:
    """A full disk loses nothing, but nobody can move."""
    folders = {Path(settings["STOCKPILE_INSTANCE"])}
    if kind_of(settings["DATABASE_URL"]) == "sqlite":
        folders.add(sqlite_path(settings["DATABASE_URL"]).parent)
    if settings["BACKUPS"]:
        folders.add(Path(settings["BACKUPS"]))
    for path in sorted(folders):
        if path.exists():
            free = shutil.disk_usage(path).free
            text = f"{free / 1e9:.1f} GB are free where {path} lies"
            if free < LITTLE_ROOM:
                yield Finding("WRONG", "disk", f"{text}; make room.")
            else:
                yield Finding("ok", "disk", f"{text}.")


def _others_can_read(path: Path) -> bool:
    """Tell whether other accounts get at a file, past the folder it lies in."""
    return bool(path.stat().st_mode & 0o044 and path.parent.stat().st_mode & 0o011)


def _length(name: str, key: str) -> Finding:
    if len(key) < SHORT:
        text = f"it has only {len(key)} letters and can be guessed: use {SHORT} or more, at random."
        return Finding("WRONG", name, text)
    return Finding("ok", name, "it is a key.")


CHECKS: tuple[Check, ...] = (folder, modes, keys, disk)
