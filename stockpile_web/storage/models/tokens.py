"""Tokens: by which programs of a person may ask and play in their name."""

from datetime import datetime

from sqlalchemy import ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from stockpile_web.storage.database import Base


class ApiToken(Base):
    """A token of one person. Its secret was shown once; what is kept is enough to know it again."""

    __tablename__ = "api_token"
    __table_args__ = (UniqueConstraint("user_id", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
    name: Mapped[str] = mapped_column(String(40))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    beginning: Mapped[str] = mapped_column(String(8))  # So that its owner knows it again, too.
    may_play: Mapped[bool]  # Or else only look.
    created_at: Mapped[datetime]
    ends_at: Mapped[datetime | None]
    # Kept to the hour: looking should not write.
    used_at: Mapped[datetime | None]
