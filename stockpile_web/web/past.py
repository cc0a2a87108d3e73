"""What has happened at a table: any earlier turn, the log, and what others did meanwhile."""

from typing import Any

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from stockpile_web.games import GAMES
from stockpile_web.match import chapters, past, perspective, take_back
from stockpile_web.match.glance import Glance
from stockpile_web.match.perspective import NoSuchSide, Perspective, StillSecret
from stockpile_web.match.table_view import Table
from stockpile_web.storage.transactions import reading
from stockpile_web.web import board_cache
from stockpile_web.web.htmx import varied
from stockpile_web.web.security import row_number
from stockpile_web.web.table import find

bp = Blueprint("past", __name__)

# Who comes back to more than this is shown the end of it; the list has all.
LONGEST_REPLAY = 40
LOG_PAGE = 300  # Moves: most matches have one such page.


@bp.app_errorhandler(StillSecret)
def still_secret(_reason: StillSecret) -> ResponseReturnValue:
    """Say kindly that a match shows this only when it is over."""
    seen = find((request.view_args or {})["match_id"])
    return render_template("table/still_secret.html", seen=seen), 403


@bp.get("/table/<int:match_id>/turn")
def go(match_id: int) -> ResponseReturnValue:
    """Go to the turn that the slider's form asks for, or to the newest."""
    seen = find(match_id)
    newest = seen.match.version - 1
    if newest < 0:
        abort(404)
    number = max(0, min(request.args.get("move", newest, int), newest))
    where: dict[str, Any] = {"match_id": match_id, "number": number, "as": request.args.get("as")}
    return redirect(url_for("past.turn", **where))


@bp.get("/table/<int:match_id>/turn/<int:number>")
def turn(match_id: int, number: int) -> ResponseReturnValue:
    """Show the table as it stood after a move, from a side from which it may be seen."""
    seen = find(match_id)
    if number >= seen.match.version:
        abort(404)
    side = side_asked_for(seen)
    table = past.open_turn(reading(), seen, number, side)
    words = board_cache.log_in_words(seen, table.log)
    return render_template(
        "table/turn.html",
        seen=seen,
        number=number,
        newest=seen.match.version - 1,
        side=side,
        link_side=_side_in_links(seen, side),
        sides=perspective.perspectives(seen),
        rounds=chapters.read(reading(), seen.match, table.view.round),
        phase=GAMES[table.game].PHASES[table.view.phase],
        log=words[::-1],
        back=take_back.way_back(reading(), seen, number),
        **_shown(table),
    )


@bp.get("/table/<int:match_id>/replay")
def replay(match_id: int) -> ResponseReturnValue:
    """Show the table after each of the moves since `after` that are news to this viewer."""
    seen = find(match_id)
    after = request.args.get("after", -1, row_number)
    steps = board_cache.missed(reading(), seen, after)[-LONGEST_REPLAY:]
    tables = []
    if steps:
        tables = past.open_past(reading(), seen, steps[0].number, steps[-1].number)
    boards = {table.version - 1: _shown(table) for table in tables}
    shown = [(step, boards[step.number]) for step in steps if step.number in boards]
    return varied(make_response(render_template("table/replay.html", steps=shown)))


@bp.get("/table/<int:match_id>/log")
def log(match_id: int) -> ResponseReturnValue:
    """Show all that has happened at a table, as it is known from a side, a part on a page."""
    seen = find(match_id)
    if seen.match.started_at is None:
        abort(404)
    side = side_asked_for(seen)
    asked = request.args.get("from", 0, type=int)
    first = min(max(asked, 0), seen.match.version - 1) // LOG_PAGE * LOG_PAGE
    told = past.told_to(reading(), seen, side, first, first + LOG_PAGE - 1)
    words = board_cache.log_in_words(seen, told)
    where = _side_in_links(seen, side) if request.args.get("as") else None
    pages = range(0, seen.match.version, LOG_PAGE)
    shown = {"first": first, "pages": pages, "most": LOG_PAGE}
    return render_template("table/log.html", seen=seen, log=words, side=where, **shown)


def side_asked_for(seen: Glance) -> Perspective:
    """Return the side that `as` in the address asks for, or one's own, as far as it is open."""
    try:
        return perspective.choose(seen, request.args.get("as"))
    except NoSuchSide:
        abort(404)


def _side_in_links(seen: Glance, side: Perspective) -> str | None:
    """Return the side that links to other turns name.

    While a match runs nobody else may see my own: a link without it shows everybody theirs.
    """
    is_secret = side.is_mine and not perspective.is_open(seen.match)
    return None if is_secret else side.key


def _shown(table: Table) -> dict[str, object]:
    """Return what the board of a game is rendered with."""
    return {"table": table, "since": (), "data": GAMES[table.game].data}
