"""How did I play? What the coach says of the decisions of a seat, once a match is over."""

from functools import partial
from typing import NamedTuple

from flask import (
    Blueprint,
    abort,
    current_app,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from stockpile_web.engine import Seat
from stockpile_web.games import GAMES
from stockpile_web.match import perspective, review_queue
from stockpile_web.match.glance import Glance
from stockpile_web.match.judging import Decision
from stockpile_web.match.review import coach_of
from stockpile_web.match.review_queue import Progress, QueueFull
from stockpile_web.storage.transactions import reading
from stockpile_web.web import rate_limits
from stockpile_web.web.auth import me, sign_in_needed
from stockpile_web.web.board_cache import coach_says
from stockpile_web.web.htmx import asks_for, varied
from stockpile_web.web.table import find
from stockpile_web.words.events import AdviceInWords, coach_in_words

bp = Blueprint("review", __name__)

IN_FULL = 3  # The dearest decisions; the others are folded.
LIMIT = rate_limits.Limit("look at how a seat played", 60, 60)
TOO_MANY = "You have asked for many reviews: the next one can be asked for in {} minutes."
FULL = "Many reviews are waiting just now: please ask again in some minutes."


class DecisionInWords(NamedTuple):
    """A decision that gave something away, in words."""

    before: int  # The turn at which it was made.
    round: int
    phase: str
    cost: Markup
    chosen: AdviceInWords
    best: AdviceInWords


@bp.get("/table/<int:match_id>/review")
def show(match_id: int) -> ResponseReturnValue:
    """Show what was found about a seat, or how far the worker is with it."""
    seen = find(match_id)
    if seen.match.started_at is None:
        abort(404)
    if not perspective.is_open(seen.match):
        return render_template("table/no_review.html", seen=seen), 403
    seat = _seat_asked_for(seen)
    progress = review_queue.read(reading(), seen.match, seat)
    page = render_template(
        "table/_review.html" if asks_for("review") else "table/review.html",
        seen=seen,
        seat=seat,
        game=GAMES[seen.match.game],
        has_coach=coach_of(GAMES[seen.match.game]) is not None,
        progress=progress,
        **_told(seen, progress),
    )
    return varied(make_response(page))


@bp.post("/table/<int:match_id>/review")
@sign_in_needed
def ask(match_id: int) -> ResponseReturnValue:
    """Let the worker look at a seat."""
    seen = find(match_id)
    if not perspective.is_open(seen.match) or coach_of(GAMES[seen.match.game]) is None:
        abort(403)
    seat = _seat_asked_for(seen)
    try:
        rate_limits.count((LIMIT, str(me().id)))
        review_queue.ask(seen.match, seat)
    except rate_limits.TooMany as refusal:
        flash(TOO_MANY.format(refusal.wait), "error")
    except QueueFull:
        flash(FULL, "error")
    return redirect(url_for("review.show", match_id=match_id, seat=seat), 303)


def _seat_asked_for(seen: Glance) -> Seat:
    """Return the seat that the address names, or one's own, or the first."""
    if "seat" not in request.args:
        return seen.viewer or 0
    seat = request.args.get("seat", -1, int)
    if seat not in range(len(seen.seats)):
        abort(404)
    return seat


def _told(seen: Glance, progress: Progress | None) -> dict[str, object]:
    """Put into words what was found, if all of it was."""
    if progress is None or not progress.is_done:
        return {}
    decisions = [_in_words(seen, each) for each in progress.findings.dearest_first]
    return {
        "given_away": _worth(seen, progress.findings.cost),
        "dearest": decisions[:IN_FULL],
        "others": decisions[IN_FULL:],
    }


def _in_words(seen: Glance, decision: Decision) -> DecisionInWords:
    return DecisionInWords(
        before=decision.number - 1,
        round=decision.round,
        phase=GAMES[seen.match.game].PHASES[decision.phase],
        cost=_worth(seen, decision.cost or 0.0),
        chosen=coach_says(seen, decision.chosen),
        best=coach_says(seen, decision.best),
    )


def _worth(seen: Glance, amount: float) -> Markup:
    tell = partial(coach_in_words, current_app.jinja_env, seen.match.game, names=seen.names)
    return tell({"kind": "worth", "amount": amount})
