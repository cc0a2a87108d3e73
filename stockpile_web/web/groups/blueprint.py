"""The blueprint that the pages of groups share."""

from flask import Blueprint, Response

bp = Blueprint("groups", __name__)


@bp.after_request
def _keep_nowhere(response: Response) -> Response:
    # What a member is shown is not there for others.
    response.headers["Cache-Control"] = "no-store"
    return response
