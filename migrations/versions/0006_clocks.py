"""Clocks: when a seat's time runs out, when people are awake, and their vacations."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

MOMENT = sa.DateTime(timezone=True)
BANKS = {"live": 900, "day": 2 * 86400, "three_days": 3 * 86400, "week": 7 * 86400}
MOMENTS = ("deadline_at", "remind_at", "acts_at")


def upgrade() -> None:
    for name in MOMENTS:
        op.add_column("place", sa.Column(name, MOMENT))
        filled = sa.text(f"{name} IS NOT NULL")
        op.create_index(
            f"ix_place_{name}", "place", [name], sqlite_where=filled, postgresql_where=filled
        )
    for table, column in (
        ("place", sa.Column("bank", sa.Integer, nullable=False, server_default="0")),
        ("place", sa.Column("missed", sa.Integer, nullable=False, server_default="0")),
        ("place", sa.Column("is_open", sa.Boolean, nullable=False, server_default=sa.false())),
        ("place", sa.Column("votes", sa.Text, nullable=False, server_default="")),
        ("user", sa.Column("awake_from", sa.Integer, nullable=False, server_default="8")),
        ("user", sa.Column("awake_to", sa.Integer, nullable=False, server_default="23")),
        ("user", sa.Column("awake_days", sa.String(7), nullable=False, server_default="1234567")),
    ):
        op.add_column(table, column)
    # Matches that are being played get their banks; whoever is on turn now is not hurried.
    for pace, seconds in BANKS.items():
        op.execute(
            f"UPDATE place SET bank = {seconds} WHERE match_id IN "
            f"(SELECT id FROM \"match\" WHERE status = 'playing' AND pace = '{pace}')"
        )
    op.create_table(
        "vacation",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id"), nullable=False),
        sa.Column("first_day", sa.Date, nullable=False),
        sa.Column("last_day", sa.Date, nullable=False),
    )
    op.create_index("ix_vacation_user_id", "vacation", ["user_id"])
