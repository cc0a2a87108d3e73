"""The guide at a practice table: to leave it, or to have this round explained."""

from flask import Blueprint, abort, request
from flask.typing import ResponseReturnValue

from stockpile_web.match import coach, guide
from stockpile_web.match.turn import changing
from stockpile_web.web.auth import me, sign_in_needed
from stockpile_web.web.table import back_to, find

bp = Blueprint("guide", __name__)

WAYS = {"again": True, "leave": False}


@bp.post("/table/<int:match_id>/guide")
@sign_in_needed
def change(match_id: int) -> ResponseReturnValue:
    """Explain this round, too, or leave the guide."""
    if not coach.is_open(find(match_id)):
        raise coach.NotCoached
    explains = WAYS.get(request.form.get("do", ""))
    if explains is None:
        abort(400)
    with changing(match_id) as turn:
        guide.change(turn, me().id, explains=explains)
    return back_to(match_id, "ask")
