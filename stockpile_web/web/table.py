"""At the table: looking, moving, chatting and notes."""

from collections.abc import Callable
from hashlib import blake2b

from flask import (
    Blueprint,
    abort,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from stockpile_web import counters, live
from stockpile_web.engine import IllegalMove
from stockpile_web.games import GAMES
from stockpile_web.match import (
    coach,
    moves,
    practice,
    sealing,
    table_view,
    what_if,
)
from stockpile_web.match import take_back as taking_back
from stockpile_web.match.bots import steadiest
from stockpile_web.match.glance import Glance, glance
from stockpile_web.match.moves import StaleMove
from stockpile_web.match.naming import LONGEST_NAME
from stockpile_web.match.table_view import Table
from stockpile_web.match.time_controls import TIME_CONTROLS
from stockpile_web.match.turn import NoSuchMatch, NotSeated, Turn, changing
from stockpile_web.storage.transactions import reading
from stockpile_web.web import board_cache, http_cache, parts, rate_limits, steps, watching
from stockpile_web.web.auth import me, sign_in_needed, someone, stream_key
from stockpile_web.web.chat import LONGEST_MESSAGE, TOO_LONG, mark_as_read, say
from stockpile_web.web.htmx import (
    asks_for,
    has_message,
    reload_page,
    varied,
    wants_fragment,
)
from stockpile_web.web.lobby import room
from stockpile_web.web.notices import offer
from stockpile_web.web.notices.blueprint import unseen_notices
from stockpile_web.web.parts import Rendered

bp = Blueprint("table", __name__)

LONGEST_NOTES = 5000
# Each is recorded, and tells others that they are asked, and then that they are not.
TAKING_BACK = rate_limits.Limit("take back", 40, 60)

MOVED_ON = "The table has moved on since this page was loaded: here it is as it stands now."


@bp.get("/table/<int:match_id>")
def show(match_id: int) -> ResponseReturnValue:
    """Show a table: the whole page, or the table alone when htmx asks for what is new."""
    seen = find(match_id)
    user = someone()
    if seen.match.started_at is None:
        return _waiting_room(seen)
    if asks_for("room"):
        # The match has begun under the eyes of those who wait.
        return reload_page()
    if request.args.getlist("step"):
        return _anew(seen, *steps.open_with_steps(reading(), seen, request.args))
    if has_message() and not wants_fragment():
        # What is said once must not be kept and said again.
        page = _page(seen, board_cache.render(reading(), seen, user), offer.is_due(seen))
        return varied(make_response(page))
    # A new version of this site shows its pages anew.
    what = (http_cache.build(), *board_cache.freshness(seen, user))
    is_offered = False
    if wants_fragment():
        # Browsers ask by the tag of whatever they keep: an answer to another page is another one.
        what = (*what, parts.shown_already())
    else:  # Around the table the page has a token, notes, a badge, an offer.
        notes = seen.seat.notes if seen.seat else ""
        is_offered = offer.is_due(seen)
        what = (*what, user and user.device_id, notes, unseen_notices(), is_offered)
    tag = blake2b(repr(what).encode(), digest_size=12).hexdigest()
    if request.if_none_match.contains_weak(tag):
        answer = make_response("", 304)
    else:
        table = board_cache.render(reading(), seen, user)
        answer = make_response(
            parts.answer(table) if wants_fragment() else _page(seen, table, is_offered)
        )
    answer.set_etag(tag, weak=True)
    return varied(answer)


@bp.post("/table/<int:match_id>/move")
@sign_in_needed
def move(match_id: int) -> ResponseReturnValue:
    """Make a move; whatever comes of it, the answer is the table as it stands."""
    return act(match_id, moves.submit)


@bp.post("/table/<int:match_id>/take-back")
@sign_in_needed
def take_back(match_id: int) -> ResponseReturnValue:
    """Take back the last move, if nobody else has acted and nobody has learned from it."""
    try:
        rate_limits.count((TAKING_BACK, str(me().id)))
    except rate_limits.TooMany as refusal:
        return explain(match_id, 422, f"You have taken back too much for now. {refusal}")
    return act(match_id, taking_back.take_back)


def act(
    match_id: int, act: Callable[[Turn, int, MultiDict[str, str]], None]
) -> ResponseReturnValue:
    """Let somebody act at a table by a form; whatever comes of it, answer with the table."""
    user = me()
    try:
        with changing(match_id) as turn:
            act(turn, user.id, request.form)
    except (NoSuchMatch, NotSeated):
        find(match_id)
        abort(403)
    except StaleMove:
        counters.REFUSED.add("stale")
        return explain(match_id, 409, MOVED_ON)
    except IllegalMove as refusal:
        counters.REFUSED.add("illegal")
        return explain(match_id, 422, str(refusal))
    if wants_fragment():
        # Only now: what is not committed might be cached, and never have happened.
        seen, table = table_view.open_after(turn, user.id)
        return varied(make_response(parts.answer(board_cache.render(reading(), seen, user, table))))
    return redirect(url_for("table.show", match_id=match_id), 303)


@bp.get("/table/<int:match_id>/events")
def events(match_id: int) -> ResponseReturnValue:
    """Bring an open page its table whenever that moves on."""
    seen, user = find(match_id), someone()
    key = stream_key(user) if user else f"address {rate_limits.address()}"
    shown = watching.shown_of(board_cache.rendered(seen, user))
    return live.stream(match_id, key, watching.source_of(seen, user), shown)


@bp.post("/table/<int:match_id>/chat")
@sign_in_needed
def chat(match_id: int) -> ResponseReturnValue:
    """Say something to the table, or mark what was said as read."""
    seen = seated(match_id)
    text = request.form.get("text", "").strip()
    if len(text) > LONGEST_MESSAGE:
        return explain(match_id, 422, TOO_LONG)
    if text:
        say(seen, text)
    else:
        mark_as_read(match_id)
    return back_to(match_id, "talk")


@bp.post("/table/<int:match_id>/notes")
@sign_in_needed
def notes(match_id: int) -> ResponseReturnValue:
    """Keep my private notes on this match."""
    seated(match_id)
    text = request.form.get("notes", "")
    if len(text) > LONGEST_NOTES:
        return explain(match_id, 422, f"Notes have at most {LONGEST_NOTES} characters.")
    with changing(match_id) as turn:
        turn.seat_of(me().id).notes = text
    return ("", 204) if wants_fragment() else back_to(match_id, "notes")


def find(match_id: int) -> Glance:
    """Look at a table as whoever asks may; there is none for whom it is not there."""
    user = someone()
    seen = glance(reading(), match_id, user.id if user else None)
    if seen is None:
        abort(404)
    return seen


def seated(match_id: int) -> Glance:
    """Look at a table at which whoever asks sits."""
    seen = find(match_id)
    if seen.viewer is None:
        abort(403)
    return seen


def _page(seen: Glance, table: Rendered, is_offered: bool) -> str:
    game = GAMES[seen.match.game]
    return render_template(
        "table/page.html",
        seen=seen,
        places=board_cache.places(table.whole()),
        game=game,
        time_control=TIME_CONTROLS[seen.match.pace],
        offer_key=offer.push_key() if is_offered else None,
        steadiest=steadiest(game),
        practises=practice.is_open(seen),
        longest_name=LONGEST_NAME,
        others=room.to_block(seen),
        seal=_seal(seen),
        origin=what_if.origin_of(reading(), seen.match),
        coached=coach.is_open(seen),
    )


def _waiting_room(seen: Glance) -> ResponseReturnValue:
    template = "lobby/_room.html" if wants_fragment() else "lobby/room.html"
    game = GAMES[seen.match.game]
    page = render_template(
        template,
        seen=seen,
        game=game,
        paces=TIME_CONTROLS,
        steadiest=steadiest(game),
        longest_name=LONGEST_NAME,
        seal=_seal(seen),
        **room.people_of(seen),
    )
    return varied(make_response(page))


def _seal(seen: Glance) -> sealing.Shown:
    user = someone()
    return sealing.shown(reading(), seen.match, seen.seats, user.id if user else None)


def explain(match_id: int, status: int, notice: str) -> ResponseReturnValue:
    """Answer what cannot be done: why, and the fresh table, with the steps that are still open."""
    seen = find(match_id)
    if seen.match.started_at is None:  # There is no board yet: the room says why.
        flash(notice, "error")
        return back_to(match_id, "room")
    return _anew(seen, status, notice, steps.open_still(reading(), seen, request.form))


def _anew(
    seen: Glance, status: int, notice: str, table: Table | None = None
) -> ResponseReturnValue:
    """Answer with a table that is not kept: without a tag no cache does."""
    board = board_cache.render_anew(reading(), seen, notice, table)
    body = parts.answer(board) if wants_fragment() else _page(seen, board, offer.is_due(seen))
    return varied(make_response(body, status))


def back_to(match_id: int, anchor: str) -> ResponseReturnValue:
    """Answer with the table as it stands, with the steps that are still open."""
    if not wants_fragment():
        return redirect(url_for("table.show", match_id=match_id, _anchor=anchor), 303)
    seen = find(match_id)
    if seen.match.started_at is None:
        return reload_page()
    if table := steps.open_still(reading(), seen, request.form):
        return _anew(seen, 200, "", table)
    return varied(make_response(parts.answer(board_cache.render(reading(), seen, me()))))
