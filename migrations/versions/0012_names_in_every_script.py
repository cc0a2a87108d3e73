"""What the name of each person looks like, so that no other may look like it.

So far names have plain letters, of which a few look alike.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

ALIKE = str.maketrans({"0": "O", "1": "l", "I": "l", "m": "rn"})


def upgrade() -> None:
    users = sa.table(
        "user",
        sa.column("id", sa.Integer),
        sa.column("name", sa.String),
        sa.column("look", sa.Text),
        sa.column("small_look", sa.Text),
    )
    for name in ("look", "small_look"):
        op.add_column("user", sa.Column(name, sa.Text))
        op.create_index(f"ix_user_{name}", "user", [name])
    connection = op.get_bind()
    for user_id, name in connection.execute(sa.select(users.c.id, users.c.name)).all():
        if name is not None:
            looks = {
                "look": name.translate(ALIKE).casefold(),
                "small_look": name.casefold().translate(ALIKE).casefold(),
            }
            connection.execute(sa.update(users).where(users.c.id == user_id).values(**looks))
