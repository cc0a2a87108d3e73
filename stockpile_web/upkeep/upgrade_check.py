"""Would this version carry on every match that is running? Asked before one deploys it.

The matches that are running are copied into a database of SQLite that is thrown away, as they are
at one moment: the site's own is only read, and whoever serves it goes on. There the migrations run
that the site has yet to see, and every move is made once more by the rules of this version.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from sqlalchemy import Connection, MetaData, Table, create_engine, insert, select, text

from stockpile_web.storage import schema
from stockpile_web.storage.models.matches import PLAYING, Match, Move, Seat
from stockpile_web.upkeep import Refused
from stockpile_web.upkeep.backup import kind_of, sqlite_path
from stockpile_web.upkeep.postgres import connected
from stockpile_web.upkeep.rehearsal import Recorded, rehearse

BATCH = 100
# What a rehearsal needs; seats were called places until 0008.
TABLES = ("match", "place", "seat", "move")


class Migration(NamedTuple):
    """A migration that the site has yet to see."""

    number: str
    about: str
    needs_stop: bool  # The version before it cannot go on beside it.


class Difference(NamedTuple):
    """What would go otherwise at a table, or not at all."""

    match_id: int
    game: str
    number: int | None  # Of the first move of which that is so; None: as it stands now.
    what: str


def pending(url: str) -> list[Migration]:
    """Return the migrations that would run at the start of this version."""
    with connected(url) as connection:
        found = schema.migration_of(connection)
    if not found:
        raise Refused("There are no tables in this database yet: nothing can go wrong.")
    if found > schema.newest_migration():
        raise Refused("The database was made by a newer version of Stockpile Web.")
    return [
        Migration(number, about, needs_stop)
        for number, about, needs_stop in schema.migrations()
        if number > found
    ]


def check(settings: Mapping[str, Any]) -> Iterator[Difference | int]:
    """Rehearse each match that is running: yield what would differ, and its number if nothing."""
    with _copy_of_running(settings["DATABASE_URL"]) as connection:
        last = 0
        while True:
            running = select(Match.id, Match.game, Match.options, Match.size, Match.seed)
            after = running.where(Match.status == PLAYING, Match.id > last).order_by(Match.id)
            found = connection.execute(after.limit(1)).one_or_none()
            if found is None:
                return
            last = found.id
            wrong = _rehearse(connection, found)
            yield last if wrong is None else Difference(last, found.game, *wrong)


def _rehearse(connection: Connection, match: Any) -> tuple[int | None, str] | None:
    seats = connection.execute(
        select(Seat.number, Seat.on_turn).where(Seat.match_id == match.id).order_by(Seat.number)
    ).all()
    moves = select(Move.number, Move.seat, Move.move, Move.events, Move.frame, Move.rules_version)
    recorded = connection.execute(
        moves.where(Move.match_id == match.id).order_by(Move.number),
        execution_options={"yield_per": BATCH},
    )
    asked = [seat.number for seat in seats if seat.on_turn]
    stored = connection.execute(
        select(Match.state, Match.rules_version).where(Match.id == match.id)
    ).one()
    table = (match.game, match.options, len(seats), match.seed, asked)
    return rehearse(*table, (Recorded(*row) for row in recorded), *stored)


@contextmanager
def _copy_of_running(url: str) -> Iterator[Connection]:
    """Copy all matches that are running, and bring the copy up to date."""
    if kind_of(url) == "sqlite" and not sqlite_path(url).exists():
        raise Refused(f"There is no database {sqlite_path(url)}.")
    with TemporaryDirectory(prefix="upgrade-check-") as folder:
        address = f"sqlite:///{Path(folder, 'copy.db')}"
        with connected(url) as site, _only_reading(site):
            schema.upgrade(address, folder, "OFF", to=schema.migration_of(site))
            with connected(address) as copy:
                _copy_rows(site, copy)
                copy.commit()
        schema.upgrade(address, folder, "OFF")
        engine = create_engine(address)
        try:
            with engine.connect() as connection:
                yield connection
        finally:
            engine.dispose()


@contextmanager
def _only_reading(site: Connection) -> Iterator[None]:
    """Read all as it is at one moment, and let nothing be written."""
    if site.dialect.name == "sqlite":
        site.execute(text("pragma query_only = on"))
        site.execute(text("begin"))  # The driver begins none by itself to read.
    else:
        site.execute(text("set transaction isolation level repeatable read, read only"))
    yield
    site.rollback()


def _copy_rows(site: Connection, copy: Connection) -> None:
    known = MetaData()
    known.reflect(copy, only=lambda name, _: name in TABLES, resolve_fks=False)
    matches = known.tables["match"]
    numbers = site.scalars(select(matches.c.id).where(matches.c.status == PLAYING)).all()
    for first in range(0, len(numbers), BATCH):
        these = numbers[first : first + BATCH]
        for table in (known.tables[name] for name in TABLES if name in known.tables):
            whose = table.c.id if table is matches else table.c.match_id
            _copy_some(site, copy, table, select(table).where(whose.in_(these)))


def _copy_some(site: Connection, copy: Connection, table: Table, which: Any) -> None:
    rows = site.execute(which, execution_options={"yield_per": BATCH}).mappings()
    for some in rows.partitions(BATCH):
        copy.execute(insert(table), [dict(row) for row in some])
