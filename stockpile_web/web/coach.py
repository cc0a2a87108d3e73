"""What would a steady player do? The coach's answer, beside the board or on a page of its own."""

from functools import partial
from typing import NamedTuple

from flask import Blueprint, current_app, make_response, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from stockpile_web.engine import Advice
from stockpile_web.match import coach
from stockpile_web.match.table_view import Glance, open_table
from stockpile_web.storage.transactions import reading
from stockpile_web.web.htmx import is_boosted, varied, wants_fragment
from stockpile_web.web.steps import open_with_steps
from stockpile_web.web.table import find
from stockpile_web.words.events import coach_in_words

bp = Blueprint("coach", __name__)

BEST, REST = 3, 12  # So many are told with reasons, and so many more by name.


class InWords(NamedTuple):
    """One piece of advice in words."""

    what: Markup
    worth: Markup | None
    why: list[Markup]


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
        best=[in_words(seen, each) for each in ranked[:BEST]],
        rest=[in_words(seen, each) for each in ranked[BEST : BEST + REST]],
        more=len(ranked[BEST + REST :]),
    )
    return varied(make_response(page))


def in_words(seen: Glance, advice: Advice) -> InWords:
    """Say what the coach thinks of a move."""
    tell = partial(coach_in_words, current_app.jinja_env, seen.match.game, names=seen.names)
    worth = None
    if advice.worth is not None:
        worth = tell({"kind": "worth", "amount": advice.worth})
    return InWords(tell(advice.what), worth, [tell(facts) for facts in advice.why])
