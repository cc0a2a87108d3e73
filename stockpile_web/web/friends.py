"""My own lists of people: friends, whom I invite in one press, and those whom I have blocked."""

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from stockpile_web.people import Refusal, blocks, friends
from stockpile_web.storage.names import LONGEST
from stockpile_web.storage.transactions import advisory_lock, reading, writing
from stockpile_web.web import rate_limits
from stockpile_web.web.auth import is_local, me, sign_in_needed

bp = Blueprint("friends", __name__)

# Whoever goes through many names wants to know who is here.
NAMES = rate_limits.Limit("name on a list", 60, 60)
CHANGES = {
    "add": (friends.add, "{} is among your friends. Only you see this list."),
    "remove": (friends.remove, "{} is no longer among your friends."),
    "block": (blocks.block, "You have blocked {}. They are not told."),
    "unblock": (blocks.unblock, "{} is no longer blocked."),
}


@bp.after_request
def _keep_nowhere(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response


@bp.get("/friends")
@sign_in_needed
def show() -> ResponseReturnValue:
    """Show my friends, and with whom I have played."""
    connection = reading()
    return render_template(
        "friends/list.html",
        friends=friends.list_of(connection, me().id),
        played_with=friends.played_with(connection, me().id),
        longest_name=LONGEST,
    )


@bp.get("/account/blocked")
@sign_in_needed
def blocked() -> ResponseReturnValue:
    """Show whom I have blocked."""
    theirs = blocks.list_of(reading(), me().id)
    return render_template("friends/blocked.html", blocked=theirs, longest_name=LONGEST)


@bp.post("/friends")
@sign_in_needed
def change() -> ResponseReturnValue:
    """Add or remove a friend, block or unblock somebody; all by name."""
    what, back = request.form.get("do", ""), request.form.get("next", "")
    carry_out, words = CHANGES.get(what, CHANGES["add"])
    try:
        rate_limits.count((NAMES, str(me().id)))
        with writing() as tx:
            advisory_lock(tx, f"lists of {me().id}")  # A double press counts once.
            name, is_about_block = request.form.get("name", ""), what in ("block", "unblock")
            somebody = friends.named(tx, name, guests_too=is_about_block)
            carry_out(tx, me().id, somebody.id)
        flash(words.format(somebody.shown_name))
    except Refusal as refusal:
        flash(str(refusal), "bad")
    except rate_limits.TooMany as refusal:
        flash(f"Those were many names: please wait {refusal.wait} minutes.", "bad")
    page = "friends.blocked" if what in ("block", "unblock") else "friends.show"
    return redirect(back if is_local(back) else url_for(page), 303)
