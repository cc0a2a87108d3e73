"""Passkeys: keys in people's devices or password managers, by which they sign in."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from stockpile_web.storage.database import Base
from stockpile_web.storage.names import isolated


class Passkey(Base):
    """The public half of a key that a person may sign in with; the other never leaves them."""

    __tablename__ = "passkey"

    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("user.id"), index=True)
    # What its device calls it, and what its device calls the account: the same for all of one
    # person's, so that a device keeps one key of each account.
    credential_id: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    handle: Mapped[bytes] = mapped_column(LargeBinary)
    public_key: Mapped[bytes] = mapped_column(LargeBinary)
    # How often its device says it was used; many always say 0. Up to 32 bits without a sign.
    sign_count: Mapped[int] = mapped_column(BigInteger)
    name: Mapped[str] = mapped_column(String(40))
    created_at: Mapped[datetime]
    used_at: Mapped[datetime | None]

    @property
    def shown_name(self) -> str:
        """The name, as it stands among other words."""
        return isolated(self.name)
