"""Notices: what people are to be told, their channels and choices, and what was delivered."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "notice",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id"), nullable=False),
        sa.Column("match_id", sa.Integer, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("event", sa.String(10), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("made_at", MOMENT, nullable=False),
        sa.Column("seen_at", MOMENT),
        sa.Column("due_at", MOMENT, nullable=False),
        sa.Column("lease", sa.String(32)),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("told", sa.Text, nullable=False),
        sa.Column("done_at", MOMENT),
        sa.Column("outcome", sa.String(10)),
        sa.UniqueConstraint("user_id", "match_id", "event", "version"),
    )
    for name, column, where in (
        ("ix_notice_due", "due_at", sa.text("done_at IS NULL")),
        ("ix_notice_unseen", "user_id", sa.text("seen_at IS NULL")),
    ):
        op.create_index(name, "notice", [column], sqlite_where=where, postgresql_where=where)
    op.create_table(
        "channel",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id"), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("use", sa.String(10), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.UniqueConstraint("user_id", "kind"),
    )
    op.create_table(
        "notice_choice",
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id"), primary_key=True),
        sa.Column("events", sa.Text, nullable=False),
        sa.Column("delay", sa.Integer, nullable=False),
        sa.Column("quiet_from", sa.Integer),
        sa.Column("quiet_to", sa.Integer),
    )
    op.create_table(
        "delivery",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id"), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("place", sa.String(100), nullable=False),
        sa.Column("subject", sa.String(200), nullable=False),
        sa.Column("is_test", sa.Boolean, nullable=False),
        sa.Column("accepted", sa.Boolean, nullable=False),
        sa.Column("answer", sa.String(300), nullable=False),
        sa.Column("sent_at", MOMENT, nullable=False),
    )
    op.create_index("ix_delivery_user_time", "delivery", ["user_id", "sent_at"])
