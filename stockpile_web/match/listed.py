"""Tables that are open to all, as their list shows them.

Rows of a few columns: with objects of SQLAlchemy, forty tables with five players each took twice
as long to show.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select

from stockpile_web.match.rows import SEAT_NAME
from stockpile_web.storage.models.matches import MISSED, PLAYING, Match, Seat, title_of
from stockpile_web.storage.models.people import User
from stockpile_web.storage.names import isolated

MOST_LISTED = 50


class ListedSeat(NamedTuple):
    """Who sits at a table, and whether it waits for them."""

    name: str  # As it stands among other words.
    on_turn: bool
    is_free: bool  # A substitute may take it.
    is_here: bool  # Its player plays here themselves, and has not been away for long.


@dataclass(slots=True)
class Listed:
    """A table, as the list shows it."""

    id: int
    name: str
    game: str
    options: str
    size: int
    status: str
    pace: str
    practice: bool
    halted_for: str  # Why an administrator has paused it.
    seats: list[ListedSeat] = field(default_factory=list)

    @property
    def title(self) -> str:
        """What this table is called."""
        return title_of(self.name, self.id)

    @property
    def is_paused(self) -> bool:
        """Tell whether it waits for anybody at all who plays there themselves."""
        return self.status == PLAYING and not any(seat.is_here for seat in self.seats)

    @property
    def is_halted(self) -> bool:
        """Tell whether an administrator has paused it."""
        return self.status == PLAYING and bool(self.halted_for)


_TABLES = (
    select(
        Match.id, Match.name, Match.game, Match.options, Match.size, Match.status, Match.pace,
        Match.practice, Match.halted_for,
    )
    .where(Match.listed, ~Match.practice, Match.status == bindparam("status"))
    .order_by(Match.id.desc())
    .limit(MOST_LISTED)
)  # fmt: skip
_SEATS = (
    select(
        Seat.match_id, SEAT_NAME, Seat.user_id, Seat.bot, Seat.on_turn, Seat.is_open, Seat.missed,
    )
    .outerjoin(User, User.id == Seat.user_id)
    .where(Seat.match_id.in_(_TABLES.with_only_columns(Match.id)))
    .order_by(Seat.match_id, Seat.number)
)  # fmt: skip


def read_listed(connection: Connection, status: str) -> list[Listed]:
    """Return the newest tables of this status that anybody may see, without those for practice."""
    tables = connection.execute(_TABLES, {"status": status})
    listed = {table[0]: Listed(*table) for table in tables}
    seats = connection.execute(_SEATS, {"status": status}) if listed else ()
    for number, *seat in seats:
        if number in listed:  # On Postgres a table may have come between the two.
            listed[number].seats.append(_seat(*seat))
    return list(listed.values())


def _seat(
    name: str, user_id: int | None, bot: str | None, on_turn: bool, is_open: bool, missed: int
) -> ListedSeat:
    is_away = missed >= MISSED
    is_here = user_id is not None and not bot and not is_away
    return ListedSeat(isolated(name), on_turn, is_open and is_away, is_here)
