"""When the next backup is due, and how the last one went."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "scheduled_backup",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("due_at", moment, nullable=False),
        sa.Column("made_at", moment),
        sa.Column("file", sa.Text, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("problem", sa.Text, nullable=False),
    )
