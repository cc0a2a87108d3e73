"""Tables have names; those that are there keep their numbers.

There are two more events to be told of: whoever wanted to hear of others hears of these, too.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    name = sa.Column("name", sa.String(40), nullable=False, server_default="")
    op.add_column("match", name)
    told = "UPDATE notice_choice SET events = events || ' closing rematch' WHERE events <> ''"
    op.execute(told)
