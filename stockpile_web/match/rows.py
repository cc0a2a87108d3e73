"""A match, its seats and its moves as they are read and written: one definition of each.

Reading, writing and comparing follow from the fields; which of them those at the table can see
decides whether a change is told to open pages.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from operator import attrgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, case, delete, func, insert, select, update

from stockpile_web.storage import snapshots
from stockpile_web.storage.compiled_sql import Statement, rows_of_each
from stockpile_web.storage.models.matches import MISSED, Match, Move, Seat, title_of
from stockpile_web.storage.models.people import FORMER_PLAYER, User
from stockpile_web.storage.names import isolated


@dataclass(slots=True)
class MatchRow:
    """What everybody who may see a match may know of it."""

    id: int
    name: str
    game: str
    size: int
    options: str
    pace: str
    status: str
    version: int  # Moves recorded, the deal included.
    table_version: int  # All else that those at the table can see.
    host_id: int
    listed: bool
    group_id: int | None  # Whose members may see it as if it were listed.
    open_chat: bool
    invitation: str
    started_at: datetime | None
    ended_at: datetime | None
    moved_at: datetime | None
    rematch_id: int | None
    rules_version: int
    undo: str  # For the one alone who may take something back.
    practice: bool
    top_score: int | None  # Of a match that is over, as is the next.
    margin: int | None
    halted_for: str  # Why an administrator has paused or ended it.

    @property
    def title(self) -> str:
        """What this table is called."""
        return title_of(self.name, self.id)


@dataclass(slots=True)
class SeatRow:
    """A seat and who sits in it; 0 is the id of one that is not stored yet."""

    id: int
    number: int
    user_id: int | None = None
    name: str = ""
    bot: str | None = None  # Which of the game's bots drives it.
    bot_name: str = ""
    on_turn: bool = False
    waiting_since: datetime | None = None
    moves_made: int = 0
    last_move: int = 0
    chat_seen: int = 0
    notes: str = ""
    deadline_at: datetime | None = None
    remind_at: datetime | None = None
    acts_at: datetime | None = None
    bank: int = 0
    missed: int = 0
    is_open: bool = False
    votes: str = ""
    orders: str = ""  # For its player's eyes alone, as is the next.
    order_note: str = ""
    thinking_seconds: int = 0
    turns_timed: int = 0
    substitute: bool = False
    guided: int = 0  # For its player alone.
    place: int | None = None  # Of a match that is over, as is the next.
    score: int | None = None

    @property
    def shown_name(self) -> str:
        """The name, as it stands among other words."""
        return isolated(self.name)

    @property
    def account_name(self) -> str | None:
        """The name under which its player has a profile, if they have one."""
        # No account's name has a space; a guest's has one, and so has a former player's.
        return self.name if self.user_id and " " not in self.name else None

    @property
    def is_free(self) -> bool:
        """Tell whether a substitute may take this seat; once its owner is back, none may."""
        return self.is_open and self.missed >= MISSED

    @property
    def is_person(self) -> bool:
        """Tell whether somebody plays here themselves."""
        return self.user_id is not None and not self.bot

    @property
    def is_here(self) -> bool:
        """Tell whether its player plays here themselves, and has not been away for long."""
        return self.is_person and self.missed < MISSED

    def stop_clock(self) -> None:
        """Let nothing happen here by itself any more."""
        self.deadline_at = self.remind_at = self.acts_at = None

    def as_others_see(self) -> "SeatRow":
        """Return a seat without what is for its player's eyes alone."""
        if not (self.orders or self.order_note or self.notes):
            return self
        return replace(self, orders="", order_note="", notes="")


Values = tuple[Any, ...]
_MATCH = tuple(field.name for field in fields(MatchRow))
_SEAT = tuple(field.name for field in fields(SeatRow))
# Changes of these are seen by nobody else: no page is told.
_PRIVATE = {"notes", "chat_seen", "orders", "order_note", "acts_at", "remind_at", "guided"}
_SEEN = [place for place, name in enumerate(_SEAT) if name not in _PRIVATE]
# A seat is stored without its name, which is its player's; its number changes only with its row.
_STORED = tuple(name for name in _SEAT if name not in ("id", "name"))
_CHANGING = tuple(name for name in _STORED if name != "number")
_MATCH_CHANGING = tuple(name for name in _MATCH if name not in ("id", "invitation"))

# A bot has a name of its own; of somebody who has left there is none.
SEAT_NAME = case(
    (Seat.user_id.is_(None), Seat.bot_name), else_=func.coalesce(User.name, FORMER_PLAYER)
)
# The values of a seat in the order of its fields: its id first, then its number.
values_of = attrgetter(*_SEAT)

MATCH_COLUMNS = [getattr(Match, name) for name in _MATCH]
_SEAT_COLUMNS = [SEAT_NAME if name == "name" else getattr(Seat, name) for name in _SEAT]

_READ_MATCH = Statement(select(*MATCH_COLUMNS).where(Match.id == bindparam("match_id")))
# Postgres: whoever is here first goes first. SQLite: we are the only writer. What refers to the
# row (notices, messages) may go on being written: its key does not change.
_LOCK_MATCH = Statement(
    select(Match.seed, Match.state, *MATCH_COLUMNS)
    .where(Match.id == bindparam("match_id"))
    .with_for_update(key_share=True)
)
_READ_SEATS = Statement(
    select(*_SEAT_COLUMNS)
    .outerjoin(User, User.id == Seat.user_id)
    .where(Seat.match_id == bindparam("match_id"))
    .order_by(Seat.number)
)
# Both at once: Postgres shows each statement another moment, and a move may come in between.
_READ_TABLE = Statement(
    select(*MATCH_COLUMNS, *_SEAT_COLUMNS)
    .outerjoin(Seat, Seat.match_id == Match.id)
    .outerjoin(User, User.id == Seat.user_id)
    .where(Match.id == bindparam("match_id"))
    .order_by(Seat.number)
)
_WRITE_MATCH = Statement(
    update(Match)
    .where(Match.id == bindparam("match_id"))
    .values({name: bindparam(name) for name in (*_MATCH_CHANGING, "seed", "state")})
)
# With its match, by which a database may be split: the row's own number says nothing of where.
_THIS_SEAT = and_(Seat.match_id == bindparam("of_match"), Seat.id == bindparam("seat_id"))
_WRITE_SEAT = Statement(
    update(Seat).where(_THIS_SEAT).values({name: bindparam(name) for name in _CHANGING})
)
_DELETE_SEAT = Statement(delete(Seat).where(_THIS_SEAT))
_INSERT_SEAT = Statement(insert(Seat), ("match_id", *_STORED))
_RECORD = Statement(insert(Move), Move.__table__.c.keys())
_DIGEST = Statement(
    select(Move.digest).where(
        Move.match_id == bindparam("match_id"),
        Move.seat == bindparam("seat"),
        Move.turn == bindparam("turn"),
    )
)


def read_match(connection: Connection, match_id: int) -> MatchRow | None:
    """Read a match."""
    row = _READ_MATCH.row(connection, match_id=match_id)
    return row and MatchRow(*row)


def read_table(connection: Connection, match_id: int) -> tuple[MatchRow, list[SeatRow]] | None:
    """Read a match and its seats, as they were at one moment."""
    found = _READ_TABLE.rows(connection, match_id=match_id)
    if not found:
        return None
    of_match = len(_MATCH)
    seats = [SeatRow(*row[of_match:]) for row in found if row[of_match] is not None]
    return MatchRow(*found[0][:of_match]), seats


def lock_table(
    connection: Connection, match_id: int
) -> tuple[str, str, MatchRow, list[SeatRow]] | None:
    """Read a match to change it: its seed, its state, all else, and its seats.

    Not by one statement: whoever has waited for the lock would see the seats as they were before.
    """
    found, seats = rows_of_each(connection, [_LOCK_MATCH, _READ_SEATS], match_id=match_id)
    if not found:
        return None
    seed, state, *rest = found[0]
    return seed, state, MatchRow(*rest), [SeatRow(*row) for row in seats]


def read_seats(connection: Connection, match_id: int) -> list[SeatRow]:
    """Return the seats of a match in their order."""
    return [SeatRow(*row) for row in _READ_SEATS.rows(connection, match_id=match_id)]


def write_match(connection: Connection, match: MatchRow, seed: str, state: str) -> None:
    """Write all that may have changed of a match."""
    new = {name: getattr(match, name) for name in _MATCH_CHANGING}
    _WRITE_MATCH.run(connection, {**new, "match_id": match.id, "seed": seed, "state": state})


def write_seats(
    connection: Connection, match_id: int, before: list[Values], after: list[SeatRow]
) -> None:
    """Write the seats that have changed since they had the values `before`.

    One with another number is another row.
    """
    numbers = {seat.id: seat.number for seat in after}
    known = {values[0]: values for values in before if numbers.get(values[0]) == values[1]}
    gone = [values[0] for values in before if values[0] not in known]
    if gone:
        _DELETE_SEAT.run(connection, *({"of_match": match_id, "seat_id": each} for each in gone))
    new = [seat for seat in after if seat.id not in known]
    if new:
        rows = [{name: getattr(seat, name) for name in _STORED} for seat in new]
        _INSERT_SEAT.run(connection, *({**row, "match_id": match_id} for row in rows))
    changed = [seat for seat in after if seat.id in known and values_of(seat) != known[seat.id]]
    if changed:
        rows = [{name: getattr(seat, name) for name in _CHANGING} for seat in changed]
        which = [{"of_match": match_id, "seat_id": seat.id} for seat in changed]
        _WRITE_SEAT.run(connection, *(r | w for r, w in zip(rows, which, strict=True)))


def write_moves(connection: Connection, moves: Sequence[dict[str, Any]]) -> None:
    """Record moves; two of one number cannot be."""
    _RECORD.run(connection, *moves)


def digest_of(connection: Connection, match_id: int, seat: int, turn: int) -> str | None:
    """Return the fingerprint of the form by which a seat has made a move of its own number."""
    digest: str | None = _DIGEST.value(connection, match_id=match_id, seat=seat, turn=turn)
    return digest


class Past(NamedTuple):
    """The state after a move, and by which version of the rules it was written."""

    state: str
    rules_version: int


def read_past(connection: Connection, match_id: int, first: int, last: int) -> dict[int, Past]:
    """Return the states after some moves in a row, by their numbers."""
    frames = connection.execute(
        select(Move.number, Move.frame, Move.rules_version)
        .where(Move.match_id == match_id, Move.number.between(snapshots.key_of(first), last))
        .order_by(Move.number)
    ).all()
    states = snapshots.unpack((row.number, row.frame) for row in frames)
    past = {
        row.number: Past(text, row.rules_version) for row, text in zip(frames, states, strict=True)
    }
    return {number: state for number, state in past.items() if number >= first}


def is_paused(match: MatchRow, seats: Iterable[SeatRow]) -> bool:
    """Tell whether a match waits: an administrator wants it to, or only bots are left to play."""
    return bool(match.halted_for) or not any(seat.is_here for seat in seats)


def is_seen(before: list[Values], after: list[SeatRow]) -> bool:
    """Tell whether those at the table can see what has changed."""
    return [_visible(seat) for seat in before] != [_visible(values_of(seat)) for seat in after]


def _visible(values: Values) -> list[Any]:
    return [values[place] for place in _SEEN]
