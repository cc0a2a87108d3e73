"""Profiles, ratings, and how long players take; matches that are over wait to be reckoned."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    shown_to = sa.Column("profile_for", sa.String(10), nullable=False, server_default="members")
    op.add_column("user", shown_to)
    for name in ("thinking_seconds", "turns_timed"):
        op.add_column("seat", sa.Column(name, sa.Integer, nullable=False, server_default="0"))
    substitute = sa.Column("substitute", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("seat", substitute)
    op.create_index("ix_seat_user_match", "seat", ["user_id", "match_id"])
    op.create_table(
        "reckoning",
        sa.Column("match_id", sa.Integer, sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_reckoning_due_at", "reckoning", ["due_at"])
    op.execute(
        "INSERT INTO reckoning (match_id, due_at) "
        "SELECT id, ended_at FROM match WHERE status = 'over' AND ended_at IS NOT NULL"
    )
    op.create_table(
        "rating",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id")),
        sa.Column("bot", sa.String(20)),
        sa.Column("on_since", sa.DateTime(timezone=True)),
        sa.Column("strength", sa.Double, nullable=False),
        sa.Column("doubt", sa.Double, nullable=False),
        sa.Column("at_least", sa.Double, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.UniqueConstraint("user_id", "game"),
        sa.UniqueConstraint("bot", "game"),
    )
    op.create_index("ix_rating_game_at_least", "rating", ["game", "at_least"])
    op.create_table(
        "rating_change",
        sa.Column("rating_id", sa.Integer, sa.ForeignKey("rating.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("match_id", sa.Integer, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("strength", sa.Double, nullable=False),
        sa.Column("doubt", sa.Double, nullable=False),
        sa.UniqueConstraint("rating_id", "match_id"),
    )
    op.create_index("ix_rating_change_match_id", "rating_change", ["match_id"])
