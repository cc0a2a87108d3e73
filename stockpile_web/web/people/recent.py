"""The latest matches of somebody, of those that whoever asks may know of."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import false, func, select

from stockpile_web.match.archive import is_also_of
from stockpile_web.storage.models import Archived, Match
from stockpile_web.storage.models.archive import list_of
from stockpile_web.storage.models.matches import OVER
from stockpile_web.storage.transactions import reading
from stockpile_web.web.people.record import Played, read_some

MOST_LISTED = 20
# Of somebody whose tables are hardly ever listed, so many are looked at.
LOOKED_AT = 1000
BEFORE_ALL = datetime(1900, 1, 1, tzinfo=UTC)


def recent(user_id: int, viewer: int | None, rival_id: int | None = None) -> list[Played]:
    """Return the latest matches of somebody, or of those the ones at which a rival sat, too.

    Listed ones; others are known to those who sat there.
    """
    mine = Archived.whose == list_of(user_id)
    entries = select(Archived.match_id).where(
        mine,
        Archived.status == OVER,
        Archived.ended_at > func.coalesce(_end_of_look(mine), BEFORE_ALL),
        Archived.listed | _is_known_to(viewer, user_id),
    )
    if rival_id is not None:
        entries = entries.where(is_also_of(list_of(rival_id)))
    latest = entries.order_by(Archived.ended_at.desc(), Archived.match_id.desc())
    return read_some(user_id, reading().scalars(latest.limit(MOST_LISTED)).all())


def _end_of_look(mine: Any) -> Any:
    ended_at = select(Archived.ended_at).where(mine).order_by(Archived.ended_at.desc())
    return ended_at.offset(LOOKED_AT).limit(1).scalar_subquery()


def _is_known_to(viewer: int | None, user_id: int) -> Any:
    """Say of an entry that is not listed that `viewer` sat there; one's own practice is none."""
    if viewer is None:
        return false()
    if viewer != user_id:
        return is_also_of(list_of(viewer))
    counts = select(Match.id).where(Match.id == Archived.match_id, Match.practice.is_(False))
    return counts.exists()
