"""Pages for the administrator; for everybody else they are not there."""

from flask import Blueprint, abort, render_template
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from stockpile_web.storage.database import db
from stockpile_web.storage.models import KeptMail
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
