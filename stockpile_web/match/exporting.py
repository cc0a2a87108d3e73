"""A whole match as a file, as far as its viewer may know it: everything once it is over.

While it is not over, of the moves of others only what this viewer was told, and when to the
minute: the exact moment would tell that a standing order was faster than anybody can be.
"""

from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, select

from stockpile_web.engine import Event, Facts, Result, Viewer, codec
from stockpile_web.games import GAMES
from stockpile_web.match import match_file, sealing
from stockpile_web.match.glance import Glance
from stockpile_web.match.match_file import (
    ContributionFacts,
    Made,
    MatchFacts,
    MatchFile,
    MoveFacts,
    SealFacts,
    SeatFacts,
)
from stockpile_web.match.rules_versions import Held
from stockpile_web.match.seeds import BROWSER
from stockpile_web.match.standing_orders import ORDERED
from stockpile_web.match.table_view import read_state
from stockpile_web.storage.models.matches import BOT, CLOCK, CLOSED, ORDER, OVER, Move

MADE_BY: dict[str, Made] = {"": "player", BOT: "bot", ORDER: "order", CLOCK: "clock"}
_COLUMNS = (
    Move.number, Move.seat, Move.made_by, Move.made_at, Move.rules_version, Move.move, Move.events,
)  # fmt: skip


def export(connection: Connection, seen: Glance) -> MatchFile:
    """Return a match that has been dealt as its viewer may know it."""
    match, game = seen.match, GAMES[seen.match.game]
    is_over = match.status == OVER
    view = None if is_over else game.view(read_state(connection, match), seen.viewer)
    moves = connection.execute(
        select(*_COLUMNS).where(Move.match_id == match.id).order_by(Move.number)
    )
    made = [
        _whole(move, seen.viewer) if is_over else _as_known(move, seen.viewer) for move in moves
    ]
    return MatchFile(
        format="stockpile-web match",
        version=match_file.VERSION,
        match=MatchFacts(
            id=match.id,
            name=match.name,
            game=match.game,
            options=match.options.split(),
            pace=match.pace,
            status=_status(match.status),
            started_at=match.started_at or made[0].made_at,
            ended_at=match.ended_at,
            is_practice=match.practice,
        ),
        seats=[SeatFacts(seat.number, seat.name, seat.user_id is None) for seat in seen.seats],
        viewer=seen.viewer,
        seal=_seal(connection, seen),
        moves=made,
        view=view,
        result=_result(connection, seen) if is_over else None,
    )


def _status(status: str) -> Literal["playing", "over", "closed"]:
    return "over" if status == OVER else "closed" if status == CLOSED else "playing"


def _result(connection: Connection, seen: Glance) -> Result | None:
    """Return how a match ended; None if it was played by rules that this server cannot read."""
    try:
        return GAMES[seen.match.game].result(read_state(connection, seen.match))
    except Held:
        return None


def _seal(connection: Connection, seen: Glance) -> SealFacts:
    mine = seen.seat.user_id if seen.seat else None
    shown = sealing.shown(connection, seen.match, seen.seats, mine)
    return SealFacts(
        fingerprint=shown.fingerprint,
        contributions=[
            ContributionFacts(
                each.seat, each.number, "browser" if each.source == BROWSER else "server"
            )
            for each in shown.contributions
            if each.seat is not None
        ],
        places=shown.places,
        secret=shown.secret or None,
        seed=shown.seed or None,
    )


def _whole(move: Any, viewer: Viewer) -> MoveFacts:
    """Return all of a move, but for this: that it was an order is for its owner alone."""
    events = codec.load(list[Event], move.events)
    if not _is_own(move, viewer):
        events = [without_order(event) for event in events]
    return MoveFacts(
        **_outline(move, viewer, move.made_at),
        move=codec.load(Any, move.move) if move.move else None,
        events=events,
    )


def _as_known(move: Any, viewer: Viewer) -> MoveFacts:
    """Return what a viewer may know of a move while the match is not over."""
    is_mine = _is_own(move, viewer)
    made_at = move.made_at if is_mine else move.made_at.replace(second=0, microsecond=0)
    events = codec.load(list[Event], move.events)
    told = [facts for event in events if (facts := event.seen_by(viewer)) is not None]
    return MoveFacts(
        **_outline(move, viewer, made_at),
        move=codec.load(Any, move.move) if is_mine else None,
        told=told,
    )


def _outline(move: Any, viewer: Viewer, made_at: datetime) -> Facts:
    is_hidden = move.made_by == ORDER and not _is_own(move, viewer)
    return {
        "number": move.number,
        "seat": move.seat,
        "made_by": MADE_BY["" if is_hidden else move.made_by],
        "made_at": made_at,
        "rules_version": move.rules_version,
    }


def _is_own(move: Any, viewer: Viewer) -> bool:
    return viewer is not None and move.seat == viewer


def without_order(event: Event) -> Event:
    """Return an event without the mark by which the owner of an order reads that it has acted."""
    if not any(ORDERED in facts for facts in event.private.values()):
        return event
    private = {
        seat: {name: value for name, value in facts.items() if name != ORDERED}
        for seat, facts in event.private.items()
    }
    told = {seat: facts for seat, facts in private.items() if facts}
    return Event(event.kind, event.public, told)
