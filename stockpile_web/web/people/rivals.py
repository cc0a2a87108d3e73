"""Head to head: how somebody did against those with whom they played."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Select, func, select
from sqlalchemy.orm import aliased

from stockpile_web.storage.models import Seat, User
from stockpile_web.storage.names import isolated
from stockpile_web.storage.transactions import reading
from stockpile_web.web.people.record import Played, in_parts
from stockpile_web.web.people.visibility import may_see

MOST = 10

_MINE, _THEIRS = aliased(Seat), aliased(Seat)


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


def rivals(user_id: int, played: Sequence[Played], viewer: int | None) -> list[Rival]:
    """Return those with whom somebody has played, most often first, as far as `viewer` may know.

    At tables that are not listed only those who sat there know who played. Who hides their profile
    is not in the profiles of others; to themselves, people show everybody.
    """
    counted = _count(user_id, [each.match_id for each in played if each.is_open])
    people = select(User.id, User.name, may_see(viewer)).where(User.id.in_(counted))
    found = [
        Rival(other, name or "", is_shown, *counted[other])
        for other, name, is_shown in reading().execute(people.where(User.name.is_not(None)))
        if is_shown or viewer == user_id
    ]
    return sorted(found, key=lambda rival: (-rival.met, rival.name))


def meetings(user_id: int, rival: Rival) -> set[int]:
    """Return the tables at which both have sat to the end."""
    together = _beside(user_id, _THEIRS.match_id).where(_THEIRS.user_id == rival.user_id)
    return set(reading().scalars(together))


def _count(user_id: int, tables: Sequence[int]) -> dict[int, list[int]]:
    """Return how often others were met at these tables, and were behind or ahead, by who it was."""
    place = func.coalesce(_THEIRS.place, 0)
    counts: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    # Added up by the database: of thousands of seats a row comes back for each person.
    adding = _beside(
        user_id,
        _THEIRS.user_id,
        func.count(),
        func.count().filter(_MINE.place < place),
        func.count().filter(_MINE.place > place),
    ).group_by(_THEIRS.user_id)
    for part in in_parts(tables):
        for other, *times in reading().execute(adding.where(_THEIRS.match_id.in_(part))):
            counts[other] = [a + b for a, b in zip(counts[other], times, strict=True)]
    return counts


def _beside(user_id: int, *columns: Any) -> Select[Any]:
    """Return what asks for seats of other people at finished tables of somebody."""
    return (
        select(*columns)
        .join_from(_THEIRS, _MINE, _MINE.match_id == _THEIRS.match_id)
        .where(_MINE.user_id == user_id, _MINE.place.is_not(None))
        .where(_THEIRS.user_id.is_not(None), _THEIRS.user_id != user_id)
    )
