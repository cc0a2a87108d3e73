"""The rules of a game: as a page, one of them beside a table, and on a sheet to print."""

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from stockpile_web.games import GAMES
from stockpile_web.web.htmx import varied, wants_fragment
from stockpile_web.web.security import row_number

bp = Blueprint("rules", __name__, url_prefix="/rules")


@bp.get("/<game>")
def show(game: str) -> ResponseReturnValue:
    """Explain a game."""
    return _rendered(game, "rules")


@bp.get("/<game>/<section>")
def one(game: str, section: str) -> ResponseReturnValue:
    """Give a single rule, to be read beside the table; without htmx its place on the page."""
    if not wants_fragment():
        _refuse_unknown(game)
        return redirect(url_for("rules.show", game=game, table=_table(), _anchor=section))
    html = _rendered(game, "rules", section)
    return varied(make_response(html)) if "<h2" in html else abort(404)


@bp.get("/<game>/summary")
def summary(game: str) -> ResponseReturnValue:
    """Give the whole game on one sheet of paper."""
    return _rendered(game, "summary")


def _rendered(game: str, page: str, only: str = "") -> str:
    _refuse_unknown(game)
    return render_template(
        f"games/{game}/{page}.html",
        game=game,
        title=GAMES[game].TITLE,
        data=GAMES[game].data,
        table=_table(),
        only=only,
    )


def _refuse_unknown(game: str) -> None:
    if game not in GAMES:
        abort(404)


def _table() -> int | None:
    """Return the table one comes from: a number, so that no other address can be slipped in."""
    number = request.args.get("table", 0, row_number)
    return number if 0 < number < 2**31 else None
