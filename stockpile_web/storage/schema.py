"""The schema: how the database is brought up to date by Alembic, once, whoever starts first."""

import errno
import fcntl
import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from flask import Flask
from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import DatabaseError

from stockpile_web.settings import ROOT, BadSetting
from stockpile_web.storage.database import Away, connect_alone, file_of, tune
from stockpile_web.storage.transactions import lock_number
from stockpile_web.storage.trouble import in_words, trouble_in

log = logging.getLogger(__name__)

MIGRATIONS = ROOT / "migrations"

# Whoever wants a table waits behind a migration that waits for it: it lets them pass in between.
LOCK_SECONDS = 3.0
PAUSE_SECONDS = 2.0
TRIES = 12


def migrate(app: Flask) -> None:
    """Bring the database of `app` up to date; safe when several processes start at once."""
    config = app.config
    upgrade(config["DATABASE_URL"], config["STOCKPILE_INSTANCE"], config["SQLITE_SYNCHRONOUS"])


def upgrade(url: str, folder: str, synchronous: str, to: str = "") -> None:
    """Bring the database at `url` up to date, or to a migration that is not the newest."""
    wanted = to or newest_migration()
    engine = connect_alone(url)
    # Without foreign keys: SQLite changes a table by dropping it and making it anew.
    tune(engine, synchronous, foreign_keys="OFF")
    try:
        if file := file_of(engine):
            _open_file(file)
        with engine.connect() as connection:
            if not is_at(connection, wanted):
                with _migrating_alone(connection, Path(folder)):
                    _insist(connection, to or "head")
    except DatabaseError as error:
        raise BadSetting(f"The database cannot be opened: {in_words(error)}") from None
    except OSError as error:
        raise BadSetting(f"{error.filename} cannot be opened: {error.strerror}.") from None
    finally:
        engine.dispose()


def _open_file(file: str) -> None:
    """Make SQLite's file if there is none, and let nobody else on this machine read it.

    One that cannot be written to is refused: all would seem well until somebody moves. What SQLite
    puts beside it has the same mode. Whether a group may read an older one is its host's affair.

    One that is there is not opened: to close it again would give up all locks that SQLite holds on
    it in this process, and whoever closes it elsewhere would throw away what is being written.
    """
    path = Path(file)
    if not path.exists():
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), file)
    if not os.access(file, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), file)
    for each in (path, *path.parent.glob(f"{path.name}-*")):
        with suppress(OSError):  # It is another account's, or gone already.
            each.chmod(each.stat().st_mode & 0o770)


def is_at(connection: Connection, migration: str) -> bool:
    """Tell whether a database is at a migration, without loading Alembic."""
    try:
        return migration_of(connection) == migration
    finally:
        connection.rollback()


def newest_migration() -> str:
    """Return the migration that this version wants."""
    return max(path.name[:4] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def migration_of(connection: Connection) -> str:
    """Return the migration that a database is at, or nothing if it has no tables yet."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return str(connection.scalar(text("select version_num from alembic_version")) or "")


def migrations() -> list[tuple[str, str, bool]]:
    """Return each migration: its number, what it is about, and whether the site must stop for it.

    It must unless the migration says `RUNS_BESIDE = True`: the code before it can go on meanwhile.
    """
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(str(MIGRATIONS)).walk_revisions()
    found = [(each, getattr(each.module, "RUNS_BESIDE", False)) for each in scripts]
    return sorted((each.revision, each.doc, not runs_beside) for each, runs_beside in found)


@contextmanager
def _migrating_alone(connection: Connection, folder: Path) -> Iterator[None]:
    if connection.dialect.name == "sqlite":
        with (folder / "migrate.lock").open("w") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            yield
        return
    key = {"key": lock_number("migrate")}
    with connection.engine.connect() as guard:
        _set_limits(guard, lock=0)  # Another host may migrate for long.
        guard.execute(text("select pg_advisory_lock(:key)"), key)
        guard.commit()
        yield  # Closing the connection gives the lock back.


def _set_limits(connection: Connection, lock: float) -> None:
    """Wait for so long for a lock, and let statements take their time, whatever the account has."""
    for name, seconds in {"lock_timeout": lock, "statement_timeout": 0}.items():
        connection.execute(text(f"set {name} = {int(seconds * 1000)}"))
    connection.commit()


def _insist(connection: Connection, to: str) -> None:
    """Run the migrations; if somebody holds what they change, try again for a minute."""
    if connection.dialect.name == "postgresql":
        _set_limits(connection, lock=LOCK_SECONDS)
    for left in reversed(range(TRIES)):
        try:
            _run_migrations(connection, to)
        except DatabaseError as error:
            trouble = trouble_in(error)
            if trouble is None or isinstance(trouble, Away) or not left:
                raise
            connection.rollback()
            if left == TRIES - 1:
                log.warning("A migration waits: %s; trying again for a minute", in_words(error))
            time.sleep(PAUSE_SECONDS)
        else:
            return


def _run_migrations(connection: Connection, to: str) -> None:
    # Rarely needed and heavy: loaded only when there is something to do.
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection.execution_options(writes=True)
    try:
        command.upgrade(config, to)
    except CommandError:
        raise BadSetting("The database was made by a newer version of Stockpile Web.") from None
