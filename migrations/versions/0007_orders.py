"""Standing orders: what a player has decided beforehand, and why they are asked after all."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    for name in ("orders", "order_note"):
        op.add_column("place", sa.Column(name, sa.Text, nullable=False, server_default=""))
