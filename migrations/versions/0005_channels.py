"""More ways to be told: pushes, chats at Telegram, once a day, a calendar; and of more."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "push_device",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id"), nullable=False, index=True),
        sa.Column(
            "device_id",
            sa.Integer,
            sa.ForeignKey("device.id", ondelete="CASCADE"),
            nullable=False,
            unique=True,
        ),
        sa.Column("words", sa.String(80), nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False, unique=True),
        sa.Column("public_key", sa.String(100), nullable=False),
        sa.Column("auth", sa.String(40), nullable=False),
        sa.Column("made_at", MOMENT, nullable=False),
    )
    op.create_table(
        "chat_link",
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id"), primary_key=True),
        sa.Column("code", sa.String(32), nullable=False, unique=True),
        sa.Column("bot", sa.String(64), nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.Column("listen_at", MOMENT, nullable=False),
    )
    daily = sa.Column("daily", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("notice", daily)
    op.add_column("notice_choice", sa.Column("daily_hour", sa.Integer))
    op.add_column("notice_choice", sa.Column("daily_at", MOMENT))
    op.create_index("ix_notice_choice_daily_at", "notice_choice", ["daily_at"])
    calendar = sa.Column("calendar", sa.String(32), nullable=False, server_default="")
    op.add_column("notice_choice", calendar)
    # Whoever wanted to hear of their turns wants to hear of these, too.
    op.execute("UPDATE notice_choice SET events = events || ' near mention' WHERE events <> ''")
