"""Head to head: how somebody did against those with whom they played."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import aliased

from stockpile_web.storage.database import db
from stockpile_web.storage.models import Seat, User
from stockpile_web.storage.names import isolated
from stockpile_web.web.people.record import Played
from stockpile_web.web.people.visibility import may_see

MOST = 10


class Rival(NamedTuple):
    """Somebody, at which tables they met, and how often each of them was ahead."""

    name: str
    is_shown: bool  # Whoever asks may see their profile.
    matches: frozenset[int]
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
    mine = {each.match_id: each.place for each in played if each.is_open}
    met: dict[int, dict[int, int]] = {}  # By whom: their place at each table.
    for match_id, other, place in _seats_beside(user_id):
        if match_id in mine:
            met.setdefault(other, {})[match_id] = place
    people = select(User.id, User.name, may_see(viewer)).where(User.id.in_(met))
    found = [
        Rival(
            name or "",
            is_shown,
            frozenset(met[other]),
            ahead=sum(mine[number] < place for number, place in met[other].items()),
            behind=sum(mine[number] > place for number, place in met[other].items()),
        )
        for other, name, is_shown in db.session.execute(people.where(User.name.is_not(None)))
        if is_shown or viewer == user_id
    ]
    return sorted(found, key=lambda rival: (-len(rival.matches), rival.name))


def _seats_beside(user_id: int) -> Sequence[tuple[int, int, int]]:
    """Return every seat of another person at a finished table of somebody: table, who, place."""
    mine, theirs = aliased(Seat), aliased(Seat)
    beside = (
        select(theirs.match_id, theirs.user_id, theirs.place)
        .join(mine, mine.match_id == theirs.match_id)
        .where(mine.user_id == user_id, mine.place.is_not(None))
        .where(theirs.user_id.is_not(None), theirs.user_id != user_id)
    )
    return [(row[0], row[1] or 0, row[2] or 0) for row in db.session.execute(beside)]
