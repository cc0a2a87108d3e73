"""Head to head: how somebody did against those with whom they played."""

from typing import Any, NamedTuple

from sqlalchemy import Select, case, func, or_, select, true
from sqlalchemy.orm import aliased

from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Seat, User
from stockpile_web.storage.names import isolated
from stockpile_web.web.people.visibility import counted, may_see, sat_there

MOST = 10


class Rival(NamedTuple):
    """Somebody, how often they played together, and who was ahead how often."""

    name: str
    played: int
    ahead: int
    behind: int
    is_shown: bool  # Whoever asks may see their profile.

    @property
    def shown_name(self) -> str:
        """The name, as it stands among other words."""
        return isolated(self.name)


def rivals(user_id: int, viewer: int | None) -> list[Rival]:
    """Return those with whom somebody has finished most matches, as far as `viewer` may know."""
    asked = _against(user_id, viewer).limit(MOST)
    return [Rival._make(row) for row in db.session.execute(asked)]


def rival(user_id: int, other_id: int, viewer: int | None) -> Rival | None:
    """Return how somebody did against one other person; None if they never played."""
    row = db.session.execute(_against(user_id, viewer, other_id)).one_or_none()
    return Rival._make(row) if row else None


def matches_of(user_id: int, other_id: int) -> set[int]:
    """Return the tables at which two people sat together."""
    mine, theirs = aliased(Seat), aliased(Seat)
    both = (
        select(mine.match_id)
        .join(theirs, theirs.match_id == mine.match_id)
        .where(mine.user_id == user_id, theirs.user_id == other_id)
    )
    return set(db.session.scalars(both))


def _against(user_id: int, viewer: int | None, other_id: int | None = None) -> Select[Any]:
    """Ask how somebody did against others, or against one; whom they played most comes first.

    At tables that are not listed only those who sat there know who played. Who hides their profile
    is not in the profiles of others; to themselves, people show everybody.
    """
    mine, theirs = aliased(Seat), aliased(Seat)
    is_mine, is_shown = viewer == user_id, may_see(viewer)
    sums = (
        select(
            theirs.user_id,
            func.count().label("played"),
            func.sum(case((mine.place < theirs.place, 1), else_=0)).label("ahead"),
            func.sum(case((mine.place > theirs.place, 1), else_=0)).label("behind"),
        )
        .select_from(mine)
        .join(Match, Match.id == mine.match_id)
        .join(theirs, theirs.match_id == mine.match_id)
        .where(mine.user_id == user_id, theirs.user_id != user_id, mine.place.is_not(None))
        .where(counted(), true() if is_mine else or_(Match.listed, sat_there(viewer)))
        .where(true() if other_id is None else theirs.user_id == other_id)
        .group_by(theirs.user_id)
        .subquery()
    )
    return (
        select(User.name, sums.c.played, sums.c.ahead, sums.c.behind, is_shown)
        .join(sums, sums.c.user_id == User.id)
        .where(User.name.is_not(None), true() if is_mine else is_shown)
        .order_by(sums.c.played.desc(), User.name)
    )
