"""The audit log: what people did to their accounts, and administrators to the site."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from stockpile_web.storage.database import Base


class Audit(Base):
    """One thing that somebody did; never what they typed."""

    __tablename__ = "audit"
    __table_args__ = (
        Index("ix_audit_user", "user_id", "id"),
        Index("ix_audit_about", "about_id", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(index=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
    about_id: Mapped[int | None]  # To whose account it was done, if not to their own.
    event: Mapped[str] = mapped_column(String(20))
    detail: Mapped[str] = mapped_column(String(100), default="")
