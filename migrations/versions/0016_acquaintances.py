"""Friends, blocks, groups with their tables, and invitations by name.

Whoever wanted to hear of anything hears of invitations, too.
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    for table, other in (("friend", "friend_id"), ("block", "blocked_id")):
        op.create_table(
            table,
            sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id"), primary_key=True),
            sa.Column(other, sa.Integer, sa.ForeignKey("user.id"), primary_key=True),
            sa.Column("made_at", MOMENT, nullable=False),
        )
        op.create_index(f"ix_{table}_{other}", table, [other])
    op.create_table(
        "group",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("name_key", sa.Text, nullable=False, unique=True),
        sa.Column("look", sa.Text, nullable=False),
        sa.Column("small_look", sa.Text, nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("entry", sa.String(10), nullable=False),
        sa.Column("invitation", sa.String(32), nullable=False, unique=True),
        sa.Column("made_at", MOMENT, nullable=False),
    )
    for name in ("look", "small_look"):
        op.create_index(f"ix_group_{name}", "group", [name])
    op.create_index("ix_group_entry_name", "group", ["entry", "name_key"])
    of_group = sa.ForeignKey("group.id", ondelete="CASCADE")
    op.create_table(
        "member",
        sa.Column("group_id", sa.Integer, of_group, primary_key=True),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id"), primary_key=True),
        sa.Column("role", sa.String(10), nullable=False),
        sa.Column("joined_at", MOMENT, nullable=False),
    )
    op.create_index("ix_member_user_id", "member", ["user_id"])
    op.create_table(
        "invitation",
        sa.Column("match_id", sa.Integer, sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("user_id", sa.Integer, sa.ForeignKey("user.id"), primary_key=True),
        sa.Column("by_id", sa.Integer, sa.ForeignKey("user.id"), nullable=False),
        sa.Column("made_at", MOMENT, nullable=False),
        sa.Column("is_told", sa.Boolean, nullable=False),
        sa.Column("is_declined", sa.Boolean, nullable=False),
    )
    op.create_index("ix_invitation_user_time", "invitation", ["user_id", "made_at"])
    op.create_index("ix_invitation_by_id", "invitation", ["by_id"])
    # Written out: Alembic would add the reference by itself, which SQLite cannot do.
    op.execute(
        'ALTER TABLE "match" ADD COLUMN group_id INTEGER '
        'CONSTRAINT fk_match_group_id_group REFERENCES "group" (id)'
    )
    known = sa.text("group_id IS NOT NULL")
    op.create_index(
        "ix_match_group_end",
        "match",
        ["group_id", "ended_at"],
        sqlite_where=known,
        postgresql_where=known,
    )
    op.execute("UPDATE notice_choice SET events = events || ' invited' WHERE events <> ''")
