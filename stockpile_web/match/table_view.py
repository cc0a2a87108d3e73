"""What a viewer is shown of a match: a glance to see whether they may, then the table itself."""

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, bindparam, case, func, select

from stockpile_web.engine import Event, Facts, Result, Viewer, codec
from stockpile_web.games import GAMES
from stockpile_web.match.standing_orders import read_note, sheet
from stockpile_web.storage import snapshots
from stockpile_web.storage.cache import BoundedCache
from stockpile_web.storage.compiled_sql import Statement
from stockpile_web.storage.models.matches import OVER, PLAYING, Match, Message, Move, Place
from stockpile_web.storage.models.people import FORMER_PLAYER, User

LOG_MOVES = 15
LOGS_KEPT = 300


class Public(NamedTuple):
    """What everybody who may see a match may know of it."""

    id: int
    game: str
    size: int
    options: str
    pace: str
    status: str
    version: int
    chat_version: int
    host_id: int
    listed: bool
    open_chat: bool
    invitation: str
    started_at: datetime | None
    rematch_id: int | None


class Chair(NamedTuple):
    """A seat and who sits in it."""

    seat: int
    place_id: int
    user_id: int | None
    name: str
    bot: str | None  # Which of the game's bots drives it.
    on_turn: bool
    waiting_since: datetime | None
    moves_made: int
    last_move: int
    chat_seen: int
    notes: str
    deadline_at: datetime | None
    remind_at: datetime | None
    acts_at: datetime | None
    bank: int
    missed: int
    is_open: bool
    votes: str
    orders: str  # For its player's eyes alone, as is the next.
    order_note: str


PUBLIC = [getattr(Match, name) for name in Public._fields]
# A bot has a name of its own; of somebody who has left there is none.
_NAME = case(
    (Place.user_id.is_(None), Place.bot_name), else_=func.coalesce(User.name, FORMER_PLAYER)
)
_CHAIR = (
    Place.seat, Place.id, Place.user_id, _NAME, Place.bot, Place.on_turn, Place.waiting_since,
    Place.moves_made, Place.last_move, Place.chat_seen, Place.notes, Place.deadline_at,
    Place.remind_at, Place.acts_at, Place.bank, Place.missed, Place.is_open, Place.votes,
    Place.orders, Place.order_note,
)  # fmt: skip

_MATCH = Statement(select(*PUBLIC).where(Match.id == bindparam("match_id")))
_CHAIRS = Statement(
    select(*_CHAIR)
    .outerjoin(User, User.id == Place.user_id)
    .where(Place.match_id == bindparam("match_id"))
    .order_by(Place.seat)
)
_STATE = Statement(select(Match.state).where(Match.id == bindparam("match_id")))
_EVENTS = Statement(
    select(Move.number, Move.events)
    .where(
        Move.match_id == bindparam("match_id"),
        Move.number > bindparam("after"),
        Move.number < bindparam("version"),
    )
    .order_by(Move.number),
    alone=True,
)

# Of a match and its viewer: from where on, up to which version, and what happened.
_logs: BoundedCache[tuple[int, int, list["Happened"]]] = BoundedCache(LOGS_KEPT)


@dataclass(frozen=True)
class Glance:
    """The little that tells who may see a match and whether a page of it is fresh: no rules."""

    match: Public
    chairs: list[Chair]
    viewer: Viewer

    @property
    def mark(self) -> str:
        """The version that open pages compare: moves, then chat."""
        return f"{self.match.version}.{self.match.chat_version}"

    @property
    def chair(self) -> Chair | None:
        """The viewer's own seat."""
        return None if self.viewer is None else self.chairs[self.viewer]

    @property
    def names(self) -> list[str]:
        """Who sits where."""
        return [chair.name for chair in self.chairs]


@dataclass(slots=True)
class Happened:
    """What a viewer may know of a move, and how it was told them, if it was."""

    number: int
    facts: list[Facts]
    told: Any = None


@dataclass(frozen=True)
class Table:
    """All that a board's template is given."""

    match_id: int
    game: str
    title: str
    status: str
    version: int
    viewer: Viewer
    view: Any
    moves: list[Any]
    names: list[str]
    bots: list[bool]
    log: list[Happened]
    since: list[Facts]
    result: Result | None
    moves_made: int
    waiting_since: datetime | None
    takes_orders: bool = False
    orders: Any = None  # The sheet of the viewer's own orders, if there are any.
    order_note: Facts | None = None  # Why the viewer is asked in spite of them.


def glance(connection: Connection, match_id: int, user_id: int | None) -> Glance | None:
    """Look at a match as `user_id` may; None if there is none that concerns this person."""
    row = _MATCH.row(connection, match_id=match_id)
    if row is None:
        return None
    seen = looked_at(Public._make(row), chairs_of(connection, match_id), user_id)
    return None if seen.viewer is None and not seen.match.listed else seen


def chairs_of(connection: Connection, match_id: int) -> list[Chair]:
    """Return the seats of a match in their order."""
    return [Chair._make(row) for row in _CHAIRS.rows(connection, match_id=match_id)]


def looked_at(match: Public, chairs: list[Chair], user_id: int | None) -> Glance:
    """Return the glance of `user_id` at a match, without the orders of others."""
    mine = (chair.seat for chair in chairs if chair.user_id == user_id)
    viewer = None if user_id is None else next(mine, None)
    chairs = [chair if chair.seat == viewer else _without_orders(chair) for chair in chairs]
    return Glance(match, chairs, viewer)


def open_table(connection: Connection, seen: Glance, state: Any = None) -> Table:
    """Load a match that has been dealt as its viewer may see it; its `state` may be at hand."""
    match, chair = seen.match, seen.chair
    if state is None:
        text = _STATE.value(connection, match_id=match.id)
        state = codec.load(GAMES[match.game].State, text or "")
    last_move = chair.last_move if chair else match.version
    log = _recent_log(connection, seen, min(last_move - 1, match.version - LOG_MOVES))
    # My own last move counts: what it set in motion may be news to me.
    since = [facts for move in log if move.number >= last_move for facts in move.facts]
    return _table(seen, state, log, since)


def open_turn(connection: Connection, seen: Glance, number: int) -> Table | None:
    """Load the state after move `number`, as its viewer may see it, without running the rules."""
    numbered = (Move.match_id == seen.match.id, Move.number <= number)
    frame_rows = connection.execute(
        select(Move.number, Move.frame)
        .where(*numbered, Move.number >= snapshots.key_of(number))
        .order_by(Move.number)
    ).all()
    if not frame_rows or frame_rows[-1].number != number:
        return None
    text = snapshots.unpack((row.number, row.frame) for row in frame_rows)
    state = codec.load(GAMES[seen.match.game].State, text)
    log = happened(connection, seen, number - 1, number + 1)
    return _table(seen, state, log, [facts for move in log for facts in move.facts], number + 1)


def order_sheet(connection: Connection, seen: Glance) -> Any:
    """Return the form for the viewer's standing orders, with what they have ordered so far."""
    game = GAMES[seen.match.game]
    text = _STATE.value(connection, match_id=seen.match.id)
    view = game.view(codec.load(game.State, text or ""), seen.viewer)
    return sheet(game, seen.chair.orders if seen.chair else "", view)


def seal(connection: Connection, seen: Glance) -> tuple[str, str]:
    """Return the seed's fingerprint, and the seed itself once the match is over.

    Shown from the start, the fingerprint proves afterwards that the deal was fixed beforehand.
    """
    seed = connection.scalar(select(Match.seed).where(Match.id == seen.match.id)) or ""
    is_open = seen.match.status == OVER
    return sha256(seed.encode()).hexdigest(), seed if is_open else ""


def newest_message(match_id: int) -> Select[int]:
    """Return the query for the number of the newest line of a match's chat."""
    return select(func.max(Message.id)).where(Message.match_id == match_id)


def happened(
    connection: Connection, seen: Glance, after: int, version: int | None = None
) -> list[Happened]:
    """Return what a viewer may know of the moves after a move and up to `version`."""
    version = seen.match.version if version is None else version
    rows = _EVENTS.rows(connection, match_id=seen.match.id, after=after, version=version)
    moves = (Happened(number, _facts(text, seen.viewer)) for number, text in rows)
    return [move for move in moves if move.facts]


def _recent_log(connection: Connection, seen: Glance, after: int) -> list[Happened]:
    """Return what a viewer may know of the moves after a move; only those to come are read anew.

    What somebody may know of a move that has been made never changes.
    """
    key, version = (seen.match.invitation, seen.viewer), seen.match.version
    first, known, log = _logs.get(key) or (after, after + 1, [])
    if first > after or known > version:
        first, known, log = after, after + 1, []
    if known < version:
        new = happened(connection, seen, max(known - 1, after))
        log = [*(move for move in log if move.number > after), *new]
        _logs.put(key, (after, version, log))
    return [move for move in log if move.number > after]


def _facts(text: str, viewer: Viewer) -> list[Facts]:
    """Return what `viewer` may know of the events of a move."""
    events = codec.load(list[Event], text)
    return [facts for event in events if (facts := event.seen_by(viewer)) is not None]


def _table(
    seen: Glance, state: Any, log: list[Happened], since: list[Facts], version: int | None = None
) -> Table:
    match, game = seen.match, GAMES[seen.match.game]
    newest = version is None
    asked = newest and match.status == PLAYING and seen.viewer is not None
    waiting = [chair.waiting_since for chair in seen.chairs if chair.on_turn]
    view = game.view(state, seen.viewer)
    chair = seen.chair if asked else None
    return Table(
        match_id=match.id,
        game=match.game,
        title=game.TITLE,
        status=match.status,
        version=match.version if version is None else version,
        viewer=seen.viewer,
        view=view,
        moves=game.legal(state, seen.viewer) if asked and seen.viewer is not None else [],
        names=seen.names,
        bots=[chair.bot is not None for chair in seen.chairs],
        log=log,
        since=since,
        result=game.result(state),
        moves_made=seen.chair.moves_made if seen.chair else 0,
        waiting_since=min(filter(None, waiting), default=None) if newest else None,
        takes_orders=chair is not None and game.ORDERS is not None,
        orders=sheet(game, chair.orders, view) if chair and chair.orders else None,
        order_note=read_note(chair.order_note, chair.moves_made) if chair else None,
    )


def _without_orders(chair: Chair) -> Chair:
    is_bare = not chair.orders and not chair.order_note
    return chair if is_bare else chair._replace(orders="", order_note="")
