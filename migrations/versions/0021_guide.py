"""The guide: up to which round of a match its decisions are explained to a seat."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    guided = sa.Column("guided", sa.Integer, nullable=False, server_default="0")
    op.add_column("seat", guided)
