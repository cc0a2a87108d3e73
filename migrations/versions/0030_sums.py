"""What results add up to is kept, and which rules were played together: nothing is counted anew."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"

COUNTS = ("met", "ahead", "behind", "listed_met", "listed_ahead", "listed_behind")
ENTRY = "match_id, listed, status, game, size, options, ended_at, moves, closeness, top_score"
SUMS = """user_id, game, size, rule, played, won, places, scores, best, thinking_seconds,
    turns_timed, streak, longest_streak"""
# Of people who are still there, at tables that count.
COUNTED = """FROM seat s JOIN "match" m ON m.id = s.match_id JOIN "user" u ON u.id = s.user_id
    WHERE s.place IS NOT NULL AND m.status = 'over' AND NOT m.practice AND u.deleted_at IS NULL"""


def upgrade() -> None:
    op.create_table(
        "tally",
        sa.Column("user_id", sa.Integer, nullable=False),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("rule", sa.String(40), nullable=False),
        sa.Column("played", sa.Integer, nullable=False),
        sa.Column("won", sa.Integer, nullable=False),
        sa.Column("places", sa.Integer, nullable=False),
        sa.Column("scores", sa.Integer, nullable=False),
        sa.Column("best", sa.Integer, nullable=False),
        sa.Column("thinking_seconds", sa.BigInteger, nullable=False),
        sa.Column("turns_timed", sa.Integer, nullable=False),
        sa.Column("streak", sa.Integer, nullable=False),
        sa.Column("longest_streak", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "game", "size", "rule", name="pk_tally"),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name="fk_tally_user_id_user"),
    )
    op.create_table(
        "rival",
        sa.Column("user_id", sa.Integer, nullable=False),
        sa.Column("rival_id", sa.Integer, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in COUNTS),
        sa.PrimaryKeyConstraint("user_id", "rival_id", name="pk_rival"),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name="fk_rival_user_id_user"),
        sa.ForeignKeyConstraint(["rival_id"], ["user.id"], name="fk_rival_rival_id_user"),
    )
    op.create_index("ix_rival_met", "rival", ["user_id", "met", "rival_id"])
    op.create_index("ix_rival_listed_met", "rival", ["user_id", "listed_met", "rival_id"])
    op.create_table(
        "facet",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_facet"),
        sa.UniqueConstraint("game", "size", "options", name="uq_facet_game_size_options"),
    )
    add_up(op.get_bind())
    list_facets(op.get_bind())


def add_up(connection: sa.Connection) -> None:
    """Add up all matches that are over."""
    _tally(connection, "''", "0", "''")
    _tally(connection, "m.game", "m.size", "''")
    known = sa.text("SELECT DISTINCT game, options FROM \"match\" WHERE status = 'over'")
    played = connection.execute(known).all()
    for game, word in sorted({(game, word) for game, words in played for word in words.split()}):
        if "=" not in word:  # What has a number is no switch.
            values = {"with_game": game, "with_rule": word, "word": f" {word} "}
            _tally(connection, "m.game", "m.size", ":with_rule", values)
    _meet(connection)


def _tally(
    connection: sa.Connection, game: str, size: str, rule: str, values: dict[str, str] | None = None
) -> None:
    """Add up those of one kind, the row of wins with them: it begins anew with each match lost."""
    some = """AND m.game = :with_game
        AND replace(' ' || m.options || ' ', :word, '') <> ' ' || m.options || ' '"""
    connection.execute(
        sa.text(f"""INSERT INTO tally ({SUMS})
        SELECT user_id, game, size, {rule}, sum(played), sum(won), sum(places), sum(scores),
        max(best), sum(seconds), sum(turns), max(CASE WHEN lost = last THEN won ELSE 0 END),
        max(won)
        FROM (SELECT user_id, game, size, lost, count(*) AS played,
            sum(CASE WHEN place = 1 THEN 1 ELSE 0 END) AS won, sum(place) AS places,
            sum(score) AS scores, max(score) AS best, sum(thinking_seconds) AS seconds,
            sum(turns_timed) AS turns,
            max(lost) OVER (PARTITION BY user_id, game, size) AS last
            FROM (SELECT s.user_id, {game} AS game, {size} AS size, s.place,
                coalesce(s.score, 0) AS score, s.thinking_seconds, s.turns_timed,
                sum(CASE WHEN s.place = 1 THEN 0 ELSE 1 END) OVER (
                    PARTITION BY s.user_id, {game}, {size} ORDER BY m.ended_at, m.id
                ) AS lost
                {COUNTED} {some if values else ""}) AS one
            GROUP BY user_id, game, size, lost) AS rows_of_wins
        GROUP BY user_id, game, size"""),
        values or {},
    )


def _meet(connection: sa.Connection) -> None:
    def times(condition: str) -> str:
        return f"sum(CASE WHEN {condition} THEN 1 ELSE 0 END)"

    ahead, behind = "s.place < t.place", "s.place > t.place"
    conditions = (ahead, behind, "m.listed", f"m.listed AND {ahead}", f"m.listed AND {behind}")
    theirs = """JOIN seat t ON t.match_id = s.match_id AND t.user_id <> s.user_id
        JOIN "user" r ON r.id = t.user_id"""
    counted = COUNTED.replace("WHERE", f"{theirs} WHERE t.place IS NOT NULL AND")
    connection.execute(
        sa.text(f"""INSERT INTO rival (user_id, rival_id, {", ".join(COUNTS)})
        SELECT s.user_id, t.user_id, count(*), {", ".join(map(times, conditions))}
        {counted} AND r.deleted_at IS NULL GROUP BY s.user_id, t.user_id""")
    )


def list_facets(connection: sa.Connection) -> None:
    """Put what is in the list of all into that of those which were played alike."""
    known = "SELECT DISTINCT game, size, options FROM archived WHERE whose = 'all'"
    facets: dict[tuple[str, int, str], int] = {}
    for game, size, options in connection.execute(sa.text(known)).all():
        # What has a number is no switch.
        switches = " ".join(("", *(word for word in options.split() if "=" not in word), ""))
        facet = facets.setdefault((game, size, switches), len(facets) + 1)
        values = {"whose": f"facet {facet}", "game": game, "size": size, "options": options}
        connection.execute(
            sa.text(f"""INSERT INTO archived (whose, {ENTRY}) SELECT :whose, {ENTRY} FROM archived
            WHERE whose = 'all' AND game = :game AND size = :size AND options = :options"""),
            values,
        )
    for (game, size, switches), number in facets.items():
        connection.execute(
            sa.text("INSERT INTO facet (id, game, size, options) VALUES (:id, :game, :size, :has)"),
            {"id": number, "game": game, "size": size, "has": switches},
        )
    if connection.dialect.name == "postgresql" and facets:  # The next one is numbered after these.
        connection.execute(sa.text("SELECT setval('facet_id_seq', (SELECT max(id) FROM facet))"))
