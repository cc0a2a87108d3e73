"""A great many matches that have ended, written by SQL: for query plans, and for the bench."""

from runpy import run_path

from sqlalchemy import Connection, text

from stockpile_web.games import GAMES
from stockpile_web.settings import ROOT

PEOPLE = 200
SEATS = 4
ONE, OTHER = 7, 20  # Who have played much.
STATE = "x" * 3000  # As long as those of real matches.
MOMENT = {
    "sqlite": "datetime('2020-01-01', '+' || i || ' minutes') || '.000000'",
    "postgresql": "timestamptz '2020-01-01 00:00+00' + i * interval '1 minute'",
}
FIRST, *_ = GAMES
# A rule that a twelfth of all matches have, and one that hardly any has; of the first game.
COMMON, *_, RARE = (option.key for option in GAMES[FIRST].OPTIONS if option.numbers is None)
COLUMNS = "match_id, listed, status, game, size, options, ended_at, moves, closeness, top_score"
ENDED = """m.id, m.listed, m.status, m.game, m.size, ' ' || m.options || ' ', m.ended_at,
    m.version - 1, -m.margin, m.top_score"""


def fill(connection: Connection, count: int, state: str = STATE) -> None:
    """Write people and matches: one of ten is unlisted, one of twenty was closed.

    Two people sit at the first hundred, so that lists of theirs are long on the smallest of sites;
    so is that of a rule.
    """
    run = _Filling(connection)
    if connection.dialect.name == "postgresql":  # Millions of checks that cannot fail.
        run("SET LOCAL statement_timeout = 0")
        run("SET LOCAL session_replication_role = replica")
    moment = MOMENT[connection.dialect.name]
    run(
        f"""INSERT INTO "user" (id, name, name_key, time_zone, awake_from, awake_to, awake_days,
        is_admin, created_at) {_numbers()} SELECT i, 'person' || i, 'person' || i, 'UTC', 8, 23,
        '1234567', false, {moment} FROM n""",
        count=PEOPLE,
    )
    games = " ".join(f"WHEN {number} THEN '{slug}'" for number, slug in enumerate(GAMES))
    run(
        f"""INSERT INTO "match" (id, name, game, options, size, status, host_id, listed, pace,
        open_chat, invitation, created_at, started_at, moved_at, ended_at, rules_version, seed,
        state, version, table_version, undo, practice, top_score, margin) {_numbers()}
        SELECT i, 'Table ' || i, CASE i % {len(GAMES)} {games} END,
        CASE WHEN i IN (15, 45) THEN '{RARE}' WHEN i % {len(GAMES)} = 0 AND (i <= 100 OR i % 4 = 0)
        THEN '{COMMON}' ELSE '' END, {SEATS},
        CASE WHEN i % 20 = 3 THEN 'closed' ELSE 'over' END, 1 + i % {PEOPLE}, i % 10 <> 7, 'day',
        false, 'invitation' || i, {moment}, {moment}, {moment}, {moment}, 1, 'seed', :state,
        40 + i % 1000 * 7919 % 200, 0, '', false,
        CASE WHEN i % 20 <> 3 THEN 20 + i % 1000 * 104729 % 80 END,
        CASE WHEN i % 20 <> 3 THEN i % 1000 * 1009 % 30 END FROM n""",
        count=count,
        state=state,
    )
    sitting = f"""CASE WHEN m.id > 100 THEN 1 + (m.id * 7 + s.i * 13) % {PEOPLE}
        WHEN s.i = 1 THEN {ONE} WHEN s.i = 2 THEN {OTHER}
        ELSE 1 + {OTHER} + (m.id * 7 + s.i * 13) % ({PEOPLE} - {OTHER}) END"""
    run(
        f"""INSERT INTO seat (match_id, number, user_id, bot_name, on_turn, moves_made, last_move,
        chat_seen, notes, bank, missed, is_open, votes, orders, order_note, place, score)
        {_numbers()} SELECT m.id, s.i - 1, {sitting}, '', false, 10, 10, 0, '', 0, 0, false, '',
        '', '', CASE WHEN m.status = 'over' THEN s.i END, m.top_score - m.margin * (s.i - 1)
        FROM "match" m CROSS JOIN n s""",
        count=SEATS,
    )
    run(f"""INSERT INTO archived (whose, {COLUMNS}) SELECT 'all', {ENDED} FROM "match" m
        WHERE m.listed""")
    run(f"""INSERT INTO archived (whose, {COLUMNS}) SELECT 'user ' || s.user_id, {ENDED}
        FROM "match" m JOIN seat s ON s.match_id = m.id""")
    run(f"""INSERT INTO archived (whose, {COLUMNS}) SELECT 'game ' || m.game, {ENDED}
        FROM "match" m WHERE m.listed""")
    run(f"""INSERT INTO archived (whose, {COLUMNS}) SELECT 'rule ' || m.game || ' ' || m.options,
        {ENDED} FROM "match" m WHERE m.listed AND m.options <> ''""")
    run("ANALYZE")


def add_up(connection: Connection) -> None:
    """Write the sums and the facets of these matches, as the migration does for older ones."""
    (file,) = (ROOT / "migrations" / "versions").glob("*_sums.py")
    migration = run_path(str(file))
    migration["add_up"](connection)
    migration["list_facets"](connection)


def fill_notices(connection: Connection) -> None:
    """Write a notice for each seat, told and seen, and a delivery for each match; all of today."""
    run = _Filling(connection)
    run("""INSERT INTO notice (user_id, match_id, event, version, made_at, seen_at, due_at, queued,
        told, daily, done_at, outcome) SELECT s.user_id, s.match_id, 'turn', 1, CURRENT_TIMESTAMP,
        CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, true, 'mail', false, CURRENT_TIMESTAMP, 'sent'
        FROM seat s""")
    run("""INSERT INTO delivery (user_id, kind, place, subject, is_test, accepted, answer, took,
        sent_at) SELECT host_id, 'mail', 'a', 'b', false, true, 'OK', 0.1, CURRENT_TIMESTAMP
        FROM "match" m""")
    run("ANALYZE")
    if connection.dialect.name == "postgresql":  # What is made from now on has numbers after these.
        for table in ("user", "match"):
            run(f"""SELECT setval('{table}_id_seq', (SELECT max(id) FROM "{table}"))""")


class _Filling:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __call__(self, statement: str, **values: object) -> None:
        self._connection.execute(text(statement), values)


def _numbers() -> str:
    return "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :count)"
