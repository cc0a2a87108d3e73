"""The blueprint that the pages of notices share, and the badge that all pages show."""

from flask import Blueprint, Flask, Response, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from stockpile_web.storage import outbox
from stockpile_web.storage.transactions import reading
from stockpile_web.web.auth import someone

bp = Blueprint("notices", __name__)


def init_app(app: Flask) -> None:
    """Add the pages, and the badge for all others."""
    app.register_blueprint(bp)
    app.jinja_env.globals["unseen_notices"] = unseen_notices
    # Mail programs send it by themselves, without our cookie: the signed token is what counts.
    app.extensions["csrf"].exempt("stockpile_web.web.notices.inbox.stop")


@bp.after_request
def _keep_nowhere(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response


def unseen_notices() -> int:
    """Return how many tables have news for whoever asks, besides the one they look at: a badge."""
    user = someone()
    here = (request.view_args or {}).get("match_id", 0)
    return outbox.unseen(reading(), user.id, here) if user else 0


def done(sentence: str) -> ResponseReturnValue:
    """Say that something was set, on the page where it is set."""
    flash(sentence)
    return redirect(url_for("notices.choices"), 303)
