"""Head to head: how somebody did against those with whom they played."""

from typing import Any, NamedTuple

from sqlalchemy import Row, Select, select

from stockpile_web.storage import models
from stockpile_web.storage.models import User
from stockpile_web.storage.names import isolated, key_of
from stockpile_web.storage.transactions import reading
from stockpile_web.web.people.visibility import may_see

MOST = 10


class Rival(NamedTuple):
    """Somebody, how often they met at a table, and how often each of them was ahead."""

    user_id: int
    name: str
    is_shown: bool  # Whoever asks may see their profile.
    met: int
    ahead: int
    behind: int

    @property
    def shown_name(self) -> str:
        """The name, as it stands among other words."""
        return isolated(self.name)


def rivals(user_id: int, viewer: int | None) -> list[Rival]:
    """Return those with whom somebody has played most often, as far as `viewer` may know.

    At tables that are not listed only those who sat there know who played: such tables count for
    the person whose profile it is, and between them and `viewer`. Who hides their profile is not in
    the profiles of others; to themselves, people show everybody.
    """
    met = models.Rival.met if viewer == user_id else models.Rival.listed_met
    most = _asking(user_id, viewer).where(met > 0)
    if viewer is None:
        own = []
    else:
        own = _read(_asking(user_id, viewer).where(models.Rival.rival_id == viewer), viewer)
        most = most.where(models.Rival.rival_id != viewer)
    most = most.order_by(met.desc(), models.Rival.rival_id.desc()).limit(MOST)
    found = [*own, *_read(most, viewer)]
    return sorted(found, key=lambda rival: (-rival.met, rival.name))[:MOST]


def rival_called(user_id: int, name: str, viewer: int | None) -> Rival | None:
    """Return how somebody did against the person of this name, if `viewer` may know any of it."""
    called = _asking(user_id, viewer).where(User.name_key == key_of(name))
    found = _read(called, viewer)
    return found[0] if found and found[0].met else None


def _asking(user_id: int, viewer: int | None) -> Select[Any]:
    """Return what asks for people whom somebody has met and `viewer` may know of."""
    is_shown = may_see(viewer)
    asking: Select[Any] = (
        select(*models.Rival.__table__.c, User.name, is_shown.label("is_shown"))
        .join(User, User.id == models.Rival.rival_id)
        .where(models.Rival.user_id == user_id, User.name.is_not(None))
    )
    return asking if viewer == user_id else asking.where(is_shown)


def _read(asking: Select[Any], viewer: int | None) -> list[Rival]:
    return [_rival(row, viewer) for row in reading().execute(asking)]


def _rival(row: Row[Any], viewer: int | None) -> Rival:
    whole = (row.met, row.ahead, row.behind)
    listed = (row.listed_met, row.listed_ahead, row.listed_behind)
    counts = whole if viewer in (row.user_id, row.rival_id) else listed
    return Rival(row.rival_id, row.name, row.is_shown, *counts)
