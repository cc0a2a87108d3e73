"""Addresses are confirmed before mails go there; those that are in use count as such."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0023"


def upgrade() -> None:
    op.add_column("user", sa.Column("email_confirmed_at", sa.DateTime(timezone=True)))
    op.execute('UPDATE "user" SET email_confirmed_at = created_at WHERE email IS NOT NULL')
