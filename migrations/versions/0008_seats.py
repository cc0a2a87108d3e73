"""Seats: what was called a place is a seat, and `chat_version` counts more than the chat.

Each move says under which version of the rules its state was written.

The table is made anew and filled, so that all its constraints have the names of today on both
databases.
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

MOMENT = sa.DateTime(timezone=True)
MOMENTS = ("deadline_at", "remind_at", "acts_at")
COPIED = (
    "id, match_id, user_id, bot, bot_name, on_turn, waiting_since, moves_made, last_move, "
    "chat_seen, notes, deadline_at, remind_at, acts_at, bank, missed, is_open, votes, orders, "
    "order_note"
)


def upgrade() -> None:
    op.execute('ALTER TABLE "match" RENAME COLUMN chat_version TO table_version')
    rules_version = sa.Column("rules_version", sa.Integer, nullable=False, server_default="1")
    op.add_column("move", rules_version)
    op.create_table(
        "seat",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("match_id", sa.Integer, sa.ForeignKey("match.id"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id")),
        sa.Column("bot", sa.String(20)),
        sa.Column("bot_name", sa.String(20), nullable=False),
        sa.Column("on_turn", sa.Boolean, nullable=False),
        sa.Column("waiting_since", MOMENT),
        sa.Column("moves_made", sa.Integer, nullable=False),
        sa.Column("last_move", sa.Integer, nullable=False),
        sa.Column("chat_seen", sa.Integer, nullable=False),
        sa.Column("notes", sa.Text, nullable=False),
        *(sa.Column(name, MOMENT) for name in MOMENTS),
        sa.Column("bank", sa.Integer, nullable=False),
        sa.Column("missed", sa.Integer, nullable=False),
        sa.Column("is_open", sa.Boolean, nullable=False),
        sa.Column("votes", sa.Text, nullable=False),
        sa.Column("orders", sa.Text, nullable=False),
        sa.Column("order_note", sa.Text, nullable=False),
        sa.UniqueConstraint("match_id", "number"),
        sa.UniqueConstraint("match_id", "user_id"),
    )
    op.execute(f"INSERT INTO seat (number, {COPIED}) SELECT seat, {COPIED} FROM place")
    op.drop_table("place")
    op.create_index("ix_seat_user_turn", "seat", ["user_id", "on_turn"])
    for name in MOMENTS:
        filled = sa.text(f"{name} IS NOT NULL")
        op.create_index(
            f"ix_seat_{name}", "seat", [name], sqlite_where=filled, postgresql_where=filled
        )
    if op.get_bind().dialect.name == "postgresql":  # The copy has not counted the rows.
        newest = "(SELECT coalesce(max(id), 0) + 1 FROM seat)"
        op.execute(f"SELECT setval(pg_get_serial_sequence('seat', 'id'), {newest}, false)")
