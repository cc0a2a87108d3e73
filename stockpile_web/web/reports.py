"""Problems that people report at a turn, for the administrators; these mark them as done.

A report points at a turn and opens nothing: whoever follows its link sees what they may see.
"""

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import insert, select

from stockpile_web.match.glance import Glance
from stockpile_web.storage.database import now
from stockpile_web.storage.models import Move, Report
from stockpile_web.storage.transactions import reading, writing
from stockpile_web.web import http_cache, rate_limits
from stockpile_web.web.auth import me, sign_in_needed
from stockpile_web.web.table import find

bp = Blueprint("reports", __name__)

LONGEST_NOTE = 2000
REPORTS = rate_limits.Limit("report a problem", 10, 60)

NOTHING_SAID = "Please say what is wrong."
TOO_LONG = f"Please say it in at most {LONGEST_NOTE} characters."


@bp.get("/table/<int:match_id>/turn/<int:number>/report")
@sign_in_needed
def ask(match_id: int, number: int) -> ResponseReturnValue:
    """Ask what is wrong at a turn."""
    return _page(_turn_of(match_id, number), number)


@bp.post("/table/<int:match_id>/turn/<int:number>/report")
@sign_in_needed
def report(match_id: int, number: int) -> ResponseReturnValue:
    """Keep what somebody says is wrong at a turn."""
    seen = _turn_of(match_id, number)
    note = request.form.get("note", "").strip()
    if not note or len(note) > LONGEST_NOTE:
        return _page(seen, number, note, TOO_LONG if note else NOTHING_SAID), 422
    try:
        rate_limits.count((REPORTS, str(me().id)))
    except rate_limits.TooMany as refusal:
        many = f"Those were many reports: please wait {refusal.wait} minutes, then send this one."
        return _page(seen, number, note, many), 429
    _keep(seen, number, note)
    flash("Thank you: your report is with the administrator of this site.")
    return redirect(url_for("past.turn", match_id=match_id, number=number), 303)


def _turn_of(match_id: int, number: int) -> Glance:
    """Return a match of which this person may see this turn."""
    seen = find(match_id)
    if number >= seen.match.version:
        abort(404)
    return seen


def _keep(seen: Glance, number: int, note: str) -> None:
    version = select(Move.rules_version).filter_by(match_id=seen.match.id, number=number)
    values = {
        "match_id": seen.match.id,
        "number": number,
        "seat": seen.viewer,
        "user_id": me().id,
        "note": note,
        "rules_version": reading().scalar(version),
        "build": http_cache.build(),
        "made_at": now(),
    }
    with writing() as tx:
        tx.execute(insert(Report).values(values))


def _page(seen: Glance, number: int, note: str = "", error: str = "") -> str:
    return render_template(
        "table/report.html",
        seen=seen,
        number=number,
        note=note,
        errors={"note": error} if error else {},
        longest=LONGEST_NOTE,
    )
