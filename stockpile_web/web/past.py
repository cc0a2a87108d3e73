"""What has happened at a table: any earlier turn, the log, and what others did meanwhile."""

from flask import Blueprint, abort, make_response, render_template, request
from flask.typing import ResponseReturnValue

from stockpile_web.games import GAMES
from stockpile_web.match import table_view
from stockpile_web.match.table_view import Table
from stockpile_web.storage.transactions import reading
from stockpile_web.web import board_cache
from stockpile_web.web.htmx import varied
from stockpile_web.web.table import find

bp = Blueprint("past", __name__)

# Who comes back to more than this is shown the end of it; the list has all.
LONGEST_REPLAY = 40


@bp.get("/table/<int:match_id>/turn/<int:number>")
def turn(match_id: int, number: int) -> ResponseReturnValue:
    """Show the table as it stood after a move, as this viewer could see it then."""
    seen = find(match_id)
    tables = table_view.open_past(reading(), seen, number, number)
    if not tables:
        abort(404)
    table, words = tables[0], board_cache.log_in_words(seen, tables[0].log)
    return render_template(
        "table/turn.html",
        seen=seen,
        number=number,
        lines=[line.text for move in words for line in move.lines],
        **_shown(table),
    )


@bp.get("/table/<int:match_id>/replay")
def replay(match_id: int) -> ResponseReturnValue:
    """Show the table after each of the moves since `after` that are news to this viewer."""
    seen = find(match_id)
    after = request.args.get("after", -1, int)
    steps = board_cache.missed(reading(), seen, after)[-LONGEST_REPLAY:]
    tables = []
    if steps:
        tables = table_view.open_past(reading(), seen, steps[0].number, steps[-1].number)
    boards = {table.version - 1: _shown(table) for table in tables}
    shown = [(step, boards[step.number]) for step in steps if step.number in boards]
    return varied(make_response(render_template("table/replay.html", steps=shown)))


@bp.get("/table/<int:match_id>/log")
def log(match_id: int) -> ResponseReturnValue:
    """Show all that has happened at a table, as far as this viewer may know it."""
    seen = find(match_id)
    if seen.match.started_at is None:
        abort(404)
    return render_template("table/log.html", seen=seen, log=board_cache.whole_log(reading(), seen))


def _shown(table: Table) -> dict[str, object]:
    """Return what the board of a game is rendered with."""
    return {"table": table, "since": (), "data": GAMES[table.game].data}
