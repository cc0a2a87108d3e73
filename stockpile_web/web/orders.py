"""Standing orders at a table: the form for them, and leaving them."""

from typing import Any

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from stockpile_web.engine import IllegalMove
from stockpile_web.games import GAMES
from stockpile_web.match import moves, table_view
from stockpile_web.match.glance import Glance, glance
from stockpile_web.match.standing_orders import sheet
from stockpile_web.match.turn import changing
from stockpile_web.storage.models.matches import PLAYING
from stockpile_web.storage.transactions import reading
from stockpile_web.web import board_cache, parts
from stockpile_web.web.auth import me, sign_in_needed
from stockpile_web.web.htmx import varied, wants_fragment

bp = Blueprint("orders", __name__)

# The seat's counter has moved on: by its player, an order, a bot or the clock, or by taking back.
MOVED_ON = (
    "A move of yours was made or taken back since this form was loaded, so nothing was saved: "
    "here are your orders as they stand now."
)


@bp.get("/table/<int:match_id>/orders")
@sign_in_needed
def show(match_id: int) -> ResponseReturnValue:
    """Show my standing orders as a form, on a page of its own or on the table's page."""
    return _form(_seated(match_id))


@bp.post("/table/<int:match_id>/orders")
@sign_in_needed
def leave(match_id: int) -> ResponseReturnValue:
    """Leave standing orders; those that can act at once do."""
    seen = _seated(match_id)
    try:
        with changing(match_id) as turn:
            moves.put_orders(turn, me().id, request.form)
    except moves.StaleMove:
        return _form(_seated(match_id), 409, MOVED_ON)
    except IllegalMove as refusal:
        return _form(seen, 422, str(refusal))
    if wants_fragment():
        seen, table = table_view.open_after(turn, me().id)
        html = parts.answer(board_cache.render(reading(), seen, me(), table))
        return varied(make_response(html + render_template("table/_order_slot.html")))
    return redirect(url_for("table.show", match_id=match_id, _anchor="orders"), 303)


def _seated(match_id: int) -> Glance:
    seen = glance(reading(), match_id, me().id)
    if seen is None or seen.match.status != PLAYING or GAMES[seen.match.game].ORDERS is None:
        abort(404)
    if seen.viewer is None:
        abort(403)
    return seen


def _sheet(seen: Glance) -> Any:
    """Return what the form shows: what the viewer can order, and has ordered so far."""
    game = GAMES[seen.match.game]
    view = game.view(table_view.read_state(reading(), seen.match), seen.viewer)
    return sheet(game, seen.seat.orders if seen.seat else "", view)


def _form(seen: Glance, status: int = 200, notice: str = "") -> ResponseReturnValue:
    template = "table/_order_form.html" if wants_fragment() else "table/orders.html"
    page = render_template(
        template,
        seen=seen,
        sheet=_sheet(seen),
        notice=notice,
        is_beside_board=wants_fragment(),
    )
    answer = varied(make_response(page, status))
    if status != 200:  # What was wrong is said beside the form, not in the place of the board.
        answer.headers["HX-Retarget"], answer.headers["HX-Reswap"] = "#order-slot", "innerHTML"
    return answer
