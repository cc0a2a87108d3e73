"""Where rounds and phases of a match begin, and problems that people report at a turn."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "chapter",
        sa.Column("match_id", sa.Integer, sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("phase", sa.String(30), nullable=False),
    )
    op.create_table(
        "report",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("match_id", sa.Integer, sa.ForeignKey("match.id"), nullable=False, index=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id"), nullable=False, index=True),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("build", sa.String(32), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True)),
    )
    is_open = sa.text("done_at IS NULL")
    op.create_index(
        "ix_report_open", "report", ["id"], sqlite_where=is_open, postgresql_where=is_open
    )
