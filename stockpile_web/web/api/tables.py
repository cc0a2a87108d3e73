"""At the table: looking, the log, the chat, and moving, all as the seat of whoever asks may."""

from typing import Annotated, Any

import msgspec
from flask import Response, abort
from werkzeug.datastructures import MultiDict

from stockpile_web.engine import Game, IllegalMove, Step, codec
from stockpile_web.games import GAMES
from stockpile_web.match import moves, past, perspective, table_view
from stockpile_web.match.glance import Glance
from stockpile_web.match.moves import StaleMove
from stockpile_web.match.options import options_of
from stockpile_web.match.perspective import Perspective
from stockpile_web.match.turn import NoSuchMatch, NotSeated, changing
from stockpile_web.storage.models.matches import OPEN, PLAYING, plain_title
from stockpile_web.storage.transactions import reading
from stockpile_web.web import board_cache, problems
from stockpile_web.web.api.operations import Asked, operation
from stockpile_web.web.api.shapes import (
    Chat,
    Log,
    LoggedMove,
    Message,
    RowNumber,
    Table,
    Text,
    seat_shape,
)
from stockpile_web.web.auth import blocked_by_me, me
from stockpile_web.web.chat import LONGEST_MESSAGE, say
from stockpile_web.web.table import find, seated

LOG_PAGE = 100  # Moves.
MOVED_ON = "The table has moved on: here it is as it stands now."

Side = Annotated[
    str,
    msgspec.Meta(
        description="From where to look: a seat's number, public or all; others' when it is over."
    ),
]


class AskedForTable(Asked):
    """From which side, and after which steps of a turn that is being built."""

    as_: Side = msgspec.field(default="", name="as")
    step: Annotated[
        list[str], msgspec.Meta(description="Steps as JSON, in their order; nothing is recorded.")
    ] = msgspec.field(default_factory=list)


class AskedForLog(Asked):
    """From which move on, and from which side."""

    since: RowNumber = 0
    as_: Side = msgspec.field(default="", name="as")


class NewMove(Asked):
    """A move of the list, with the steps before it if there are any.

    The same one sent twice counts once; one with an old counter is stale.
    """

    moves_made: RowNumber
    move: dict[str, Any]
    steps: list[dict[str, Any]] = []


class NewMessage(Asked):
    """Something to say."""

    text: Annotated[Text, msgspec.Meta(min_length=1, max_length=LONGEST_MESSAGE)]


@operation("GET", "/tables/<int:match_id>", Table, query=AskedForTable, errors=(403, 409))
def show_table(match_id: int, query: AskedForTable) -> Table:
    """Show a table as my seat sees it, and what I may do there."""
    seen = find(match_id)
    side, steps = perspective.choose(seen, query.as_), moves.read_steps(rules_of(seen), query.step)
    if seen.match.started_at is None:
        return as_seen(seen, None, side)
    return as_seen(seen, table_view.open_table(reading(), seen, steps), side)


@operation("GET", "/tables/<int:match_id>/log", Log, query=AskedForLog, errors=(403,))
def show_log(match_id: int, query: AskedForLog) -> Log:
    """Tell what has happened at a table since a move, as far as I may know."""
    seen = find(match_id)
    side, after = perspective.choose(seen, query.as_), query.since + LOG_PAGE
    told = past.told_to(reading(), seen, side, query.since, after - 1)
    has_more = after < seen.match.version
    return Log(
        moves=[LoggedMove(number=move.number, events=move.facts) for move in told],
        next=after if has_more else max(query.since, seen.match.version),
        has_more=has_more,
    )


@operation("GET", "/tables/<int:match_id>/chat", Chat, errors=(403,))
def show_chat(match_id: int) -> Chat:
    """Tell what was said lately."""
    said, blocked = board_cache.messages(reading(), find(match_id)), blocked_by_me()
    if said is None:
        abort(403)
    lines = [
        Message(
            name=line.name,
            text=line.text,
            said_at=line.said_at,
            is_blocked=line.user_id in blocked,
        )
        for line in said
    ]
    return Chat(messages=lines)


@operation("POST", "/tables/<int:match_id>/chat", status=204, body=NewMessage)
def say_something(match_id: int, body: NewMessage) -> Response:
    """Say something to the table at which I sit."""
    seen, text = seated(match_id), body.text.strip()
    if not text:
        return problems.answer(422, "There is nothing to say.", where="$.text")
    say(seen, text)
    return Response(status=204)


@operation("POST", "/tables/<int:match_id>/moves", Table, body=NewMove, errors=(409,))
def make_move(match_id: int, body: NewMove) -> Table | Response:
    """Make a move, and show the table as it stands then."""
    form = MultiDict(
        [
            ("moves_made", str(body.moves_made)),
            ("move", codec.dump(body.move)),
            *(("step", codec.dump(step)) for step in body.steps),
        ]
    )
    try:
        with changing(match_id) as turn:
            moves.submit(turn, me().id, form)
    except (NoSuchMatch, NotSeated):
        find(match_id)
        abort(403)
    except StaleMove:
        return problems.answer(409, MOVED_ON, "stale", table=as_it_stands(match_id))
    except IllegalMove as refusal:
        table = as_it_stands(match_id)
        return problems.answer(422, str(refusal), "illegal_move", table=table)
    return as_seen(*table_view.open_after(turn, me().id))


def as_it_stands(match_id: int) -> Table:
    """Return a table as whoever asks may see it now."""
    seen = find(match_id)
    has_begun = seen.match.started_at is not None
    return as_seen(seen, table_view.open_table(reading(), seen) if has_begun else None)


def as_seen(
    seen: Glance, opened: table_view.Table | None, side: Perspective | None = None
) -> Table:
    """Return a table that was opened for its viewer, if it has begun; or from another side."""
    match, mine, own = seen.match, seen.seat, perspective.own_side(seen)
    side = side or own
    view = opened and opened.view
    able = opened.moves if opened else []
    if opened and side != own:
        view, able = side.view(rules_of(seen), table_view.read_state(reading(), match)), []
    return Table(
        id=match.id,
        name=plain_title(match.name, match.id),
        game=match.game,
        options=options_of(match),
        size=match.size,
        status=match.status,
        pace=match.pace,
        practice=match.practice,
        seats=[seat_shape(seat, seat.name) for seat in seen.seats],
        is_my_turn=seen.is_my_turn,
        host=next((seat.name for seat in seen.seats if seat.user_id == match.host_id), None),
        listed=match.listed,
        version=match.version,
        table_version=match.table_version,
        started_at=match.started_at,
        ended_at=match.ended_at,
        invitation=match.invitation if mine and match.status in (OPEN, PLAYING) else None,
        side=side.key,
        my_seat=seen.viewer,
        moves_made=mine.moves_made if mine else 0,
        bank=mine.bank if mine and match.status == PLAYING else None,
        view=view,
        moves=able,
        steps=sorted({type(move).__name__ for move in able if isinstance(move, Step)}),
        result=opened.result if opened else None,
    )


def rules_of(seen: Glance) -> Game:
    """Return the game that is played at a table."""
    return GAMES[seen.match.game]
