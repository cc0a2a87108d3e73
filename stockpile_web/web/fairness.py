"""Fair for anybody to check: a match as a file, and the check of one that is over."""

from threading import Lock

from flask import Blueprint, Response, abort, render_template
from flask.typing import ResponseReturnValue

from stockpile_web.engine import codec
from stockpile_web.match import checking, exporting, importing, match_file
from stockpile_web.match.checking import Line
from stockpile_web.match.glance import Glance
from stockpile_web.storage.cache import ENTRY_BYTES, BoundedCache
from stockpile_web.storage.models.matches import OVER
from stockpile_web.storage.transactions import reading
from stockpile_web.web import rate_limits
from stockpile_web.web.auth import someone
from stockpile_web.web.table import find

bp = Blueprint("fairness", __name__)

# A replay takes a core for up to a second. What was found about a finished match never changes.
CHECKS = rate_limits.Limit("check a match", 60, 60)
CHECKED = 512 * 1024  # Bytes.
PATIENCE = 1.0  # Seconds, for a check of somebody else to be done.
_checked: BoundedCache[list[Line]] = BoundedCache(
    "checks", CHECKED, lambda lines: sum(ENTRY_BYTES + len(line.text) for line in lines)
)
_one_at_a_time = Lock()


def clear_cache() -> None:
    """Forget what was found about all matches."""
    _checked.clear()


@bp.get("/table/<int:match_id>/export.json")
def export(match_id: int) -> ResponseReturnValue:
    """Give a whole match as a file, as far as this viewer may know it."""
    seen = find(match_id)
    if seen.match.started_at is None:
        abort(404)
    text = _imported(seen) or codec.dump(exporting.export(reading(), seen)).encode()
    answer = Response(text, mimetype="application/json")
    answer.headers["Content-Disposition"] = f'attachment; filename="table-{match_id}.json"'
    return answer


@bp.get("/table/<int:match_id>/check")
def check(match_id: int) -> ResponseReturnValue:
    """Replay a match that is over, and say line by line whether it was honest."""
    seen = find(match_id)
    if seen.match.status != OVER:
        abort(404)
    lines = _lines(seen)
    verdict = checking.Verdict(lines, [])
    return render_template("table/check.html", seen=seen, lines=lines, verdict=verdict)


def _lines(seen: Glance) -> list[Line]:
    # The same for every viewer; the invitation is the name of a match that no other has.
    key = (seen.match.invitation,)
    if (known := _checked.get(key)) is not None:
        return known
    user = someone()
    try:
        rate_limits.count((CHECKS, str(user.id) if user else rate_limits.address()))
    except rate_limits.TooMany:
        abort(429)
    # Whoever waits holds a thread that others need to look at their tables.
    if not _one_at_a_time.acquire(timeout=PATIENCE):
        abort(503)
    try:
        text = _imported(seen)
        file = match_file.read(text) if text else exporting.export(reading(), seen)
        lines = checking.check(file).lines
    finally:
        _one_at_a_time.release()
    _checked.put(key, lines)
    return lines


def _imported(seen: Glance) -> bytes | None:
    """Return the file as it was brought in, of a match that was not played here."""
    return importing.file_of(reading(), seen.match.id) if seen.match.practice else None
