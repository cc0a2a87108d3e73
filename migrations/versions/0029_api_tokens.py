"""Programs may ask in the name of people, by tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.create_table(
        "api_token",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("user_id", sa.Integer, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("beginning", sa.String(8), nullable=False),
        sa.Column("may_play", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True)),
        sa.Column("used_at", sa.DateTime(timezone=True)),
        sa.PrimaryKeyConstraint("id", name="pk_api_token"),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name="fk_api_token_user_id_user"),
        sa.UniqueConstraint("token_hash", name="uq_api_token_token_hash"),
        sa.UniqueConstraint("user_id", "name", name="uq_api_token_user_id_name"),
    )
