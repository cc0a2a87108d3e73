"""Playing on from any turn of a match that is over, at a practice table."""

from flask import Blueprint, abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from stockpile_web.match import what_if
from stockpile_web.match.seating import Refused
from stockpile_web.web import rate_limits
from stockpile_web.web.auth import me, sign_in_needed
from stockpile_web.web.table import find

bp = Blueprint("what_if", __name__)

LIMIT = rate_limits.Limit("play on from a turn", 60, 60)


@bp.post("/table/<int:match_id>/turn/<int:number>/play-on")
@sign_in_needed
def play_on(match_id: int, number: int) -> ResponseReturnValue:
    """Open a practice table as the match was after a move, and go to it."""
    seen = find(match_id)
    seat = request.form.get("seat", -1, int)
    if seat not in range(len(seen.seats)):
        abort(422)
    try:
        rate_limits.count((LIMIT, str(me().id)))
        shown = what_if.play_on(seen.match, number, seat, request.form.get("bot", ""), me())
    except Refused as refusal:
        flash(str(refusal), "error")
        return redirect(url_for("past.turn", match_id=match_id, number=number), 303)
    except rate_limits.TooMany:
        abort(429)
    return redirect(url_for("table.show", match_id=shown), 303)
