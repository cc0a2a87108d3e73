"""What the room before a match shows of people: whom to invite, who was, whom I have blocked."""

from collections.abc import Iterable
from typing import Any

from stockpile_web.match.glance import Glance
from stockpile_web.people import groups, invitations
from stockpile_web.storage.models.matches import OPEN
from stockpile_web.storage.models.people import FORMER_PLAYER
from stockpile_web.storage.transactions import reading
from stockpile_web.web.auth import blocked_by_me, someone


def people_of(seen: Glance) -> dict[str, Any]:
    """Return what the page of a room needs to know of people, besides who sits there."""
    match, user, connection = seen.match, someone(), reading()
    blocked = blocked_among((seat.user_id, seat.shown_name) for seat in seen.seats)
    found: dict[str, Any] = {"group": None, "candidates": [], "asked": [], "blocked_here": blocked}
    found["others"] = to_block(seen)
    if user is None:
        return found
    if match.group_id is not None:
        mine = dict(groups.groups_of(connection, user.id))
        found["group"] = mine.get(match.group_id) and (match.group_id, mine[match.group_id])
    if seen.viewer is not None and match.status == OPEN:
        found["asked"] = invitations.asked_to(connection, match.id, user.id)
        group_id = match.group_id if found["group"] else None
        found["candidates"] = invitations.candidates(connection, match.id, group_id, user.id)
    return found


def blocked_among(people: Iterable[tuple[int | None, str]]) -> list[str]:
    """Return the names of those whom I have blocked: I should know before I sit down there."""
    blocked = blocked_by_me()
    return [name for person, name in people if person in blocked]


def to_block(seen: Glance) -> list[str]:
    """Return the names of those at a table whom its viewer may block."""
    user, blocked = someone(), blocked_by_me()
    if user is None or user.is_guest:
        return []
    others = (seat for seat in seen.seats if seat.user_id not in (None, user.id, *blocked))
    return [seat.name for seat in others if seat.name != FORMER_PLAYER]
