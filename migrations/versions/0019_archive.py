"""The archive: an index of matches that have ended; and ways to lists of those that have not."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

ORDERS = ("ended_at", "moves", "closeness", "top_score")
COLUMNS = "match_id, listed, status, game, size, options, ended_at, moves, closeness, top_score"
ENDED = """m.id, m.listed AND NOT m.practice, m.status, m.game, m.size, ' ' || m.options || ' ',
    m.ended_at, CASE WHEN m.version > 0 THEN m.version - 1 ELSE 0 END, -m.margin, m.top_score"""


def upgrade() -> None:
    op.create_table(
        "archived",
        sa.Column("whose", sa.String(80), primary_key=True),
        sa.Column("match_id", sa.Integer, sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("closeness", sa.Integer),
        sa.Column("top_score", sa.Integer),
    )
    ended = "m.status IN ('over', 'closed') AND m.ended_at IS NOT NULL"
    op.execute(
        f"INSERT INTO archived (whose, {COLUMNS}) SELECT 'all', {ENDED} "
        f'FROM "match" m WHERE {ended} AND m.listed AND NOT m.practice'
    )
    op.execute(
        f"INSERT INTO archived (whose, {COLUMNS}) SELECT 'user ' || s.user_id, {ENDED} "
        f'FROM "match" m JOIN seat s ON s.match_id = m.id '
        f"WHERE {ended} AND s.user_id IS NOT NULL"
    )
    _list_games_and_rules()
    # Each holds all columns: a search for what is rare walks one of them and opens no row.
    rest = ("listed", "status", "game", "size", "options", *ORDERS)
    for order in ORDERS:
        others = [column for column in rest if column != order]
        op.create_index(f"ix_archived_{order}", "archived", ["whose", order, "match_id", *others])
    op.create_index("ix_archived_match_id", "archived", ["match_id"])
    op.create_index("ix_match_listed", "match", ["listed", "status", "id"])
    unplaced = sa.text("place IS NULL")
    op.create_index(
        "ix_seat_unplaced", "seat", ["user_id"], sqlite_where=unplaced, postgresql_where=unplaced
    )


def _list_games_and_rules() -> None:
    """Put what is in the list of all into that of its game, and of each rule it was played with."""
    connection = op.get_bind()
    copy = f"INSERT INTO archived (whose, {COLUMNS}) SELECT :whose, {COLUMNS} FROM archived "
    known = "SELECT DISTINCT game, options FROM archived WHERE whose = 'all'"
    played = [(game, words.split()) for game, words in connection.execute(sa.text(known))]
    for game in sorted({game for game, _ in played}):
        these = sa.text(f"{copy} WHERE whose = 'all' AND game = :game")
        connection.execute(these, {"whose": f"game {game}", "game": game})
    for game, word in sorted({(game, word) for game, words in played for word in words}):
        these = sa.text(f"{copy} WHERE whose = :games AND replace(options, :word, '') <> options")
        key = word.partition("=")[0]
        values = {"whose": f"rule {game} {key}", "games": f"game {game}", "word": f" {word} "}
        connection.execute(these, values)
