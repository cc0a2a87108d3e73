"""Whether a person wants no more offers to be told of their turns, where they wait."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    no_offer = sa.Column("no_offer", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("notice_choice", no_offer)
