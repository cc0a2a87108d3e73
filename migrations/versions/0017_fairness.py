"""The secret of each table with the players' numbers, and files that were imported.

Matches dealt before have no secret, and are checked by their seed alone. Tables that wait for
their players get one at the deal.
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.create_table(
        "seal",
        _of_match(),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("contributions", sa.Text, nullable=False),
        sa.Column("places", sa.Text, nullable=False),
    )
    op.create_table(
        "imported_file",
        _of_match(),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id"), nullable=False),
        sa.Column("packed", sa.LargeBinary, nullable=False),
        sa.Column("imported_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_imported_file_user_id", "imported_file", ["user_id"])


def _of_match() -> sa.Column[int]:
    match = sa.ForeignKey("match.id")
    return sa.Column("match_id", sa.Integer, match, primary_key=True, autoincrement=False)
