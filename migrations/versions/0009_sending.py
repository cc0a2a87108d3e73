"""What requests leave to the worker to send: mails about accounts."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0007"  # 0008 is in another branch: it goes between.

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "account_mail",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id"), index=True),
        sa.Column("to", sa.String(254), nullable=False),
        sa.Column("name", sa.String(20), nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("due_at", MOMENT, nullable=False, index=True),
        sa.Column("lease", sa.String(32)),
        sa.Column("attempts", sa.Integer, nullable=False),
    )
