"""The database: whether it answers, can be written to, and is of this version."""

import os
import time
from collections.abc import Iterator

from sqlalchemy import Connection, text

from stockpile_web.storage.schema import migration_of, newest_migration
from stockpile_web.upkeep import Refused
from stockpile_web.upkeep.backup import kind_of, sqlite_path
from stockpile_web.upkeep.backup_file import KIND_NAMES
from stockpile_web.upkeep.doctor import Check, Finding, Settings
from stockpile_web.upkeep.postgres import connected


def database(settings: Settings) -> Iterator[Finding]:
    """Ask it something, and whether it would take something."""
    url = settings["DATABASE_URL"]
    kind = KIND_NAMES[kind_of(url)]
    if kind_of(url) == "sqlite":
        path = sqlite_path(url)
        if not path.exists():
            yield Finding("note", "database", f"{path} is not there yet; ./run makes it.")
            return
        if not os.access(path, os.W_OK):
            text = f"{path} cannot be written to by this account: chown it."
            yield Finding("WRONG", "database", text)
            return
    try:
        with connected(url) as connection:
            began = time.monotonic()
            _try_to_write(connection)
            took = (time.monotonic() - began) * 1000
            yield Finding(
                "ok", "database", f"{kind} answers in {took:.0f} ms and can be written to."
            )
            yield _version(migration_of(connection))
    except Refused as reason:
        yield Finding("WRONG", "database", f"{reason} Is DATABASE_URL right, and is it running?")


def _try_to_write(connection: Connection) -> None:
    """Begin to write, and do not."""
    if connection.dialect.name == "sqlite":
        connection.execute(text("pragma user_version")).all()
        connection.rollback()
        connection.exec_driver_sql("begin immediate")
    else:
        connection.execute(text("create temporary table doctor (number integer) on commit drop"))
    connection.rollback()


def _version(found: str) -> Finding:
    wanted = newest_migration()
    if found == wanted:
        return Finding("ok", "migrations", f"the database is at {found}, as this version wants it.")
    if found < wanted:
        have = f"at {found}" if found else "empty"
        return Finding(
            "note",
            "migrations",
            f"the database is {have}; ./run brings it to {wanted} at its start.",
        )
    return Finding(
        "WRONG",
        "migrations",
        f"the database is at {found} and this version knows {wanted}: upgrade, or restore.",
    )


CHECKS: tuple[Check, ...] = (database,)
