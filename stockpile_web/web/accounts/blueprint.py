"""The blueprint that the account pages share."""

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from stockpile_web.web.rate_limits import TooMany

bp = Blueprint("accounts", __name__)


@bp.errorhandler(TooMany)
def too_many(refusal: TooMany) -> ResponseReturnValue:
    """Say when to try again."""
    page = render_template("accounts/too_many.html", wait=refusal.wait)
    return page, 429, {"Retry-After": str(60 * refusal.wait)}
