"""What waits, and the newest of a person, are found without reading all notices."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.create_index("ix_notice_user", "notice", ["user_id", "id"])
    # SQLite uses a partial index only for questions with the same words: there it was never used.
    op.drop_index("ix_notice_due", "notice")
    op.create_index(
        "ix_notice_due",
        "notice",
        ["due_at"],
        sqlite_where=sa.text("done_at IS NULL AND queued = 0"),
        postgresql_where=sa.text("done_at IS NULL AND NOT queued"),
    )
