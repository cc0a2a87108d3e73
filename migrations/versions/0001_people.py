"""People: accounts, devices, reset links, counted attempts, kept mails."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "user",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(20)),
        sa.Column("name_key", sa.String(20)),
        sa.Column("email", sa.String(254)),
        sa.Column("email_key", sa.String(254)),
        sa.Column("password_hash", sa.String(255)),
        sa.Column("time_zone", sa.String(64), nullable=False),
        sa.Column("is_admin", sa.Boolean, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("deleted_at", MOMENT),
        sa.UniqueConstraint("name_key"),
    )
    op.create_index(op.f("ix_user_email_key"), "user", ["email_key"])
    op.create_table(
        "device",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id"), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("words", sa.String(80), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("seen_at", MOMENT, nullable=False),
        sa.UniqueConstraint("token_hash"),
    )
    op.create_index(op.f("ix_device_user_id"), "device", ["user_id"])
    op.create_index(op.f("ix_device_seen_at"), "device", ["seen_at"])
    op.create_table(
        "reset_link",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id"), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.UniqueConstraint("token_hash"),
    )
    op.create_index(op.f("ix_reset_link_user_id"), "reset_link", ["user_id"])
    op.create_table(
        "attempt",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("window", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("count", sa.Integer, nullable=False),
    )
    op.create_index(op.f("ix_attempt_window"), "attempt", ["window"])
    op.create_table(
        "kept_mail",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("to", sa.String(254), nullable=False),
        sa.Column("subject", sa.String(200), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
    )
