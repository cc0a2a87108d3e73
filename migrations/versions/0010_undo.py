"""What may be taken back: the moves since anybody else has acted."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("match", sa.Column("undo", sa.Text, nullable=False, server_default=""))
