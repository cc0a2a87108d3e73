"""Pages for the administrator; for everybody else they are not there."""

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from stockpile_web.games import GAMES
from stockpile_web.match.rules_versions import can_be_carried_on
from stockpile_web.storage.database import db
from stockpile_web.storage.models import KeptMail, Match
from stockpile_web.storage.models.matches import PLAYING
from stockpile_web.web.auth import someone

bp = Blueprint("admin", __name__, url_prefix="/admin")


@bp.before_request
def _administrators_only() -> None:
    user = someone()
    if user is None or not user.is_admin:
        abort(404)


@bp.get("/mail")
def mail() -> ResponseReturnValue:
    """Show the mails that could not be sent, newest first."""
    mails = db.session.scalars(select(KeptMail).order_by(KeptMail.id.desc())).all()
    return render_template("admin/mail.html", mails=mails)


@bp.get("/held")
def held() -> ResponseReturnValue:
    """List the matches that wait for rules which this server does not have."""
    running = select(Match.id, Match.game, Match.rules_version).where(Match.status == PLAYING)
    matches = [
        (match_id, GAMES[game], version)
        for match_id, game, version in db.session.execute(running.order_by(Match.id))
        if not can_be_carried_on(GAMES[game], version)
    ]
    return render_template("admin/held.html", matches=matches)
