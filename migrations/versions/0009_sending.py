"""What a worker is to send: notices by channel, tests, and mails about accounts."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

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
    op.create_table(
        "send_job",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id"), nullable=False, index=True),
        sa.Column("notice_id", sa.Integer, sa.ForeignKey("notice.id", ondelete="CASCADE")),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("lane", sa.String(10), nullable=False),
        sa.Column("made_at", MOMENT, nullable=False),
        sa.Column("due_at", MOMENT, nullable=False),
        sa.Column("lease", sa.String(32)),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.UniqueConstraint("notice_id", "kind"),
    )
    op.create_index("ix_send_job_lane_due", "send_job", ["lane", "due_at"])
    op.drop_index("ix_notice_due", "notice")
    queued = sa.Column("queued", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("notice", queued)
    where = sa.text("done_at IS NULL AND NOT queued")
    op.create_index(
        "ix_notice_due", "notice", ["due_at"], sqlite_where=where, postgresql_where=where
    )
    for name in ("lease", "attempts"):
        op.drop_column("notice", name)
    took = sa.Column("took", sa.Float, nullable=False, server_default="0")
    op.add_column("delivery", took)
    problem = sa.Column("problem", sa.String(300), nullable=False, server_default="")
    op.add_column("chat_link", problem)
