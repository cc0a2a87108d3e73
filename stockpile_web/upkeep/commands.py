"""The commands of `./run` that look after a site."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from flask import Flask

from stockpile_web.settings import BadSetting, read_settings
from stockpile_web.upkeep import Refused

NEEDS_SETTING = {"secret_key": "SECRET_KEY", "push_key": "PUSH_KEY"}


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
def backup(file: Path) -> None:
    """Save the site as FILE, also while the server runs."""
    from stockpile_web.upkeep import backup as backups  # Here, for other commands need none of it.

    with one_line():
        manifest = backups.make(_settings(), file)
    size = file.stat().st_size / 1_000_000
    print(f"Saved as {file}: {size:.1f} MB, database at migration {manifest.migration}.")
    print(
        "It holds every secret of the site, also its keys: keep it where nobody else can read it."
    )
    _tell_of_settings(manifest.keys, "is not in it, if it is a setting: keep that, too")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Put it in the place of the database that is there.")
@click.pass_obj
def restore(ready_app: Callable[[], Flask], file: Path, replace: bool) -> None:
    """Put a backup back while the server is stopped; what was there is kept."""
    from stockpile_web.upkeep import restore as restoring

    with one_line():
        done = restoring.restore(_settings(), file, replace=replace)
    tables = _give_time_anew(ready_app())
    print(f"Restored as it was at {done.manifest.made_at:%Y-%m-%d %H:%M} UTC.")
    print(f"Whoever is asked has their whole time again, at {tables} tables.")
    for kept in done.kept:
        print(f"What was there before is kept: {kept}")
    _tell_of_settings(done.manifest.keys, "was not in it: if it was a setting, give it again")
    print("Now start the server: ./run. When all is well, remove what was kept.")


@click.command("copy-database")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def copy_database(source: str, target: str) -> None:
    """Carry all rows FROM one database TO another; both are addresses like DATABASE_URL.

    The server must be stopped, and the other database empty.
    """
    from stockpile_web.upkeep import copying

    with one_line():
        counted = copying.copy(_settings(source), _settings(target))
    print(f"Copied {sum(counted.values())} rows of {len(counted)} tables, counted on both sides.")
    print("Now start the server with the new address as DATABASE_URL, and with the same keys.")


@click.command()
def doctor() -> None:
    """Say what is wrong with the site, and what to do about it; nothing is changed."""
    from stockpile_web.upkeep.doctor import examine

    faults = 0
    for finding in examine(os.environ):
        print(f"{finding.level:6} {finding.about}: {finding.text}")
        faults += finding.level == "WRONG"
    print(f"{faults} of these must be mended." if faults else "Nothing is wrong.")
    raise SystemExit(1 if faults else 0)


@click.command("upgrade-check")
def upgrade_check() -> None:
    """Would this version carry on every running match? The site is only read, and may run."""
    from stockpile_web.upkeep import upgrade_check as checking

    settings, looked_at, differences = _settings(), 0, 0
    with one_line():
        waiting = checking.pending(settings["DATABASE_URL"])
        for number, about, needs_stop in waiting:
            how = "the site must stop for it" if needs_stop else "the site may run meanwhile"
            print(f"migration {number} would run ({how}): {about}")
        for found in checking.check(settings):
            looked_at += 1
            if isinstance(found, checking.Difference):
                differences += 1
                where = "as it stands" if found.number is None else f"move {found.number}"
                print(f"table {found.match_id} ({found.game}), {where}: {found.what}")
    if not waiting:
        print("No migration would run.")
    if differences:
        print(f"{differences} of {looked_at} running matches would not go on as they are.")
    else:
        print(f"All {looked_at} running matches go on as they are.")
    raise SystemExit(1 if differences else 0)


ALL = (backup, restore, copy_database, doctor, upgrade_check)


def _settings(database: str | None = None) -> dict[str, Any]:
    """Return the settings, for another database if one is named."""
    given = {"DATABASE_URL": database} if database else {}
    return read_settings({**os.environ, **given})


def _give_time_anew(app: Flask) -> int:
    """Do so before any worker sees whose time was up long ago; return at how many tables."""
    from stockpile_web.storage.database import db
    from stockpile_web.upkeep import whole_time

    try:
        return whole_time.give_anew(app)
    finally:
        app.extensions["versions"].close()
        with app.app_context():
            db.engine.dispose()


def _tell_of_settings(keys: list[str], what: str) -> None:
    for key, setting in NEEDS_SETTING.items():
        if key not in keys:
            print(f"{setting} {what}.")


@contextmanager
def one_line() -> Iterator[None]:
    """Say in one line why something cannot be done."""
    try:
        yield
    except (Refused, BadSetting) as reason:
        raise SystemExit(f"run: {reason}") from None
