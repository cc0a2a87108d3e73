"""A database of version 0.1.0 with people and a match in it, brought up to date."""

from collections.abc import Callable
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, create_engine, insert, select, text

from stockpile_web import create_app
from stockpile_web.settings import ROOT
from stockpile_web.storage import names
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Archived, Choice, Facet, Match, Move, Seat, User
from stockpile_web.storage.models.archive import list_of_facet, list_of_game
from stockpile_web.storage.schema import migrate
from tests.conftest import FAST
from tests.support import many_matches
from tests.support.added_up import added_up, kept

LAST_OF_0_1_0 = "0007"
BEFORE_SUMS = "0025"
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
        ann = db.session.get_one(User, 1)
        assert (ann.look, ann.small_look) == names.looks_of("Mill_10I")
        # What there was nothing to choose about is told.
        assert db.session.get_one(Choice, 1).events == "turn closing rematch invited"
        first, second = db.session.scalars(select(Seat).filter_by(match_id=1).order_by(Seat.number))
        assert (first.id, first.name, first.notes, first.bank) == (
            5,
            "Mill_10I",
            "Bob bluffs.",
            60,
        )
        assert (second.id, second.name, second.bot) == (9, "Abacus", "steady")
        assert db.session.scalars(select(Move.rules_version)).all() == [1]
        for whose in ("all", "user 1", "game stockpile", "rule stockpile bonds"):
            kept = db.session.get_one(Archived, (whose, 2))
            assert (kept.options, kept.moves, kept.closeness) == (" bonds ", 69, None)
        with db.engine.begin() as connection:  # New seats get numbers that are free.
            new = {"match_id": 1, "number": 2, "bot": "steady", "bot_name": "Brass"}
            connection.execute(insert(Seat).values(**new))
        db.session.remove()
        db.engine.dispose()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_results_from_before_sums_were_kept_are_added_up(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str
) -> None:
    url = f"sqlite:///{tmp_path}/old.db"
    if kind == "postgres":
        url = request.getfixturevalue("postgres").create("before_sums")

    def fill(connection: Connection) -> None:
        many_matches.fill(connection, 400, state="")
        connection.execute(text("UPDATE seat SET place = 1 WHERE match_id % 3 = 0 AND number = 3"))
        connection.execute(text('UPDATE "match" SET practice = true WHERE id = 60'))
        leave = f"""UPDATE "user" SET deleted_at = '{THEN}' WHERE id = 30"""
        connection.execute(text(leave))

    make_old(url, BEFORE_SUMS, fill)
    app = create_app({**FAST, "STOCKPILE_INSTANCE": str(tmp_path), "DATABASE_URL": url})
    migrate(app)
    with app.app_context():
        sums, rivals = kept(db.session.connection())
        assert (sums, rivals) == added_up(db.session.connection())
        assert sums[many_matches.ONE, "", 0, ""][-1] > 1, "a row of wins"
        in_lists = {
            (facet.game, facet.size, facet.options): db.session.query(Archived)
            .filter_by(whose=list_of_facet(facet.id))
            .count()
            for facet in db.session.scalars(select(Facet))
        }
        first = db.session.query(Archived).filter_by(whose=list_of_game(many_matches.FIRST))
        assert in_lists[many_matches.FIRST, 4, f" {many_matches.RARE} "] == 2
        assert first.count() == sum(
            count for (game, *_), count in in_lists.items() if game == many_matches.FIRST
        )
        db.session.remove()
        db.engine.dispose()
