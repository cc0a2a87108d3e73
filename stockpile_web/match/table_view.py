"""What a viewer is shown of a match: the table, as its rules let this viewer see it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, bindparam, select

from stockpile_web.engine import (
    Dealer,
    Event,
    Facts,
    IllegalMove,
    Result,
    Viewer,
    codec,
    take_turn,
)
from stockpile_web.games import GAMES
from stockpile_web.match import undo
from stockpile_web.match.glance import Glance, seen_by
from stockpile_web.match.rows import MatchRow, read_past
from stockpile_web.match.rules_versions import load_state
from stockpile_web.match.site_events import SET_BACK, TAKEN_BACK
from stockpile_web.match.speakers import Speaker, speakers_of
from stockpile_web.match.standing_orders import read_note, sheet
from stockpile_web.match.turn import Turn
from stockpile_web.match.undo import Sent
from stockpile_web.storage.cache import BoundedCache
from stockpile_web.storage.compiled_sql import Statement
from stockpile_web.storage.database import now
from stockpile_web.storage.models.matches import PLAYING, Match, Move

LOG_MOVES = 15
LOGS = 1 * 1024 * 1024  # Bytes.
FACTS_BYTES = 400  # What is known of an event takes about so many.


_STATE = Statement(
    select(Match.state).where(
        Match.id == bindparam("match_id"), Match.version == bindparam("version")
    )
)
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
_logs: BoundedCache[tuple[int, int, list["Happened"]]] = BoundedCache(
    "logs", LOGS, lambda log: FACTS_BYTES * sum(len(move.facts) for move in log[2])
)


def clear_cache() -> None:
    """Forget all logs that were read."""
    _logs.clear()


@dataclass(slots=True)
class Happened:
    """What a viewer may know of a move, and its words, if it was put into words."""

    number: int
    facts: list[Facts]
    words: Any = None


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
    since: list[Facts]  # All that is new to the viewer: from their last move on.
    last_move: int
    taken_back: set[int]  # Moves that have come to nothing.
    result: Result | None
    moves_made: int
    waiting_since: datetime | None
    takes_orders: bool = False
    orders: Any = None  # The sheet of the viewer's own orders, if they can leave any.
    order_note: Facts | None = None  # Why the viewer is asked in spite of them.
    take_back: Sent | None = None  # What the viewer may take back next.
    # Of a turn that the viewer is building; nobody else sees them.
    steps: list[Any] = field(default_factory=list)
    speakers: list[Speaker] = field(default_factory=list)
    sides: list["Table"] = field(default_factory=list)  # Of all players, where everything is open.

    @cached_property
    def board(self) -> Any:
        """What the game works out for its board."""
        return GAMES[self.game].board(self.view, self.moves, self.since, self.result)


def open_table(connection: Connection, seen: Glance, steps: Sequence[Any] = ()) -> Table:
    """Load a match that has been dealt as its viewer may see it.

    With `steps` of a turn that the viewer is building: they are taken in what was loaded, and that
    is never saved. IllegalMove if one of them is not open.
    """
    match, game = seen.match, GAMES[seen.match.game]
    state = read_state(connection, match)
    moves = []
    if seen.viewer is not None and match.status == PLAYING:
        moves = game.legal(state, seen.viewer)
    for step in steps:
        if seen.viewer is None:
            raise IllegalMove("You are watching.")
        take_turn(game, state, seen.viewer, step, Dealer(""), moves)
        moves = game.legal(state, seen.viewer)
    table = _newest(connection, seen, state, moves)
    return replace(table, steps=[*steps]) if steps else table


def open_after(turn: Turn, user_id: int) -> tuple[Glance, Table]:
    """Return a match that was just changed, as one of its players sees it, from what is in hand."""
    seen = seen_by(turn.match, turn.seats, user_id)
    is_asked = seen.viewer is not None and turn.match.status == PLAYING
    moves = turn.legal(seen.viewer) if is_asked and seen.viewer is not None else []
    return seen, _newest(turn.connection, seen, turn.state, moves, turn)


def _newest(
    connection: Connection, seen: Glance, state: Any, moves: list[Any], turn: Turn | None = None
) -> Table:
    match, mine = seen.match, seen.seat
    last_move = mine.last_move if mine else match.version
    log = _recent_log(connection, seen, min(last_move - 1, match.version - LOG_MOVES), turn)
    # My own last move counts: what it set in motion may be news to me.
    gone = taken_back(log)
    news = (move for move in log if move.number >= last_move and move.number not in gone)
    since = [facts for move in news for facts in move.facts]
    return _table(seen, state, moves, log, since, last_move, gone)


def taken_back(log: list[Happened]) -> set[int]:
    """Return the moves that have come to nothing; that they were taken back is one of them."""
    told = ((move.number, facts) for move in log for facts in move.facts)
    ranges = (
        range(facts["first"], number + 1)
        for number, facts in told
        if facts["kind"] in (TAKEN_BACK, SET_BACK)
    )
    return {number for each in ranges for number in each}


def read_state(connection: Connection, match: MatchRow) -> Any:
    """Read the state of a match as it stood when its row was read.

    Somebody may have moved since then, on Postgres: whoever was shown one version gets its state,
    and not one that has gone on.
    """
    text = _STATE.value(connection, match_id=match.id, version=match.version)
    if text is None:
        newest = match.version - 1
        text = read_past(connection, match.id, newest, newest)[newest].state
    return load_state(GAMES[match.game], text, match.rules_version)


def happened(
    connection: Connection, seen: Glance, after: int, version: int | None = None
) -> list[Happened]:
    """Return what a viewer may know of the moves after a move and up to `version`."""
    rows = read_events(connection, seen.match, after, version)
    return _as_happened(rows, seen.viewer)


def read_events(
    connection: Connection, match: MatchRow, after: int, version: int | None = None
) -> Sequence[tuple[int, str]]:
    """Return the events of the moves after a move and up to `version`, as they are stored."""
    version = match.version if version is None else version
    return _EVENTS.rows(connection, match_id=match.id, after=after, version=version)


def _recent_log(
    connection: Connection, seen: Glance, after: int, turn: Turn | None
) -> list[Happened]:
    """Return what a viewer may know of the moves after a move; only those to come are read anew.

    What somebody may know of a move that has been made never changes. The moves of a `turn` that
    was just saved are in hand.
    """
    key, version = (seen.match.invitation, seen.viewer), seen.match.version
    first, known, log = _logs.get(key) or (after, after + 1, [])
    if first > after or known > version:
        first, known, log = after, after + 1, []
    if known < version:
        if turn is not None and turn.moves and turn.moves[0]["number"] <= known:
            told = ((move["number"], move["events"]) for move in turn.moves)
            new = _as_happened(told, seen.viewer, max(known - 1, after))
        else:
            new = happened(connection, seen, max(known - 1, after))
        log = [*(move for move in log if move.number > after), *new]
        _logs.put(key, (after, version, log))
    return [move for move in log if move.number > after]


def _as_happened(
    moves: Iterable[tuple[int, str]], viewer: Viewer, after: int = -1
) -> list[Happened]:
    told = (Happened(number, _facts(text, viewer)) for number, text in moves if number > after)
    return [move for move in told if move.facts]


def _facts(text: str, viewer: Viewer) -> list[Facts]:
    """Return what `viewer` may know of the events of a move."""
    events = codec.load(list[Event], text)
    return [facts for event in events if (facts := event.seen_by(viewer)) is not None]


def _table(
    seen: Glance,
    state: Any,
    moves: list[Any],
    log: list[Happened],
    since: list[Facts],
    last_move: int,
    taken_back: set[int],
) -> Table:
    match, game = seen.match, GAMES[seen.match.game]
    waiting = [seat.waiting_since for seat in seen.seats if seat.on_turn]
    view = game.view(state, seen.viewer)
    mine = seen.seat if match.status == PLAYING else None
    return Table(
        match_id=match.id,
        game=match.game,
        title=game.TITLE,
        status=match.status,
        version=match.version,
        viewer=seen.viewer,
        view=view,
        moves=moves,
        names=seen.names,
        bots=[seat.bot is not None for seat in seen.seats],
        log=log,
        since=since,
        last_move=last_move,
        taken_back=taken_back,
        result=game.result(state),
        moves_made=seen.seat.moves_made if seen.seat else 0,
        waiting_since=min(filter(None, waiting), default=None),
        takes_orders=mine is not None and game.ORDERS is not None,
        orders=sheet(game, mine.orders, view) if mine else None,
        order_note=read_note(mine.order_note, mine.moves_made) if mine else None,
        take_back=undo.offered_to(match, mine, now()) if mine else None,
        speakers=speakers_of(game, seen.seats),
    )
