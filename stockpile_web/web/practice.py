"""At a practice table: the odds, and back to before any of my moves."""

from functools import partial
from typing import NamedTuple

from flask import Blueprint, make_response, render_template
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from stockpile_web.games import GAMES
from stockpile_web.match import past, practice, take_back
from stockpile_web.match.coach import NotCoached
from stockpile_web.match.glance import Glance
from stockpile_web.match.perspective import own_side
from stockpile_web.match.table_view import open_table
from stockpile_web.storage.transactions import reading
from stockpile_web.web import board_cache, rate_limits
from stockpile_web.web.auth import me, sign_in_needed
from stockpile_web.web.htmx import is_boosted, varied, wants_fragment
from stockpile_web.web.table import act, explain, find

bp = Blueprint("practice", __name__)

LATEST = 6  # So many are listed beside the board; the page has them all.
NOTHING_TOLD = Markup("Of this move there is nothing to tell.")
GOING_BACK = rate_limits.Limit("back at a practice table", 200, 60)


class MyMove(NamedTuple):
    """A move of mine that stands, in words."""

    number: int
    words: Markup


def find_practice(match_id: int) -> Glance:
    """Return a table at which the viewer practises."""
    seen = find(match_id)
    if not practice.is_open(seen):
        raise NotCoached
    return seen


@bp.get("/table/<int:match_id>/odds")
def odds(match_id: int) -> ResponseReturnValue:
    """Tell what my seat can work out of what it does not see."""
    seen = find_practice(match_id)
    table = open_table(reading(), seen)
    page = render_template(
        "table/_odds.html" if _is_part() else "table/odds.html",
        seen=seen,
        table=table,
        odds=GAMES[table.game].odds(table.view),
    )
    return varied(make_response(page))


@bp.get("/table/<int:match_id>/back")
def ways_back(match_id: int) -> ResponseReturnValue:
    """List my moves that stand, the newest first: I may go back to before any of them."""
    seen = find_practice(match_id)
    mine, is_part = seen.seat, _is_part()
    assert mine is not None
    standing = take_back.standing_moves(reading(), match_id, mine.number)[::-1]
    listed = standing[:LATEST] if is_part else standing
    page = render_template(
        "table/_back.html" if is_part else "table/back.html",
        seen=seen,
        moves=_in_words(seen, listed),
        more=len(standing) - len(listed),
    )
    return varied(make_response(page))


@bp.post("/table/<int:match_id>/back/<int:number>")
@sign_in_needed
def go_back(match_id: int, number: int) -> ResponseReturnValue:
    """Go back to before a move of mine."""
    try:
        rate_limits.count((GOING_BACK, str(me().id)))
    except rate_limits.TooMany as refusal:
        return explain(match_id, 422, f"You have gone back often enough for now. {refusal}")
    return act(match_id, partial(take_back.go_back, number))


def _is_part() -> bool:
    """Tell whether the answer goes beside the board, and is not a page of its own."""
    return wants_fragment() and not is_boosted()


def _in_words(seen: Glance, numbers: list[int]) -> list[MyMove]:
    """Say what I did in some moves; of passing or being done nothing is told."""
    if not numbers:
        return []
    told = past.told_to(reading(), seen, own_side(seen), numbers[-1], numbers[0])
    wanted = set(numbers)
    log = board_cache.log_in_words(seen, [move for move in told if move.number in wanted])
    words = {move.number: move.lines[0].text for move in log}
    return [MyMove(number, words.get(number, NOTHING_TOLD)) for number in numbers]
