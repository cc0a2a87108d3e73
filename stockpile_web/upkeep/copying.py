"""Carries a whole site from one database to another: from SQLite to Postgres, or back."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import (
    Connection,
    RowMapping,
    Table,
    and_,
    bindparam,
    func,
    insert,
    select,
    text,
    tuple_,
    update,
)

import stockpile_web.storage.models  # noqa: F401 (fills the metadata)
from stockpile_web.settings import open_instance
from stockpile_web.storage.database import Base
from stockpile_web.storage.schema import migration_of, newest_migration, upgrade
from stockpile_web.upkeep import Refused, postgres, sqlite_file
from stockpile_web.upkeep.backup import kind_of, sqlite_path

BATCH = 500

Settings = Mapping[str, Any]


def copy(source: Settings, target: Settings) -> dict[str, int]:
    """Carry all rows over and return how many there are in each table; all of them or none."""
    _refuse_if_running(source["DATABASE_URL"])
    with postgres.connected(source["DATABASE_URL"]) as old:
        _hold(old)
        if migration_of(old) != newest_migration():
            raise Refused(
                "The database to copy from is not up to date: start the server on it once, or "
                "./run migrate, with this version."
            )
        folder = open_instance(target["STOCKPILE_INSTANCE"])
        upgrade(target["DATABASE_URL"], str(folder), "FULL")
        with postgres.connected(target["DATABASE_URL"]) as new, _whole(new):
            _refuse_if_not_empty(new)
            counted = {}
            for table in Base.metadata.sorted_tables:
                counted[table.name] = _copy_rows(table, old, new)
                _copy_own_references(table, old, new)
                _count_on(table, new)
            _compare(counted, new)
            return counted


@contextmanager
def _whole(connection: Connection) -> Iterator[None]:
    """Let nothing be there unless everything is, and have Postgres be patient."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("set local statement_timeout = 0"))
    yield
    connection.commit()


def _refuse_if_running(url: str) -> None:
    if kind_of(url) == "sqlite":
        if not sqlite_path(url).exists():
            raise Refused(f"There is no database {sqlite_path(url)}.")
        sqlite_file.close(sqlite_path(url))
        return
    with postgres.connected(url) as connection:
        postgres.refuse_if_in_use(connection)


def _hold(old: Connection) -> None:
    """Let nobody write while it is copied: a server may start that was stopped."""
    if old.dialect.name == "sqlite":
        old.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        postgres.hold(old)


def _refuse_if_not_empty(new: Connection) -> None:
    for table in Base.metadata.sorted_tables:
        if new.execute(select(table).limit(1)).first() is not None:
            raise Refused("The database to copy to is not empty: name one that is.")


def _copy_rows(table: Table, old: Connection, new: Connection) -> int:
    count = 0
    for batch in _batches(table, old):
        unset = dict.fromkeys(_own_references(table))
        new.execute(insert(table), [{**row, **unset} for row in batch])
        count += len(batch)
    return count


def _copy_own_references(table: Table, old: Connection, new: Connection) -> None:
    """Set what leads to another row of the same table, now that all of them are there."""
    keys = {f"key_{key.name}": key for key in table.primary_key}
    this = and_(*(key == bindparam(name) for name, key in keys.items()))
    for name in _own_references(table):
        leads = update(table).where(this).values({name: bindparam("leads_to")})
        for batch in _batches(table, old):
            changes = [
                {**{word: row[key] for word, key in keys.items()}, "leads_to": row[name]}
                for row in batch
                if row[name] is not None
            ]
            if changes:
                new.execute(leads, changes)


def _own_references(table: Table) -> list[str]:
    return [key.parent.name for key in table.foreign_keys if key.column.table is table]


def _batches(table: Table, old: Connection) -> Iterator[Sequence[RowMapping]]:
    """Read a table by its key, a batch at a time: no more of it is ever in memory."""
    keys = list(table.primary_key)
    first = select(table).order_by(*keys).limit(BATCH)
    batch = old.execute(first).mappings().all()
    while batch:
        yield batch
        last = [batch[-1][key] for key in keys]
        batch = old.execute(first.where(tuple_(*keys) > tuple_(*last))).mappings().all()


def _count_on(table: Table, new: Connection) -> None:
    """Let Postgres number the next row after those that are there."""
    number = table.autoincrement_column
    if new.dialect.name != "postgresql" or number is None:
        return
    name = new.dialect.identifier_preparer.format_table(table)
    counter = func.pg_get_serial_sequence(name, number.name)
    if new.scalar(select(counter)) is not None:
        new.execute(select(func.setval(counter, func.coalesce(func.max(number), 0) + 1, False)))


def _compare(counted: Mapping[str, int], new: Connection) -> None:
    for table in Base.metadata.sorted_tables:
        found = new.scalar(select(func.count()).select_from(table))
        if found != counted[table.name]:
            raise Refused(
                f"{counted[table.name]} rows of {table.name} were read and {found} are there: "
                "nothing was copied."
            )
