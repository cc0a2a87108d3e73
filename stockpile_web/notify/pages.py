"""Pages of notices: the list, how and when to be told, what was delivered, and ending it."""

from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    flash,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from stockpile_web.notify.channels import WAYS
from stockpile_web.notify.message import headline, read_stop_token
from stockpile_web.storage import outbox
from stockpile_web.storage.database import db
from stockpile_web.storage.models.matches import Match
from stockpile_web.storage.models.notices import OFF, Channel, Notice
from stockpile_web.storage.models.people import User
from stockpile_web.storage.transactions import reading, writing
from stockpile_web.who import me, sign_in_needed, someone

bp = Blueprint("notices", __name__)

NEWEST = 50


def init_app(app: Flask) -> None:
    """Add the pages, and the badge for all others."""
    app.register_blueprint(bp)
    app.jinja_env.globals["unseen_notices"] = unseen_notices
    # Mail programs send it by themselves, without our cookie: the signed token is what counts.
    app.extensions["csrf"].exempt("stockpile_web.notify.pages.stop")


@bp.after_request
def _keep_nowhere(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response


def unseen_notices() -> int:
    """Return how many notices whoever asks has not seen, for the badge."""
    user = someone()
    return outbox.unseen(reading(), user.id) if user else 0


@bp.get("/notices")
@sign_in_needed
def show() -> ResponseReturnValue:
    """List my newest notices."""
    rows = db.session.execute(
        select(Notice, Match.game)
        .join(Match, Match.id == Notice.match_id)
        .where(Notice.user_id == me().id)
        .order_by(Notice.id.desc())
        .limit(NEWEST)
    )
    notices = [(notice, headline(notice.event, notice.match_id, game)) for notice, game in rows]
    return render_template("notices/list.html", notices=notices)


@bp.post("/notices/seen")
@sign_in_needed
def see_all() -> ResponseReturnValue:
    """Mark all my notices as seen."""
    with writing() as tx:
        outbox.see_all(tx, me().id)
    return redirect(url_for("notices.show"), 303)


@bp.post("/table/<int:match_id>/seen")
@sign_in_needed
def see(match_id: int) -> ResponseReturnValue:
    """Hear from a visible page of mine which version of a table it shows."""
    version = request.form.get("version", type=int)
    if version is None or not 0 <= version < 2**31:
        abort(400)
    mine = (Notice.user_id == me().id, Notice.match_id == match_id, Notice.version <= version)
    unseen = select(Notice.id).where(*mine, Notice.seen_at.is_(None)).limit(1)
    if db.session.scalar(unseen) is not None:  # Most often there is nothing to write.
        with writing() as tx:
            outbox.see(tx, me().id, match_id, version)
    return "", 204


@bp.get("/notices/stop/<token>")
def show_stop(token: str) -> ResponseReturnValue:
    """Ask whether to end messages; mail programs open links by themselves, so looking does not."""
    _, kind = _read(token)
    label = WAYS[kind].LABEL
    return render_template("notices/stop.html", token=token, label=label, stopped=False)


@bp.post("/notices/stop/<token>")
def stop(token: str) -> ResponseReturnValue:
    """End a person's messages through one channel: from our page, or by a mail program's button."""
    user_id, kind = _read(token)
    with writing() as tx:
        channel = tx.scalar(select(Channel).where(Channel.user_id == user_id, Channel.kind == kind))
        if channel is None and tx.get(User, user_id) is not None:
            channel = Channel(user_id=user_id, kind=kind)
            tx.add(channel)
        if channel is not None:
            channel.use = OFF
    label = WAYS[kind].LABEL
    return render_template("notices/stop.html", token=token, label=label, stopped=True)


def done(sentence: str) -> ResponseReturnValue:
    """Say that something was set, on the page where it is set."""
    flash(sentence)
    return redirect(url_for("notices.choices"), 303)


def _read(token: str) -> tuple[int, str]:
    found = read_stop_token(token)
    if found is None or found[1] not in WAYS:
        abort(404)
    return found
