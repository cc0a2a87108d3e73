"""My profile: who may see it, and at which games I want a rating."""

from collections.abc import Mapping
from typing import NamedTuple

from flask import abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select
from sqlalchemy.orm import Session

from stockpile_web.games import GAMES
from stockpile_web.match.ratings import newcomer
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Rating, User
from stockpile_web.storage.transactions import advisory_lock, writing
from stockpile_web.web.accounts.blueprint import bp
from stockpile_web.web.auth import me, sign_in_needed
from stockpile_web.web.people.visibility import CHOICES


class MyProfile(NamedTuple):
    """What there is to choose, and what is chosen."""

    choices: Mapping[str, str]
    shown_to: str
    games: Mapping[str, str]
    rated: frozenset[str]


@bp.post("/account/profile")
@sign_in_needed
def change_profile() -> ResponseReturnValue:
    """Set who may see my profile, and where I want a rating."""
    shown_to, wanted = request.form.get("profile_for", ""), request.form.getlist("rated")
    if shown_to not in CHOICES or not GAMES.keys() >= set(wanted):
        abort(400)
    with writing() as tx:
        advisory_lock(tx, "ratings")
        tx.get_one(User, me().id).profile_for = shown_to
        _want_ratings(tx, me().id, wanted)
    flash("Your profile is set.")
    return redirect(url_for("accounts.settings"), 303)


def my_profile() -> MyProfile:
    """Return what I have chosen for my profile."""
    mine = select(Rating.game).where(Rating.user_id == me().id, Rating.on_since.is_not(None))
    shown_to = db.session.scalar(select(User.profile_for).where(User.id == me().id))
    titles = {key: game.TITLE for key, game in GAMES.items()}
    return MyProfile(CHOICES, shown_to or "", titles, frozenset(db.session.scalars(mine)))


def _want_ratings(tx: Session, user_id: int, games: list[str]) -> None:
    """Switch ratings on and off; one that was on before goes on as it was."""
    mine = {row.game: row for row in tx.scalars(select(Rating).filter_by(user_id=user_id))}
    for game in set(games) - mine.keys():
        mine[game] = newcomer(game, user_id=user_id)
        tx.add(mine[game])
    for game, rating in mine.items():
        if game not in games:
            rating.on_since = None
        elif rating.on_since is None:
            rating.on_since = now()
