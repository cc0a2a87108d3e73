"""What is kept about the care of the site itself."""

from datetime import datetime

from sqlalchemy import BigInteger, Text
from sqlalchemy.orm import Mapped, mapped_column

from stockpile_web.storage.database import Base

ONLY = 1  # The number of the one row.


class ScheduledBackup(Base):
    """Backups that the worker makes by itself: one row, with the next and the last of them."""

    __tablename__ = "scheduled_backup"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    due_at: Mapped[datetime]
    made_at: Mapped[datetime | None]  # When the last one was made, where, and how large it is.
    file: Mapped[str] = mapped_column(Text, default="")
    size: Mapped[int] = mapped_column(BigInteger, default=0)
    problem: Mapped[str] = mapped_column(Text, default="")  # Why there is none since.
