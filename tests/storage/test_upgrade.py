"""A database of version 0.1.0 with people and matches in it, brought up to date.

The rows of a whole small site are in version_0_1_0.json. They were made by make_0_1_0.py with
round=1&dividends=always and the tables stockpile:bonds:3:14 stonks::3:8 stonks:rounds_1:2:400
stockpile::2:0.
"""

import base64
import json
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from flask import Flask
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    DateTime,
    LargeBinary,
    MetaData,
    create_engine,
    func,
    insert,
    select,
    text,
)

from stockpile_web import create_app
from stockpile_web.people import administrators
from stockpile_web.settings import ROOT
from stockpile_web.storage import names
from stockpile_web.storage.database import db
from stockpile_web.storage.models import (
    ApiToken,
    Archived,
    Choice,
    Match,
    Move,
    Passkey,
    Seat,
    User,
)
from stockpile_web.storage.schema import migrate, migrations, upgrade
from stockpile_web.storage.transactions import writing
from stockpile_web.upkeep import upgrade_check
from tests.conftest import FAST, sign_in
from tests.support.clicking import make_any_move
from tests.support.people import NAMES, on_turn
from tests.support.sites import running

LAST_OF_0_1_0 = "0007"
THEN = "2026-11-01 12:00:00"
ROWS = (
    f"""INSERT INTO "user" (id, name, name_key, time_zone, is_admin, created_at)
    VALUES (1, 'Mill_10I', 'ann', 'UTC', true, '{THEN}')""",
    f"""INSERT INTO "match" (id, game, options, size, status, host_id, listed, pace, open_chat,
    invitation, created_at, rules_version, seed, state, version, chat_version)
    VALUES (1, 'stockpile', '', 2, 'playing', 1, true, 'day', false, 'abc', '{THEN}', 1, 's',
    '{{}}', 7, 3)""",
    """INSERT INTO place (id, match_id, seat, user_id, bot_name, on_turn, moves_made, last_move,
    chat_seen, notes, bank) VALUES (5, 1, 0, 1, '', true, 4, 6, 2, 'Bob bluffs.', 60)""",
    """INSERT INTO place (id, match_id, seat, bot, bot_name, on_turn, moves_made, last_move,
    chat_seen, notes) VALUES (9, 1, 1, 'steady', 'Abacus', false, 3, 5, 0, '')""",
    f"""INSERT INTO "match" (id, game, options, size, status, host_id, listed, pace, open_chat,
    invitation, created_at, started_at, ended_at, rules_version, seed, state, version, chat_version)
    VALUES (2, 'stockpile', 'bonds', 2, 'over', 1, true, 'day', false, 'def', '{THEN}', '{THEN}',
    '{THEN}', 1, 's', '{{}}', 70, 0)""",
    """INSERT INTO place (id, match_id, seat, user_id, bot_name, on_turn, moves_made, last_move,
    chat_seen, notes) VALUES (10, 2, 0, 1, '', false, 30, 69, 0, '')""",
    """INSERT INTO notice_choice (user_id, events, delay, calendar) VALUES (1, 'turn', 0, '')""",
    f"""INSERT INTO move (match_id, number, move, events, frame, made_at)
    VALUES (1, 0, '', '[]', '', '{THEN}')""",
)


def make_old(url: str, revision: str, fill: Callable[[Connection], None]) -> None:
    """Make a database of an older version, with something in it."""
    engine = create_engine(url)
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(ROOT / "migrations"))
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        fill(connection)
    engine.dispose()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_seats_and_matches_of_an_older_version_are_all_there(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str
) -> None:
    url = f"sqlite:///{tmp_path}/old.db"
    if kind == "postgres":
        url = request.getfixturevalue("postgres").create("old_version")

    def fill(connection: Connection) -> None:
        for row in ROWS:
            connection.execute(text(row))

    make_old(url, LAST_OF_0_1_0, fill)
    app = create_app({**FAST, "STOCKPILE_INSTANCE": str(tmp_path), "DATABASE_URL": url})
    migrate(app)
    with app.app_context():
        match = db.session.get_one(Match, 1)
        assert (match.version, match.table_version, match.undo) == (7, 3, "")
        assert match.title == "Table 1"
        assert match.halted_for == "" and not match.is_halted
        ann = db.session.get_one(User, 1)
        assert ann.suspended_at is None
        with writing() as tx:
            assert administrators.is_last(tx, ann.id)  # By an index that is there.
        assert (ann.look, ann.small_look) == names.looks_of("Mill_10I")
        # What there was nothing to choose about is told.
        assert db.session.get_one(Choice, 1).events == "turn closing rematch invited broken"
        first, second = db.session.scalars(select(Seat).filter_by(match_id=1).order_by(Seat.number))
        assert (first.id, first.name, first.notes, first.bank) == (
            5,
            "Mill_10I",
            "Bob bluffs.",
            60,
        )
        assert (second.id, second.name, second.bot) == (9, "Abacus", "steady")
        assert db.session.scalars(select(Move.rules_version)).all() == [1]
        assert db.session.scalars(select(ApiToken)).all() == []
        for whose in ("all", "user 1", "game stockpile", "rule stockpile bonds"):
            kept = db.session.get_one(Archived, (whose, 2))
            assert (kept.options, kept.moves, kept.closeness) == (" bonds ", 69, None)
        assert db.session.scalars(select(Passkey)).all() == []  # Nobody has one yet, and may.
        with db.engine.begin() as connection:  # New seats get numbers that are free.
            new = {"match_id": 1, "number": 2, "bot": "steady", "bot_name": "Brass"}
            connection.execute(insert(Seat).values(**new))
        db.session.remove()
        db.engine.dispose()


RELEASED = json.loads(Path(__file__).with_name("version_0_1_0.json").read_text())
LATER = [number for number, _, _ in migrations() if number > LAST_OF_0_1_0]
KEPT = ("user", "match", "move", "message", "notice")  # Tables that are called so to this day.
RUNNING, OVER, WAITING = (1, 2), 3, 4


@pytest.fixture(params=["sqlite", "postgres"])
def old_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a database as 0.1.0 has left it."""
    url = f"sqlite:///{tmp_path}/old.db"
    if request.param == "postgres":
        server = request.getfixturevalue("postgres")
        server.drop("released")
        url = server.create("released")
    upgrade(url, str(tmp_path), "OFF", to=LAST_OF_0_1_0)
    engine = create_engine(url)
    with engine.begin() as connection:
        known = MetaData()
        known.reflect(connection)
        for table in known.sorted_tables:
            rows = RELEASED.get(table.name, [])
            for row in rows:
                connection.execute(
                    insert(table), {key: as_stored(table.c[key], row[key]) for key in row}
                )
            if rows and "id" in table.c and request.param == "postgres":
                counter = f"pg_get_serial_sequence('\"{table.name}\"', 'id')"
                connection.execute(text(f"SELECT setval({counter}, {len(rows) + 99})"))
    engine.dispose()
    return url


def as_stored(column: Column[Any], value: Any) -> Any:
    """Return a value of the file as the database wants it."""
    if value is None:
        return None
    match column.type:
        case Boolean():
            return bool(value)
        case DateTime():
            return datetime.fromisoformat(value)
        case LargeBinary():
            return base64.b64decode(value)
    return value


def counts(url: str) -> dict[str, int]:
    """Return how many rows there are of what is kept for ever."""
    engine = create_engine(url)
    known = MetaData()
    with engine.connect() as connection:
        known.reflect(connection, only=KEPT, resolve_fks=False)
        found = {
            name: connection.scalar(select(func.count()).select_from(known.tables[name])) or 0
            for name in KEPT
        }
    engine.dispose()
    return found


@pytest.fixture
def upgraded(old_url: str, tmp_path: Path) -> Iterator[Flask]:
    """A site on that database, brought up to date one migration after the other."""
    before = counts(old_url)
    for number in LATER:
        upgrade(old_url, str(tmp_path), "OFF", to=number)
        assert counts(old_url) == before, number
    with running({"STOCKPILE_INSTANCE": str(tmp_path), "DATABASE_URL": old_url}) as app:
        yield app


def test_a_site_of_0_1_0_is_readable_and_goes_on_after_each_migration_in_turn(
    upgraded: Flask,
) -> None:
    app = upgraded
    players = [app.test_client() for _ in NAMES[:3]]
    for player, name in zip(players, NAMES, strict=False):
        assert sign_in(player, name).status_code == 303
    ann, bob = players[0], players[1]
    for path in ("/tables", "/tables/listed", "/notices", "/account", "/archive", "/admin/held"):
        assert ann.get(path).status_code == 200, path
    assert "There are none." in ann.get("/admin/held").text
    for match_id in (*RUNNING, OVER, WAITING):
        assert ann.get(f"/table/{match_id}").status_code == 200, match_id
    for match_id in (*RUNNING, OVER):
        assert "Good luck, @ann!" in ann.get(f"/table/{match_id}").text
        assert "Bob bluffs." in ann.get(f"/table/{match_id}").text
        assert ann.get(f"/table/{match_id}/log").status_code == 200
        for row in RELEASED["move"]:
            if row["match_id"] == match_id:
                turn = ann.get(f"/table/{match_id}/turn/{row['number']}")
                assert turn.status_code == 200, (match_id, row["number"])
    with app.app_context():
        theirs = select(Seat.orders).where(Seat.match_id == RUNNING[0], Seat.orders != "")
        assert "dividends" in db.session.scalars(theirs).one()
    assert bob.get(f"/table/{RUNNING[0]}/orders").status_code == 200
    rng = Random(1)
    for match_id in RUNNING:
        for _ in range(6):
            make_any_move(on_turn(app, match_id, players)[0], match_id, rng)
    assert bob.post(f"/table/{WAITING}/seating", data={"do": "join"}).status_code == 303
    make_any_move(on_turn(app, WAITING, players)[0], WAITING, rng)


def test_the_check_before_an_upgrade_carries_on_all_that_runs_on_a_site_of_0_1_0(
    old_url: str,
) -> None:
    assert [each.number for each in upgrade_check.pending(old_url)] == LATER
    assert [*upgrade_check.check({"DATABASE_URL": old_url})] == [*RUNNING]
    assert [each.number for each in upgrade_check.pending(old_url)] == LATER
