"""The blueprint that the administrator's pages share; for everybody else they are not there."""

from flask import Blueprint, abort

from stockpile_web.web.auth import someone

bp = Blueprint("admin", __name__, url_prefix="/admin")


@bp.before_request
def _administrators_only() -> None:
    user = someone()
    if user is None or not user.is_admin:
        abort(404)
