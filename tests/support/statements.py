"""All statements that are sent to the database, with their values written into them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

TABLES = re.compile(r'\b(?:FROM|JOIN|INTO|UPDATE)\s+"?(\w+)"?', re.IGNORECASE)
INSERT = re.compile(r'INSERT INTO "?\w+"? \(([^)]*)\) VALUES \((.*)', re.DOTALL)
VALUE = re.compile(r"\s*((?:'(?:[^']|'')*'|[^',])+)")


@contextmanager
def recorded(engine: Engine) -> Iterator[list[str]]:
    """Record what is sent during the block, also by compiled SQL, which goes past SQLAlchemy."""
    said: list[str] = []
    listen = _listen_to_postgres if engine.dialect.name == "postgresql" else _listen_to_sqlite

    def on_checkout(driver: Any, _record: object, _proxy: object) -> None:
        listen(driver, said)

    def on_checkin(driver: Any, _record: object) -> None:
        listen(driver, None)

    event.listen(engine, "checkout", on_checkout)
    event.listen(engine, "checkin", on_checkin)
    try:
        yield said
    finally:
        event.remove(engine, "checkout", on_checkout)
        event.remove(engine, "checkin", on_checkin)


def _listen_to_sqlite(driver: Any, said: list[str] | None) -> None:
    driver.set_trace_callback(None if said is None else said.append)


def _listen_to_postgres(driver: Any, said: list[str] | None) -> None:
    import psycopg

    class Recording(psycopg.Cursor[Any]):
        def execute(self, query: Any, params: Any = None, **how: Any) -> Any:
            _note(driver, query, params, said)
            return super().execute(query, params, **how)

        def executemany(self, query: Any, params_seq: Any, **how: Any) -> None:
            each = list(params_seq)
            for params in each:
                _note(driver, query, params, said)
            super().executemany(query, each, **how)

    driver.cursor_factory = psycopg.Cursor if said is None else Recording


def _note(driver: Any, query: Any, params: Any, said: list[str] | None) -> None:
    import psycopg

    assert said is not None
    said.append(psycopg.ClientCursor(driver).mogrify(query, params))


def tables_of(statement: str) -> set[str]:
    """Return the tables that a statement names."""
    return set(TABLES.findall(statement))


def numbers_of(statement: str, column: str, table: str = "") -> set[int]:
    """Return the numbers with which a column is compared, or which a row to be written has."""
    if found := INSERT.match(statement):
        columns = [name.strip(' "') for name in found[1].split(",")]
        if column not in columns:
            return set()
        value = re.match(r"\d+", VALUE.findall(found[2])[columns.index(column)])
        return {int(value[0])} if value else set()
    prefix = rf'"?{table}"?\.' if table else ""
    return {int(number) for number in re.findall(rf"{prefix}{column} = (\d+)", statement)}
