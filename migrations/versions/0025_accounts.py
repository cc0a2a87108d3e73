"""Addresses are confirmed, those in use count as such; what happens to accounts is noted."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.add_column("user", sa.Column("email_confirmed_at", sa.DateTime(timezone=True)))
    op.execute('UPDATE "user" SET email_confirmed_at = created_at WHERE email IS NOT NULL')
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("user_id", sa.Integer, nullable=False),
        sa.Column("event", sa.String(20), nullable=False),
        sa.Column("detail", sa.String(100), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name="fk_audit_user_id_user"),
    )
    op.create_index("ix_audit_at", "audit", ["at"])
    op.create_index("ix_audit_user", "audit", ["user_id", "id"])
