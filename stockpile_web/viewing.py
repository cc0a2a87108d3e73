"""What a viewer is shown of a match: a glance to see whether they may, then the table itself."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, bindparam, func, select

from stockpile_web import codec, frames
from stockpile_web.engine import Event, Facts, Option, Result, Viewer
from stockpile_web.games import GAMES
from stockpile_web.models.people import FORMER_PLAYER, User
from stockpile_web.models.tables import OVER, PLAYING, Match, Message, Move, Place
from stockpile_web.standing import read_note, sheet

LOG_MOVES = 15

PUBLIC = (
    Match.id, Match.game, Match.size, Match.options, Match.pace, Match.status, Match.version,
    Match.chat_version,
    Match.host_id, Match.listed, Match.open_chat, Match.invitation, Match.started_at,
    Match.rematch_id,
)  # fmt: skip

# Written once and sent over the connection: building a statement anew, or having the session look
# for objects in it, costs several times what the database does for it.
_MATCH = select(*PUBLIC).where(Match.id == bindparam("match_id"))
_CHAIRS = (
    select(
        Place.seat, Place.user_id, User.name, Place.bot, Place.bot_name, Place.on_turn,
        Place.waiting_since, Place.moves_made, Place.last_move, Place.chat_seen, Place.notes,
        Place.orders, Place.order_note,
    )
    .outerjoin(User, User.id == Place.user_id)
    .where(Place.match_id == bindparam("match_id"))
    .order_by(Place.seat)
)  # fmt: skip
_STATE = select(Match.state).where(Match.id == bindparam("match_id"))
_EVENTS = (
    select(Move.number, Move.events)
    .where(Move.match_id == bindparam("match_id"), Move.number > bindparam("after"))
    .order_by(Move.number)
)


class Chair(NamedTuple):
    """A seat and who sits in it."""

    seat: int
    user_id: int | None
    name: str
    is_bot: bool
    on_turn: bool
    waiting_since: datetime | None
    moves_made: int
    last_move: int
    chat_seen: int
    notes: str
    orders: str  # Of the viewer's own seat alone, as is the next.
    order_note: str


@dataclass(frozen=True)
class Glance:
    """The little that tells who may see a match and whether a page of it is fresh: no rules."""

    match: Any  # A row of `PUBLIC`.
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
    log: list[Facts]
    since: list[Facts]
    result: Result | None
    moves_made: int
    waiting_since: datetime | None
    options: list[Option]
    takes_orders: bool = False
    orders: Any = None  # The sheet of the viewer's own orders; None without any.
    order_note: Facts | None = None  # Why the viewer is asked in spite of them.


def glance(connection: Connection, match_id: int, user_id: int | None) -> Glance | None:
    """Look at a match as `user_id` may; None if there is none that concerns this person."""
    which = {"match_id": match_id}
    match = connection.execute(_MATCH, which).one_or_none()
    if match is None:
        return None
    chairs = [_chair(row, user_id) for row in connection.execute(_CHAIRS, which)]
    mine = (chair.seat for chair in chairs if chair.user_id == user_id)
    viewer = None if user_id is None else next(mine, None)
    if viewer is None and not match.listed:
        return None
    return Glance(match, chairs, viewer)


def open_table(connection: Connection, seen: Glance) -> Table:
    """Load the newest state of a match that has been dealt, as its viewer may see it."""
    match, chair = seen.match, seen.chair
    text = connection.scalar(_STATE, {"match_id": match.id})
    last_move = chair.last_move if chair else match.version
    # My own last move counts: what it set in motion may be news to me.
    rows = events_after(connection, match.id, min(last_move - 1, match.version - LOG_MOVES))
    log = events_seen(rows, seen.viewer)
    return _table(seen, text or "", log, [facts for facts in log if facts["n"] >= last_move])


def open_turn(connection: Connection, seen: Glance, number: int) -> Table | None:
    """Load the state after move `number`, as its viewer may see it, without running the rules."""
    numbered = (Move.match_id == seen.match.id, Move.number <= number)
    frame_rows = connection.execute(
        select(Move.number, Move.frame)
        .where(*numbered, Move.number >= frames.key_of(number))
        .order_by(Move.number)
    ).all()
    if not frame_rows or frame_rows[-1].number != number:
        return None
    text = frames.unpack((row.number, row.frame) for row in frame_rows)
    events = select(Move.number, Move.events).where(*numbered, Move.number > number - LOG_MOVES)
    rows = connection.execute(events.order_by(Move.number)).all()
    log = events_seen(rows, seen.viewer)
    return _table(seen, text, log, [facts for facts in log if facts["n"] == number], number + 1)


def order_sheet(connection: Connection, seen: Glance) -> Any:
    """Return the form for the viewer's standing orders, with what they have ordered so far."""
    game = GAMES[seen.match.game]
    text = connection.scalar(_STATE, {"match_id": seen.match.id})
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


def events_seen(rows: Iterable[Any], viewer: Viewer) -> list[Facts]:
    """Return what `viewer` may know of the events in rows of (number, events), oldest first."""
    return [
        {**facts, "n": number}
        for number, text in rows
        for event in codec.load(list[Event], text)
        if (facts := event.seen_by(viewer)) is not None
    ]


def events_after(connection: Connection, match_id: int, number: int) -> Sequence[Any]:
    """Return (number, events) of the moves after `number`, oldest first."""
    later = {"match_id": match_id, "after": number}
    return connection.execute(_EVENTS, later).all()


def _table(
    seen: Glance, text: str, log: list[Facts], since: list[Facts], version: int | None = None
) -> Table:
    match, game = seen.match, GAMES[seen.match.game]
    state = codec.load(game.State, text)
    newest = version is None
    asked = newest and match.status == PLAYING and seen.viewer is not None
    waiting = [chair.waiting_since for chair in seen.chairs if chair.on_turn]
    chosen = match.options.split()
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
        bots=[chair.is_bot for chair in seen.chairs],
        log=log,
        since=since,
        result=game.result(state),
        moves_made=seen.chair.moves_made if seen.chair else 0,
        waiting_since=min(filter(None, waiting), default=None) if newest else None,
        options=[option for option in game.OPTIONS if option.key in chosen],
        takes_orders=chair is not None and game.ORDERS is not None,
        orders=sheet(game, chair.orders, view) if chair and chair.orders else None,
        order_note=read_note(chair.order_note, chair.moves_made) if chair else None,
    )


def _chair(row: Any, viewer_id: int | None) -> Chair:
    seat, user_id, name, bot, bot_name, *rest = row
    name = bot_name if user_id is None else name or FORMER_PLAYER
    chair = Chair(seat, user_id, name, bot is not None, *rest)
    is_own = user_id is not None and user_id == viewer_id
    return chair if is_own else chair._replace(orders="", order_note="")
