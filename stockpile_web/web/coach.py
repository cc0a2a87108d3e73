"""What would a steady player do? The coach's answer, beside the board or on a page of its own."""

from flask import Blueprint, make_response, render_template, request
from flask.typing import ResponseReturnValue

from stockpile_web.match import coach
from stockpile_web.match.table_view import open_table
from stockpile_web.storage.transactions import reading
from stockpile_web.web.board_cache import coach_says
from stockpile_web.web.htmx import is_boosted, varied, wants_fragment
from stockpile_web.web.steps import open_with_steps
from stockpile_web.web.table import find

bp = Blueprint("coach", __name__)

BEST, REST = 3, 12  # So many are told with reasons, and so many more by name.


@bp.app_errorhandler(coach.NotCoached)
def not_coached(_reason: coach.NotCoached) -> ResponseReturnValue:
    """Say kindly where there is a coach."""
    seen = find((request.view_args or {})["match_id"])
    return varied(make_response(render_template("table/not_coached.html", seen=seen), 403))


@bp.get("/table/<int:match_id>/coach")
def show(match_id: int) -> ResponseReturnValue:
    """Rank what the viewer can do now, after the steps of a turn that they are building."""
    seen = find(match_id)
    if not coach.is_open(seen):
        raise coach.NotCoached
    table = open_with_steps(reading(), seen, request.args).table or open_table(reading(), seen)
    ranked = coach.advise(seen, table)
    is_part = wants_fragment() and not is_boosted()
    page = render_template(
        "table/_advice.html" if is_part else "table/coach.html",
        seen=seen,
        table=table,
        best=[coach_says(seen, each) for each in ranked[:BEST]],
        rest=[coach_says(seen, each) for each in ranked[BEST : BEST + REST]],
        more=len(ranked[BEST + REST :]),
    )
    return varied(make_response(page))
