"""Whole sites beside each other: their settings, what is in them, and further ones like them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import create_engine, select

from stockpile_web import create_app
from stockpile_web.storage import snapshots
from stockpile_web.storage.database import Base, db
from stockpile_web.storage.models import Match, Move
from stockpile_web.storage.schema import migrate
from tests.conftest import FAST
from tests.support import pgtest
from tests.support.known import FIRST

Rows = dict[str, list[dict[str, Any]]]


def empty_site(
    request: pytest.FixtureRequest, folder: Path, kind: str, name: str
) -> dict[str, Any]:
    """Return the settings of a site that has no database yet."""
    url = f"sqlite:///{folder / name}.db"
    if kind == "postgresql":
        server: pgtest.Server = request.getfixturevalue("postgres")
        server.drop(name)
        url = server.create(name)
    return {"STOCKPILE_INSTANCE": str(folder / f"{name}_instance"), "DATABASE_URL": url}


@contextmanager
def running(settings: dict[str, Any]) -> Iterator[Flask]:
    """Give the application of a site that is there already, until the end of the block."""
    app = create_app({**FAST, **settings})
    migrate(app)
    yield app
    app.extensions["versions"].close()
    with app.app_context():
        db.session.remove()
        db.engine.dispose()


def all_rows(url: str) -> Rows:
    """Return every row of every table."""
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            return {
                table.name: [
                    dict(row)
                    for row in connection.execute(
                        select(table).order_by(*table.primary_key)
                    ).mappings()
                ]
                for table in Base.metadata.sorted_tables
            }
    finally:
        engine.dispose()


def refuse_damaged_matches(rows: Rows) -> dict[int, int]:
    """See that each match is whole: all of its moves, and the state after the last of them.

    Return how many moves each has.
    """
    found = {}
    for match in rows[Match.__tablename__]:
        moves = [move for move in rows[Move.__tablename__] if move["match_id"] == match["id"]]
        numbers = [move["number"] for move in moves]
        assert numbers == list(range(match["version"])), match["id"]
        *_, last = snapshots.unpack((move["number"], move["frame"]) for move in moves)
        assert last == match["state"], match["id"]
        found[match["id"]] = len(moves)
    return found


def begin_matches(app: Flask, count: int) -> list[int]:
    """Let guests begin so many matches; return their numbers."""
    answers = [
        app.test_client().post(f"/try/{FIRST}", environ_base={"REMOTE_ADDR": f"192.0.2.{number}"})
        for number in range(count)
    ]
    return [int(str(answer.location).rsplit("/", 1)[1]) for answer in answers]
