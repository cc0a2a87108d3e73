"""Bots of several kinds: a seat tells which of them drives it, and what it is called,
and a move who made it."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    name = sa.Column("bot_name", sa.String(20), nullable=False, server_default="")
    op.add_column("place", name)
    # There was one kind of bot, and the column told its name.
    op.execute("UPDATE place SET bot_name = bot WHERE bot IS NOT NULL AND user_id IS NULL")
    op.execute("UPDATE place SET bot = 'casual' WHERE bot IS NOT NULL")
    made_by = sa.Column("made_by", sa.String(10), nullable=False, server_default="")
    op.add_column("move", made_by)
