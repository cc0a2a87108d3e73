"""Guests: people without a password, until when each may stay away before they are removed."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.add_column("user", sa.Column("guest_until", sa.DateTime(timezone=True)))
    is_guest = sa.text("guest_until IS NOT NULL")
    op.create_index(
        "ix_user_guest_until",
        "user",
        ["guest_until"],
        sqlite_where=is_guest,
        postgresql_where=is_guest,
    )
