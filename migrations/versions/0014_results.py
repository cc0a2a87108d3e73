"""How a match ended, beside it and its seats; and which matches are practice and do not count.

Those that are over already are reckoned by the worker, from the state in which they ended.
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    practice = sa.Column("practice", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("match", practice)
    for table, names in (("match", ("top_score", "margin")), ("seat", ("place", "score"))):
        for name in names:
            op.add_column(table, sa.Column(name, sa.Integer))
