"""What lets anybody check a match: its secret with the players' numbers, and imported files."""

from datetime import datetime

from sqlalchemy import ForeignKey, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from stockpile_web.storage.database import Base


class Seal(Base):
    """The secret of a table, fixed when it was made; matches dealt before there were any have none.

    In a table of its own: no move reads it.
    """

    __tablename__ = "seal"

    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), primary_key=True)
    secret: Mapped[str] = mapped_column(String(64))  # Until the match is over.
    # JSON: what each person has added (`match/sealing.py`); secret from others until the deal.
    contributions: Mapped[str] = mapped_column(Text, default="[]")
    # For each seat its place in the waiting room, with spaces between; empty before the deal.
    places: Mapped[str] = mapped_column(Text, default="")


class ImportedFile(Base):
    """The file from which a read-only match was made, as it came; it can be taken out again."""

    __tablename__ = "imported_file"

    match_id: Mapped[int] = mapped_column(ForeignKey("match.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    packed: Mapped[bytes] = mapped_column(LargeBinary)  # By zlib.
    imported_at: Mapped[datetime]
