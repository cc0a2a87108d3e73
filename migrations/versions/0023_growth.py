"""The newest notices of a person are found without reading all of theirs."""

from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.create_index("ix_notice_user", "notice", ["user_id", "id"])
