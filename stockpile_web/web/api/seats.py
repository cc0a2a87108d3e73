"""Who sits where: setting up a table, sitting down, beginning and leaving, as on the pages."""

from typing import Annotated

import msgspec
from flask import Response, abort, url_for
from sqlalchemy import select
from werkzeug.datastructures import MultiDict

from stockpile_web.games import GAMES
from stockpile_web.match import seating
from stockpile_web.match.naming import LONGEST_NAME
from stockpile_web.match.seating import Refused
from stockpile_web.match.time_controls import TIME_CONTROLS
from stockpile_web.match.turn import changing
from stockpile_web.storage.models.matches import Match
from stockpile_web.storage.transactions import reading, transaction
from stockpile_web.web import problems
from stockpile_web.web.api.operations import Asked, as_json, operation
from stockpile_web.web.api.shapes import RowNumber, Table
from stockpile_web.web.api.tables import as_it_stands
from stockpile_web.web.auth import me
from stockpile_web.web.lobby.seats import carry_out, sit_down

Contribution = Annotated[
    str,
    msgspec.Meta(
        max_length=64, description="64 hex digits of mine for the seed; else the server draws them."
    ),
]


class NewTable(Asked):
    """A table to be set up; who sets it up sits there, and hosts it."""

    game: str
    size: Annotated[int, msgspec.Meta(ge=1, le=100)]
    pace: str
    options: dict[str, RowNumber] = {}
    name: Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)] = ""
    listed: bool = False
    open_chat: bool = False
    contribution: Contribution = ""


class SittingDown(Asked):
    """What goes with sitting down."""

    contribution: Contribution = ""


class Beginning(Asked):
    """With those who are here, or with bots on the empty seats."""

    fill: bool = False
    bot: str = ""


@operation("POST", "/tables", Table, status=201, body=NewTable)
def create_table(body: NewTable) -> Response:
    """Set up a table, and sit down there."""
    if body.game not in GAMES:
        return problems.answer(422, "There is no such game.", where="$.game")
    if body.pace not in TIME_CONTROLS:
        return problems.answer(422, "There is no such pace.", where="$.pace")
    known = {option.key: option for option in GAMES[body.game].OPTIONS}
    for key, number in body.options.items():
        if key not in known:
            return problems.answer(422, "There is no such option.", where="$.options")
        if known[key].numbers is None and number != 1:
            return problems.answer(
                422, f"“{known[key].title}” is 1, or not there.", where="$.options"
            )
    try:
        with transaction() as connection:
            match_id = seating.create(
                connection,
                me(),
                body.game,
                body.size,
                body.options,
                listed=body.listed,
                pace=body.pace,
                open_chat=body.open_chat,
                name=body.name,
                contribution=body.contribution,
            )
    except Refused as refusal:
        return problems.answer(422, str(refusal), "refused")
    answer = as_json(as_it_stands(match_id), 201)
    answer.headers["Location"] = url_for("api.show_table", match_id=match_id)
    return answer


@operation("POST", "/tables/<int:match_id>/sit-down", Table, body=SittingDown, errors=(409,))
def sit_down_at_table(match_id: int, body: SittingDown) -> Table:
    """Sit down at a table that I may see; a full table begins by itself."""
    return _change(match_id, "join", contribution=body.contribution)


@operation("POST", "/invitations/<invitation>/sit-down", Table, body=SittingDown, errors=(409,))
def sit_down_by_invitation(invitation: str, body: SittingDown) -> Table:
    """Sit down at the table to which I was invited."""
    match_id = reading().scalar(select(Match.id).where(Match.invitation == invitation))
    if match_id is None:
        abort(404)
    with changing(match_id) as turn:
        sit_down(turn, me(), body.contribution)
    return as_it_stands(match_id)


@operation("POST", "/tables/<int:match_id>/begin", Table, body=Beginning, errors=(409,))
def begin(match_id: int, body: Beginning) -> Table:
    """Begin, at a table that I host."""
    return _change(match_id, "fill" if body.fill else "start", bot=body.bot)


@operation("POST", "/tables/<int:match_id>/leave", status=204, errors=(409,))
def leave(match_id: int) -> Response:
    """Get up before the match begins."""
    with changing(match_id) as turn:
        carry_out(turn, "leave", MultiDict())
    return Response(status=204)


def _change(match_id: int, what: str, **form: str) -> Table:
    with changing(match_id) as turn:
        carry_out(turn, what, MultiDict(form))
    return as_it_stands(match_id)
