"""The list of those who are rated at a game, bots among them."""

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from stockpile_web.games import GAMES
from stockpile_web.match.ratings import SURE_AFTER
from stockpile_web.web.people.blueprint import bp
from stockpile_web.web.people.standings import MOST_LISTED, listed
from stockpile_web.web.people.visibility import viewer_id


@bp.get("")
def leaderboard() -> ResponseReturnValue:
    """Show how strong people and bots are at a game, and lead to somebody's profile."""
    if name := request.args.get("name", "").strip():
        # Whether there is such a profile the page itself says.
        return redirect(url_for("people.profile", name=name), 302)
    game = request.args.get("game", "")
    if game not in GAMES:
        game = next(iter(GAMES))
    return render_template(
        "people/list.html",
        games=GAMES,
        game=game,
        sure=listed(game, viewer_id(), sure=True),
        unsure=listed(game, viewer_id(), sure=False),
        sure_after=SURE_AFTER,
        most=MOST_LISTED,
    )
