"""Hosts and administrators are told of tables that cannot be shown."""

from alembic import op

revision = "0028"
down_revision = "0027"
RUNS_BESIDE = True  # The version before knows nothing of it, and needs not.


def upgrade() -> None:
    op.execute("UPDATE notice_choice SET events = events || ' broken' WHERE events <> ''")
