"""A glance at a match: the rows of it as one person may see them, without running the rules."""

from dataclasses import dataclass
from functools import cached_property

from sqlalchemy import Connection

from stockpile_web.engine import Viewer
from stockpile_web.match.rows import MatchRow, SeatRow, read_table
from stockpile_web.people import groups
from stockpile_web.storage.models.matches import PLAYING
from stockpile_web.storage.names import isolated


@dataclass(frozen=True)
class Glance:
    """The little that tells who may see a match and whether a page of it is fresh: no rules."""

    match: MatchRow
    seats: list[SeatRow]
    viewer: Viewer

    @property
    def mark(self) -> str:
        """The version that open pages compare: moves, then all else."""
        return f"{self.match.version}.{self.match.table_version}"

    @property
    def seat(self) -> SeatRow | None:
        """The viewer's own seat."""
        if self.viewer is None:
            return None
        return next(seat for seat in self.seats if seat.number == self.viewer)

    @property
    def is_my_turn(self) -> bool:
        """Whether the match waits for the viewer in person, and not for a bot that stands in."""
        mine = self.seat
        is_asked = mine is not None and mine.on_turn and mine.bot is None
        return is_asked and self.match.status == PLAYING

    @cached_property
    def names(self) -> list[str]:
        """Who sits where, as it is shown."""
        return [isolated(seat.name) for seat in self.seats]


def glance(connection: Connection, match_id: int, user_id: int | None) -> Glance | None:
    """Look at a match as `user_id` may; None if there is none that concerns this person."""
    found = read_table(connection, match_id)
    if found is None:
        return None
    match, seats = found
    seen = seen_by(match, seats, user_id)
    return seen if seen.viewer is not None or may_watch(connection, match, user_id) else None


def may_watch(connection: Connection, match: MatchRow, user_id: int | None) -> bool:
    """Tell whether somebody who does not sit at a table may see it, and sit down if there is room.

    That is everybody where it is listed, and the members of the group to which it belongs. Whoever
    has imported a match, at which nobody sits, sees it as its host.
    """
    if match.listed or user_id is None:
        return match.listed
    if match.group_id is None:
        return match.practice and match.host_id == user_id
    return groups.role_of(connection, match.group_id, user_id) is not None


def seen_by(match: MatchRow, seats: list[SeatRow], user_id: int | None) -> Glance:
    """Return the glance of `user_id` at a match, without what others have for themselves alone."""
    mine = (seat.number for seat in seats if seat.user_id == user_id)
    viewer = None if user_id is None else next(mine, None)
    seats = [seat if seat.number == viewer else seat.as_others_see() for seat in seats]
    return Glance(match, seats, viewer)
