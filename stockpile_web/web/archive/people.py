"""Whose matches may be listed by a name: of those whose profile one may see, and one's own."""

from typing import NamedTuple

from sqlalchemy import Connection, select

from stockpile_web.storage.models.people import User
from stockpile_web.storage.names import isolated, key_of
from stockpile_web.web.people.visibility import may_see


class Known(NamedTuple):
    """A person by whose name anybody may search."""

    id: int
    name: str

    @property
    def shown_name(self) -> str:
        """The name, as it stands among other words."""
        return isolated(self.name)


def find_person(connection: Connection, name: str, viewer: int | None) -> Known | None:
    """Return the person of this name, however it is typed, if `viewer` may see their profile."""
    named = select(User.id, User.name).where(User.name_key == key_of(name))
    found = connection.execute(named.where(may_see(viewer))).one_or_none()
    return Known(found.id, found.name) if found else None
