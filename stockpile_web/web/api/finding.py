"""What there is to be played: who I am, the games, my tables, those open to all, whose turn."""

from hashlib import blake2b
from typing import Annotated, Any, get_type_hints

import msgspec
from flask import Response, abort, request
from sqlalchemy import Select, select
from sqlalchemy.orm import defer, selectinload

from stockpile_web.engine import Game, Option
from stockpile_web.games import GAMES
from stockpile_web.match.options import options_of
from stockpile_web.match.time_controls import TIME_CONTROLS
from stockpile_web.storage.database import db
from stockpile_web.storage.models.matches import OPEN, PLAYING, Match, Seat, plain_title
from stockpile_web.web.api import openapi, tokens
from stockpile_web.web.api.operations import Asked, as_json, operation
from stockpile_web.web.api.shapes import (
    BotOfGame,
    GameOffered,
    Games,
    Me,
    Numbers,
    OptionOfGame,
    Pace,
    RowNumber,
    Schemas,
    Status,
    TableInList,
    Tables,
    TurnOfMine,
    Turns,
    name_of,
    seat_shape,
)
from stockpile_web.web.auth import me

PAGE = 50
MOST_TURNS = 100
ASK_AGAIN = 1  # Seconds after which it is worth asking again.

_SHOWN = (
    defer(Match.state), defer(Match.seed), defer(Match.undo),
    selectinload(Match.seats).selectinload(Seat.user),
)  # fmt: skip


class AskedForTables(Asked):
    """Which of my tables."""

    status: Status | None = None
    before: RowNumber | None = None


class AskedForListed(Asked):
    """Which of the tables that are open to all."""

    status: Annotated[str, msgspec.Meta(pattern=f"^({OPEN}|{PLAYING})$")] = OPEN
    before: RowNumber | None = None


@operation("GET", "/openapi.json", is_open=True)
def describe() -> Response:
    """Describe this API, as OpenAPI 3.1."""
    return as_json(openapi.document())


@operation("GET", "/me", Me)
def show_me() -> Me:
    """Tell who I am, and what my token may do."""
    mine, user = tokens.token(), me()
    return Me(
        name=user.name or "",
        time_zone=user.time_zone,
        token=mine.name,
        may_play=mine.may_play,
        ends_at=mine.ends_at,
    )


@operation("GET", "/games", Games)
def list_games() -> Games:
    """List the games, with their options, their bots, and the paces at which they are played."""
    paces = [Pace(key=key, title=c.title, help=c.help) for key, c in TIME_CONTROLS.items()]
    return Games(games=[_game(key, game) for key, game in GAMES.items()], paces=paces)


@operation("GET", "/games/<game>/schemas", Schemas)
def show_schemas(game: str) -> Schemas:
    """Describe the moves of a game and what a seat sees of it, as JSON Schema."""
    if game not in GAMES:
        abort(404)
    rules = GAMES[game]
    view = get_type_hints(rules.view)["return"]
    return Schemas(move=msgspec.json.schema(rules.Move), view=msgspec.json.schema(view))


@operation("GET", "/me/tables", Tables, query=AskedForTables)
def list_my_tables(query: AskedForTables) -> Tables:
    """List my tables, newest first."""
    mine = select(Match).join(Seat).where(Seat.user_id == me().id)
    if query.status is not None:
        mine = mine.where(Match.status == query.status)
    if query.status in (OPEN, PLAYING):
        mine = mine.where(Seat.place.is_(None))  # There is an index of these.
    return _page(mine, query.before, Seat.match_id)


@operation("GET", "/tables", Tables, query=AskedForListed)
def list_tables(query: AskedForListed) -> Tables:
    """List the tables at which anybody may sit down, or that anybody may watch."""
    is_listed = (Match.listed, ~Match.practice, Match.status == query.status)
    return _page(select(Match).where(*is_listed), query.before, Match.id)


@operation("GET", "/me/turns", Turns, errors=(304,))
def list_my_turns() -> Response:
    """List the tables that wait for me; by its ETag one asks whether that has changed."""
    mine = (
        select(Seat, Match.name, Match.game)
        .join(Match)
        .where(Seat.user_id == me().id, Seat.on_turn, Seat.bot.is_(None))
        .where(Match.status == PLAYING)
        .order_by(Seat.waiting_since, Seat.match_id)
        .limit(MOST_TURNS)
    )
    answer = as_json(Turns(tables=[_turn(*row) for row in db.session.execute(mine)]))
    tag = blake2b(answer.get_data(), digest_size=12).hexdigest()
    if request.if_none_match.contains_weak(tag):
        answer = Response(status=304)
    answer.set_etag(tag, weak=True)
    answer.headers["Cache-Control"] = "private, no-cache"
    answer.headers["Retry-After"] = str(ASK_AGAIN)
    return answer


def _turn(seat: Seat, name: str, game: str) -> TurnOfMine:
    return TurnOfMine(
        table=seat.match_id,
        name=plain_title(name, seat.match_id),
        game=game,
        moves_made=seat.moves_made,
        waiting_since=seat.waiting_since,
        deadline_at=seat.deadline_at,
    )


def _page(tables: Select[Match], before: int | None, number: Any) -> Tables:
    """Return a page of a list: of the tables before a number, the newest."""
    if before is not None:
        tables = tables.where(number < before)
    tables = tables.order_by(number.desc()).limit(PAGE + 1).options(*_SHOWN)
    found = list(db.session.scalars(tables))
    shown = [_in_list(match) for match in found[:PAGE]]
    return Tables(tables=shown, before=shown[-1].id if len(found) > PAGE else None)


def _in_list(match: Match) -> TableInList:
    """Return a table as lists show it."""
    mine = next((seat for seat in match.seats if seat.user_id == me().id), None)
    is_asked = mine is not None and mine.on_turn and mine.bot is None
    return TableInList(
        id=match.id,
        name=plain_title(match.name, match.id),
        game=match.game,
        options=options_of(match),
        size=match.size,
        status=match.status,
        pace=match.pace,
        practice=match.practice,
        seats=[seat_shape(seat, name_of(seat)) for seat in match.seats],
        is_my_turn=is_asked and match.status == PLAYING,
    )


def _game(key: str, game: Game) -> GameOffered:
    return GameOffered(
        key=key,
        title=game.TITLE,
        rules_version=game.VERSION,
        seats=list(game.SEATS),
        options=[_option(option) for option in game.OPTIONS],
        bots=[BotOfGame(key=key, title=bot.title, says=bot.says) for key, bot in game.BOTS.items()],
        phases=dict(game.PHASES),
    )


def _option(option: Option) -> OptionOfGame:
    span = option.numbers
    return OptionOfGame(
        key=option.key,
        title=option.title,
        help=option.help,
        needs=option.needs,
        unless=option.unless,
        group=option.group,
        usual=option.usual,
        seats=list(option.seats) if option.seats is not None else None,
        numbers=Numbers(least=span[0], most=span[-1], step=span.step) if span else None,
        number=option.number,
    )
