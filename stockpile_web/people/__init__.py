"""Who knows whom, who administers, who is suspended; no HTTP, no HTML."""

from typing import NamedTuple

from sqlalchemy import Connection
from sqlalchemy.orm import Session

from stockpile_web.storage.models.people import FORMER_PLAYER
from stockpile_web.storage.names import isolated

# What can be asked: a session where rows are written, a connection where they are only read.
Database = Connection | Session


class Refusal(Exception):
    """That cannot be done; the message is for the person who tried."""


class Somebody(NamedTuple):
    """A person as they stand in a list."""

    id: int
    name: str | None

    @property
    def shown_name(self) -> str:
        """The name, as it stands among other words."""
        return isolated(self.name or FORMER_PLAYER)
