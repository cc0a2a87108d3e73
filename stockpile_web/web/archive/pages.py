"""The page of the archive: a form to search by, and the matches that are found."""

from urllib.parse import urlencode

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from stockpile_web.games import GAMES
from stockpile_web.match.archive import NotThere, Page, find
from stockpile_web.storage.transactions import reading
from stockpile_web.web.archive import address
from stockpile_web.web.archive.address import Asked
from stockpile_web.web.archive.blueprint import bp
from stockpile_web.web.auth import sign_in_needed, someone

ON_A_PAGE = 25
NOWHERE = "That part of the list is not there any more: this is its beginning."


@bp.get("/archive")
def show() -> ResponseReturnValue:
    """Show the matches that are found; those of mine only to me."""
    words = list(request.args.items(multi=True))
    said = [(key, value) for key, value in words if value]
    if said != words:  # An address that is passed on says only what is asked.
        return redirect(f"{url_for('archive.show')}?{urlencode(said)}")
    return _mine() if request.args.get("mine") else _page()


@sign_in_needed
def _mine() -> ResponseReturnValue:
    return _page()


def _page() -> ResponseReturnValue:
    user = someone()
    asked = address.read(reading(), request.args, user.id if user else None)
    page, notice = Page([], None, None), ""
    if not asked.errors:
        page, notice = _find(asked)
    shown = render_template(
        "archive/page.html",
        asked=asked,
        page=page,
        notice=notice,
        games=GAMES,
        tabs=[(slug, asked.for_game(slug)) for slug in ("", *GAMES)],
        orders=address.ORDERS,
        sizes=[("", "Any number"), *((size, size) for size in address.sizes(asked.game))],
    )
    return shown, 422 if asked.errors else 200


def _find(asked: Asked) -> tuple[Page, str]:
    """Return the part of the list that is asked for; its beginning, if that is not there."""
    typed = {key: request.args[key] for key in ("after", "before") if key in request.args}
    places = {key: address.number(value) for key, value in typed.items()}
    try:
        if None in places.values():
            raise NotThere
        return find(reading(), asked.search, ON_A_PAGE, **places), ""
    except NotThere:
        return find(reading(), asked.search, ON_A_PAGE), NOWHERE
