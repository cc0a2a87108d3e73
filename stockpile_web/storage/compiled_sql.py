"""Compiled SQL: statements of the busiest paths, written with SQLAlchemy and compiled once.

SQLAlchemy takes 20 to 30 microseconds to send a statement that it has compiled before, SQLite a few
to carry it out. Here the text and the conversions of values are made once for each database, and
the statement goes straight to the driver. Without it a quarter fewer moves and views a second
(`./run bench site`). What is asked for less often is simply executed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from sqlalchemy import ClauseElement, ColumnElement, Connection, Dialect, Select
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.types import TypeEngine

from stockpile_web.storage.database import Away, watch_of
from stockpile_web.storage.trouble import trouble_in

Values = Mapping[str, Any]
Change = Callable[[Any], Any]


class Statement:
    """A statement whose text never changes: no lists of any length, no defaults left to Python."""

    def __init__(
        self, clause: ClauseElement, columns: Sequence[str] | None = None, alone: bool = False
    ) -> None:
        """Take the columns that an insert gives, and whether it needs to begin no transaction.

        That is a look at something that never changes, or at one thing by itself.
        """
        self._clause = clause
        self._columns = columns
        self._alone = alone
        self._compiled: dict[str, _Compiled] = {}

    def rows(self, connection: Connection, **values: Any) -> list[Any]:
        """Return all rows."""
        return self.ask(connection, **values).rows()

    def ask(self, connection: Connection, **values: Any) -> "Asked":
        """Send it, and return where its rows are to be had; in `pipelined` that is later."""
        compiled = self._for(connection)
        return Asked(self._send(connection, compiled, values), compiled)

    def row(self, connection: Connection, **values: Any) -> Any:
        """Return the first row, or None."""
        compiled = self._for(connection)
        row = self._send(connection, compiled, values).fetchone()
        return row if row is None else compiled.read(row)

    def value(self, connection: Connection, **values: Any) -> Any:
        """Return the first column of the first row, or None."""
        row = self.row(connection, **values)
        return row and row[0]

    def run(self, connection: Connection, *each: Values) -> None:
        """Carry it out with these values, once for each of them."""
        compiled = self._for(connection)
        if len(each) == 1:
            self._send(connection, compiled, each[0])
        else:
            all_ = [compiled.fill(one) for one in each]
            cursor = self._cursor(connection)
            try:
                cursor.executemany(compiled.text, all_)
            except Exception as error:
                drop_if_lost(connection, error)
                raise

    def _send(self, connection: Connection, compiled: "_Compiled", values: Values) -> Any:
        cursor = self._cursor(connection)
        try:
            cursor.execute(compiled.text, compiled.fill(values))
        except Exception as error:
            drop_if_lost(connection, error)
            raise
        return cursor

    def _cursor(self, connection: Connection) -> Any:
        if not self._alone and not connection.in_transaction():
            connection.begin()
        return connection.connection.cursor()

    def _for(self, connection: Connection) -> "_Compiled":
        dialect = connection.dialect
        if dialect.name not in self._compiled:
            self._compiled[dialect.name] = _compile(self._clause, self._columns, dialect)
        return self._compiled[dialect.name]


class Asked(NamedTuple):
    """A question that was sent."""

    cursor: Any
    compiled: "_Compiled"

    def rows(self) -> list[Any]:
        """Return all rows."""
        rows, read = self.cursor.fetchall(), self.compiled.read
        return [read(row) for row in rows] if self.compiled.reads else list(rows)


class _Compiled(NamedTuple):
    """A statement in the words of one database."""

    text: str
    order: Sequence[str] | None  # Of the values, where they have no names.
    constants: Values
    writes: list[tuple[str, Change]]  # How a value is written,
    reads: list[tuple[int, Change]]  # and how a column is read.

    def fill(self, values: Values) -> Any:
        filled = {**self.constants, **values}
        for name, write in self.writes:
            filled[name] = write(filled[name])
        return filled if self.order is None else [filled[name] for name in self.order]

    def read(self, row: Sequence[Any]) -> Sequence[Any]:
        columns = list(row)
        for place, read in self.reads:
            columns[place] = read(columns[place])
        return columns


@contextmanager
def pipelined(connection: Connection) -> Iterator[None]:
    """Send the statements of the block without waiting for the answer to each: one round trip.

    Postgres carries them out one after the other, and what fails is raised at the end of the block
    at the latest. SQLite answers at once. Only statements of this file belong inside: SQLAlchemy
    looks at each answer before it sends the next.
    """
    if connection.dialect.name != "postgresql":
        yield
        return
    driver: Any = connection.connection.driver_connection  # psycopg's
    try:
        with driver.pipeline():
            yield
    except Exception as error:
        drop_if_lost(connection, error)
        raise


def drop_if_lost(connection: Connection, error: BaseException) -> None:
    """Let nobody use a connection again whose server has gone, or has become a copy.

    Those that lie in the pool lead to the same server. SQLAlchemy finds out by statements of its
    own, but only of those that were cut: a session that can only read would stay.
    """
    if isinstance(trouble_in(error), Away) and not (connection.closed or connection.invalidated):
        connection.invalidate()
        watch_of(connection.engine.url).doubt()


def rows_of_each(
    connection: Connection, statements: Iterable[Statement], **values: Any
) -> list[list[Any]]:
    """Carry out statements one after the other in one round trip; return the rows of each."""
    with pipelined(connection):
        asked = [statement.ask(connection, **values) for statement in statements]
    return [each.rows() for each in asked]  # All are here: to ask inside were a trip of its own.


def _compile(clause: ClauseElement, columns: Sequence[str] | None, dialect: Dialect) -> _Compiled:
    compiled = clause.compile(dialect=dialect, column_keys=columns and list(columns))
    assert isinstance(compiled, SQLCompiler)
    left = [*compiled.insert_prefetch, *compiled.update_prefetch]
    if left or compiled.post_compile_params:
        raise TypeError(f"This statement needs SQLAlchemy to send it: {compiled}")
    columns_read = clause.selected_columns if isinstance(clause, Select) else ()
    reading = (_kind(column, dialect).result_processor(dialect, None) for column in columns_read)
    writing = ((name, _kind(bind, dialect)) for bind, name in compiled.bind_names.items())
    writes = ((name, kind.bind_processor(dialect)) for name, kind in writing)
    return _Compiled(
        str(compiled),
        compiled.positiontup if compiled.positional else None,
        {name: value for name, value in compiled.params.items() if value is not None},
        [(name, write) for name, write in writes if write],
        [(place, read) for place, read in enumerate(reading) if read],
    )


def _kind(column: ColumnElement[Any], dialect: Dialect) -> TypeEngine[Any]:
    """Return how a database keeps what a column or a value holds."""
    return column.type.dialect_impl(dialect)
