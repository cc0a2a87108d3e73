"""Tables: matches, places, moves and chat."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "match",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game", sa.String(20), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("host_id", sa.Integer, sa.ForeignKey("user.id"), nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("pace", sa.String(10), nullable=False),
        sa.Column("open_chat", sa.Boolean, nullable=False),
        sa.Column("invitation", sa.String(32), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("started_at", MOMENT),
        sa.Column("moved_at", MOMENT),
        sa.Column("ended_at", MOMENT),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("chat_version", sa.Integer, nullable=False),
        sa.Column("rematch_id", sa.Integer, sa.ForeignKey("match.id")),
        sa.UniqueConstraint("invitation"),
    )
    op.create_index(op.f("ix_match_status"), "match", ["status"])
    op.create_table(
        "place",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("match_id", sa.Integer, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id")),
        sa.Column("bot", sa.String(20)),
        sa.Column("on_turn", sa.Boolean, nullable=False),
        sa.Column("waiting_since", MOMENT),
        sa.Column("moves_made", sa.Integer, nullable=False),
        sa.Column("last_move", sa.Integer, nullable=False),
        sa.Column("chat_seen", sa.Integer, nullable=False),
        sa.Column("notes", sa.Text, nullable=False),
        sa.UniqueConstraint("match_id", "seat"),
        sa.UniqueConstraint("match_id", "user_id"),
    )
    op.create_index("ix_place_user_turn", "place", ["user_id", "on_turn"])
    op.create_table(
        "move",
        sa.Column("match_id", sa.Integer, sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer),
        sa.Column("turn", sa.Integer),
        sa.Column("digest", sa.String(32)),
        sa.Column("move", sa.Text, nullable=False),
        sa.Column("events", sa.Text, nullable=False),
        sa.Column("frame", sa.LargeBinary, nullable=False),
        sa.Column("made_at", MOMENT, nullable=False),
    )
    op.create_table(
        "message",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("match_id", sa.Integer, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id"), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("said_at", MOMENT, nullable=False),
    )
    op.create_index(op.f("ix_message_match_id"), "message", ["match_id"])
