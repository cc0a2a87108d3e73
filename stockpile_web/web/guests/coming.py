"""Coming as a guest: one press for a first game, or one field at a friend's invitation."""

from flask import abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from stockpile_web.games import GAMES
from stockpile_web.match import trying
from stockpile_web.match.seating import Refused
from stockpile_web.people import guests
from stockpile_web.storage import names
from stockpile_web.storage.models import User
from stockpile_web.storage.transactions import writing
from stockpile_web.web import rate_limits
from stockpile_web.web.accounts import fields
from stockpile_web.web.auth import me, sign_in, someone
from stockpile_web.web.guests.blueprint import are_welcome, bp
from stockpile_web.web.lobby.finding import to_watch
from stockpile_web.web.lobby.invitations import invited_by, sit_down_at

# A class or a club behind one address can try it together.
NEW_GUESTS = rate_limits.Limit("new guest", 20, 60)
TRIES = rate_limits.Limit("try a game", 30, 60)


@bp.post("/try/<game>")
def try_game(game: str) -> ResponseReturnValue:
    """Begin a practice table among bots, as a guest if a stranger asks, and go to it."""
    if game not in GAMES:
        abort(404)
    try:
        if someone() is None:
            sign_in(_new_guest())
        else:
            rate_limits.count((TRIES, str(me().id)))
        match_id = trying.begin(me(), game)
    except Refused as refusal:
        flash(str(refusal), "error")
        return redirect(url_for("lobby.mine"), 303)
    except (rate_limits.TooMany, guests.Full) as refusal:
        return _not_now(refusal)
    return redirect(url_for("table.show", match_id=match_id), 303)


@bp.post("/join/<invitation>/guest")
def sit_down(invitation: str) -> ResponseReturnValue:
    """Sit down at a friend's table as a guest, by a name that they choose."""
    page, typed = url_for("lobby.invited", invitation=invitation), request.form.get("name", "")
    match = invited_by(page)
    user = someone()
    if (user and not user.is_guest) or match is None or match.listed:
        return redirect(page, 303)  # It says what can be done.
    name = names.tidy(typed)
    try:
        if error := _what_is_wrong_with(name):
            raise Refused(error)
        if user is None:
            sign_in(_new_guest(name))
        else:
            with writing() as tx:
                guests.rename(tx, user.id, name)
    except guests.Taken:
        flash(fields.TAKEN, "error")
    except Refused as refusal:
        flash(str(refusal), "error")
    except (rate_limits.TooMany, guests.Full) as refusal:
        return _not_now(refusal)
    else:
        return sit_down_at(invitation)
    return redirect(url_for("lobby.invited", invitation=invitation, name=typed[:40]), 303)


def _new_guest(name: str = "") -> User:
    if not are_welcome():
        abort(404)
    zone = request.form.get("time_zone", "UTC")
    rate_limits.count((NEW_GUESTS, rate_limits.address()))
    with writing() as tx:
        known = "UTC" if fields.what_is_wrong_with_zone(zone) else zone
        return guests.make(tx, name, known)


def _what_is_wrong_with(name: str) -> str | None:
    longest = guests.LONGEST_NAME
    if not names.can_be(name) or max(len(name), len(names.key_of(name))) > longest:
        return f"As a guest use {names.SHORTEST} to {longest} letters or digits, _ or -."
    return fields.what_is_wrong_with_name(name)


def _not_now(refusal: rate_limits.TooMany | guests.Full) -> ResponseReturnValue:
    """Say that there are too many guests, and what else there is to do."""
    wait = refusal.wait if isinstance(refusal, rate_limits.TooMany) else 60
    is_full = isinstance(refusal, guests.Full)
    page = render_template("guests/not_now.html", wait=wait, is_full=is_full, watch=to_watch())
    return page, 503 if is_full else 429, {"Retry-After": str(60 * wait)}
