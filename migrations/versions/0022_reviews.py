"""What the coach says of the decisions of a seat in a match that is over, and who waits for it."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    moment = sa.DateTime(timezone=True)
    match = sa.ForeignKey("match.id")
    op.create_table(
        "review",
        sa.Column("match_id", sa.Integer, match, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("edition", sa.String(40), nullable=False),
        sa.Column("asked_at", moment, nullable=False),
        sa.Column("due_at", moment),
        sa.Column("done_at", moment),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("judged", sa.Integer, nullable=False),
        sa.Column("found", sa.Text, nullable=False),
    )
    is_due = sa.text("due_at IS NOT NULL")
    op.create_index(
        "ix_review_due_at", "review", ["due_at"], sqlite_where=is_due, postgresql_where=is_due
    )
