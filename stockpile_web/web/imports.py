"""Bringing in a match as a file, to read it here."""

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from stockpile_web.games import GAMES
from stockpile_web.match import importing, match_file
from stockpile_web.settings import UPLOAD_PATH
from stockpile_web.storage.transactions import reading
from stockpile_web.web import rate_limits
from stockpile_web.web.auth import me, sign_in_needed

bp = Blueprint("imports", __name__)

LIMIT = rate_limits.Limit("import a match", 30, 60)


@bp.get(UPLOAD_PATH)
@sign_in_needed
def show() -> ResponseReturnValue:
    """Show the form, and what this person has brought in so far."""
    return _page()


@bp.post(UPLOAD_PATH)
@sign_in_needed
def bring_in() -> ResponseReturnValue:
    """Make a read-only match of a file, and go to it."""
    upload = request.files.get("file")
    if upload is None or not upload.filename:
        return _page("Choose a file first."), 422
    try:
        rate_limits.count((LIMIT, str(me().id)))
        match_id = importing.import_file(upload.read(match_file.LARGEST + 1), me())
    except match_file.NotReadable as reason:
        return _page(str(reason)), 422
    except rate_limits.TooMany as refusal:
        return _page(f"You have brought in a great deal just now. {refusal}"), 429
    return redirect(url_for("table.show", match_id=match_id), 303)


@bp.teardown_request
def close_file(_error: BaseException | None) -> None:
    """Close what was sent, whatever came of it: a large file is kept on the disk meanwhile."""
    request.close()


def _page(error: str = "") -> str:
    mine = importing.imported_by(reading(), me())
    return render_template("imports.html", errors={"file": error}, mine=mine, games=GAMES)
