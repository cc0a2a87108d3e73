"""Accounts may be suspended and tables halted; what is done to an account names that account."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    op.add_column("user", sa.Column("suspended_at", sa.DateTime(timezone=True)))
    accounts = sa.text("deleted_at IS NULL AND guest_until IS NULL")
    op.create_index(
        "ix_user_account",
        "user",
        ["created_at", "id"],
        sqlite_where=accounts,
        postgresql_where=accounts,
    )
    op.create_index(
        "ix_user_admin",
        "user",
        ["id"],
        sqlite_where=sa.text("is_admin = 1"),
        postgresql_where=sa.text("is_admin"),
    )
    halted = sa.Column("halted_for", sa.String(200), nullable=False, server_default="")
    op.add_column("match", halted)
    problem = sa.Column("problem", sa.String(200), nullable=False, server_default="")
    op.add_column("account_mail", problem)
    op.add_column("audit", sa.Column("about_id", sa.Integer))
    op.create_index("ix_audit_about", "audit", ["about_id", "id"])
