"""The blueprint of the API: who is let in, what goes with every answer, and errors as JSON."""

import msgspec
from flask import Blueprint, Response, g, request

from stockpile_web.engine import IllegalMove
from stockpile_web.match.perspective import NoSuchSide, StillSecret
from stockpile_web.match.seating import Refused
from stockpile_web.web import problems
from stockpile_web.web.api import limits, tokens
from stockpile_web.web.http_cache import varies_by
from stockpile_web.web.rate_limits import TooMany

LARGEST_CALL = 16 * 1024  # Bytes; a turn of many steps has a tenth of that.
FOR_ALL = {"api.describe"}  # It tells what everybody may know.

bp = Blueprint("api", __name__)


@bp.before_request
def let_in() -> Response | None:
    """Let in whoever brings a good token, within the limits; a browser's cookie counts for nothing.

    From here on `auth.me` is the token's owner, for all that pages and programs share.
    """
    g.visitor = None
    if (request.content_length or 0) > LARGEST_CALL:
        return problems.answer(413)
    if request.endpoint in FOR_ALL:
        return None
    token = tokens.find()
    if token is None:
        return problems.answer(401, headers=[("WWW-Authenticate", "Bearer")])
    limits.count_request(token)
    g.token, g.visitor = token, token.owner
    if not token.may_play and request.method not in ("GET", "HEAD", "OPTIONS"):
        return problems.answer(403, "This token may look, but not play.", "read_only")
    return None


@bp.after_request
def keep_nowhere(answer: Response) -> Response:
    """Let no cache keep an answer, unless it says how; each is for whoever has the token."""
    if "Cache-Control" not in answer.headers:
        answer.headers["Cache-Control"] = "no-store"
    varies_by(answer, "Authorization")
    return answer


@bp.errorhandler(msgspec.DecodeError)
def unreadable(error: msgspec.DecodeError) -> Response:
    """Say what is wrong with what was sent, and where."""
    if not isinstance(error, msgspec.ValidationError):
        return problems.answer(400, "The body is not JSON.", "not_json")
    said, _, place = str(error).partition(" - at ")
    return problems.answer(422, f"{said}.", "wrong_type", where=place.strip("`"))


@bp.errorhandler(IllegalMove)
def illegal(refusal: IllegalMove) -> Response:
    """Say why steps cannot be taken."""
    return problems.answer(422, str(refusal), "illegal_move")


@bp.errorhandler(Refused)
def refused(refusal: Refused) -> Response:
    """Say why something cannot be done at this table now."""
    return problems.answer(409, str(refusal), "refused")


@bp.errorhandler(StillSecret)
def still_secret(_reason: StillSecret) -> Response:
    """Say that a match shows this only when it is over."""
    return problems.answer(403, "That is shown when the match is over.", "still_secret")


@bp.errorhandler(NoSuchSide)
def no_such_side(_reason: NoSuchSide) -> Response:
    """Say that there is no such seat."""
    return problems.answer(404, "There is no such side of this match.")


@bp.errorhandler(TooMany)
def too_many(refusal: TooMany) -> Response:
    """Say how long to wait."""
    return problems.answer(429, headers=[("Retry-After", str(refusal.wait * 60))])
