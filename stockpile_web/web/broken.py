"""What is shown of a table that cannot be shown: a clear word, its log, and ways out of it."""

import logging
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
from werkzeug.exceptions import HTTPException, NotFound

from stockpile_web.games import GAMES
from stockpile_web.match import administration, broken, past, perspective
from stockpile_web.match.glance import Glance, glance
from stockpile_web.match.rows import MatchRow, read_table
from stockpile_web.match.rules_versions import Held, Unplayable
from stockpile_web.match.seating import Refused
from stockpile_web.match.turn import NoSuchMatch, NotSeated, changing
from stockpile_web.storage import audit
from stockpile_web.storage.cache import BoundedCache
from stockpile_web.storage.models.matches import PLAYING
from stockpile_web.storage.transactions import reading
from stockpile_web.web import board_cache, problems
from stockpile_web.web.auth import me, sign_in_needed, someone
from stockpile_web.web.board_cache import MoveInWords
from stockpile_web.web.htmx import is_boosted, varied, wants_fragment
from stockpile_web.web.security import row_number

bp = Blueprint("broken", __name__)

LOG_MOVES = 60  # Beside the word: enough to know how far it was.

# What programs are told: a sentence and a word.
_HELD = "This match began under rules that this server cannot carry on: it is held.", "held"
_BROKEN = "This match cannot be shown: its host and the administrators are told.", "broken"

log = logging.getLogger(__name__)
# Of which tables the log has told.
_said: BoundedCache[bool] = BoundedCache("broken tables", 100_000, lambda _told: 1)


class BrokenTable(NamedTuple):
    """A table that cannot be shown, and what can be done about it."""

    match: MatchRow
    title: str  # Of its game.
    is_held: bool  # It only waits for other rules.
    ways_back: list[int]  # Turns from which it could go on, newest first.


def look(match_id: int) -> BrokenTable | None:
    """Look at a table that was found broken; None if it is not, or is not played any more."""
    return _ways_out(match_id, broken.problem_of(reading(), match_id))


def _ways_out(match_id: int, problem: Exception | None) -> BrokenTable | None:
    found = read_table(reading(), match_id)
    if found is None or problem is None or found[0].status != PLAYING:
        return None
    match, seats = found
    ways = broken.ways_back(reading(), match, len(seats))
    return BrokenTable(match, GAMES[match.game].TITLE, isinstance(problem, Held), ways)


@bp.app_errorhandler(NoSuchMatch)
@bp.app_errorhandler(NotSeated)
def gone(_reason: Exception) -> ResponseReturnValue:
    """Answer somebody whose seat or table has gone since we looked."""
    # Not by abort: what is raised while an error is handled is an error of ours.
    answer = current_app.handle_http_exception(NotFound())
    return answer.get_response() if isinstance(answer, HTTPException) else answer


@bp.app_errorhandler(Unplayable)
@bp.app_errorhandler(Exception)
def cannot_be_shown(error: Exception) -> ResponseReturnValue:
    """Say that a table cannot be shown, if that is why an error came up; else it is one of ours."""
    match_id = (request.view_args or {}).get("match_id")
    stored = broken.problem_of(reading(), match_id) if match_id else None
    problem = error if isinstance(error, Unplayable) else stored
    if problem is None or match_id is None:
        raise error
    user = someone()
    seen = glance(reading(), match_id, user.id if user else None)
    if seen is None:
        return gone(error)
    if not isinstance(problem, Held):
        _say_once(seen.match, problem)
    if problems.is_for_program():
        return problems.answer(409, *(_HELD if isinstance(problem, Held) else _BROKEN))
    is_part = wants_fragment() and not is_boosted()
    template = "table/_held.html" if is_part else "table/held.html"
    may_mend = user is not None and (user.id == seen.match.host_id or user.is_admin)
    page = render_template(
        template,
        seen=seen,
        title=GAMES[seen.match.game].TITLE,
        is_held=isinstance(problem, Held),
        log=[] if is_part else _log(seen),
        broken=_ways_out(match_id, stored) if may_mend else None,
    )
    return varied(make_response(page, 409))


@bp.post("/table/<int:match_id>/mend")
@sign_in_needed
def mend(match_id: int) -> ResponseReturnValue:
    """Set a broken table back to a turn that can be read, or close it: its host's, or ours."""
    user = me()
    seen = glance(reading(), match_id, user.id)
    if seen is None and not user.is_admin:
        abort(404)
    if seen is not None and user.id != seen.match.host_id and not user.is_admin:
        abort(403)
    try:
        with changing(match_id) as turn:
            if request.form.get("do") == "close":
                broken.close(turn, user.id)
                event, said = administration.ENDED, "The table is closed."
            else:
                broken.set_back(turn, request.form.get("number", -1, row_number))
                event, said = "set back", "The table goes on from there."
            if user.id != turn.match.host_id:
                audit.note(turn.connection, user.id, event, f"table {match_id}")
        flash(said)
    except Refused as refusal:
        flash(str(refusal), "error")
    is_host = seen is not None and user.id == seen.match.host_id
    there = url_for("table.show", match_id=match_id) if is_host else url_for("admin.held")
    return redirect(there, 303)


def _say_once(match: MatchRow, problem: Exception) -> None:
    """Log what is wrong with a table, but not for each who looks at it."""
    key = (match.invitation, match.version)
    if _said.get(key) is None:
        _said.put(key, True)
        log.error("Table %s cannot be shown: %s", match.id, broken.in_a_line(problem))


def _log(seen: Glance) -> list[MoveInWords]:
    """Return the newest of what has happened, as far as it can be told."""
    first = max(0, seen.match.version - LOG_MOVES)
    try:
        told = past.told_to(reading(), seen, perspective.own_side(seen), first, seen.match.version)
        return board_cache.log_in_words(seen, told)[::-1]
    except Exception:  # noqa: BLE001 (the log may be damaged as well)
        return []
