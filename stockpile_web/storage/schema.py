"""The schema: how the database is brought up to date by Alembic, once, whoever starts first."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flask import Flask
from sqlalchemy import Connection, NullPool, create_engine, inspect, text
from sqlalchemy.exc import OperationalError

from stockpile_web.settings import ROOT, BadSetting
from stockpile_web.storage.database import tune
from stockpile_web.storage.transactions import lock_number

MIGRATIONS = ROOT / "migrations"


def migrate(app: Flask) -> None:
    """Bring the database up to date; safe when several processes start at once."""
    url, folder = app.config["DATABASE_URL"], app.config["STOCKPILE_INSTANCE"]
    engine = create_engine(url, poolclass=NullPool)
    # Without foreign keys: SQLite changes a table by dropping it and making it anew.
    tune(engine, app.config["SQLITE_SYNCHRONOUS"], foreign_keys="OFF")
    try:
        with engine.connect() as connection:
            if not is_up_to_date(connection):
                with _migrating_alone(connection, Path(folder)):
                    _upgrade(connection)
    except OperationalError as error:
        first_line = str(error.orig).strip().splitlines()[0]
        raise BadSetting(f"The database cannot be opened: {first_line}") from None
    finally:
        engine.dispose()


def is_up_to_date(connection: Connection) -> bool:
    """Tell whether the newest migration has been applied, without loading Alembic."""
    newest = max(path.name[:4] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))
    try:
        if not inspect(connection).has_table("alembic_version"):
            return False
        return str(connection.scalar(text("select version_num from alembic_version"))) == newest
    finally:
        connection.rollback()


@contextmanager
def _migrating_alone(connection: Connection, folder: Path) -> Iterator[None]:
    if connection.dialect.name == "sqlite":
        with (folder / "migrate.lock").open("w") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            yield
        return
    key = {"key": lock_number("migrate")}
    with connection.engine.connect() as guard:
        guard.execute(text("select pg_advisory_lock(:key)"), key)
        guard.commit()
        yield  # Closing the connection gives the lock back.


def _upgrade(connection: Connection) -> None:
    # Rarely needed and heavy: loaded only when there is something to do.
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection.execution_options(writes=True)
    try:
        command.upgrade(config, "head")
    except CommandError:
        raise BadSetting("The database was made by a newer version of Stockpile Web.") from None
