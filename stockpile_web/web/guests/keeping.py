"""Keep this game: a guest chooses a name and a password, and all their tables stay theirs."""

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from stockpile_web.people import guests
from stockpile_web.web import rate_limits
from stockpile_web.web.accounts import fields, new_account
from stockpile_web.web.auth import me, sign_in, sign_in_needed
from stockpile_web.web.guests.blueprint import bp


@bp.route("/keep", methods=["GET", "POST"])
@sign_in_needed
def keep() -> ResponseReturnValue:
    """Make the account of a guest."""
    if not me().is_guest:
        return redirect(url_for("lobby.mine"), 303)
    if new_account.is_closed():
        return render_template("accounts/sign_up_closed.html"), 403
    if request.method != "POST":  # A HEAD request is a look, too.
        return _page({}, 200)
    rate_limits.count((rate_limits.SIGN_UP, rate_limits.address()))
    errors = new_account.errors_in_form()
    user = None if errors else new_account.save(errors, me().id)
    if user is None:
        return _page(errors, 422)
    sign_in(user)
    new_account.welcome(user, " All your tables are here.")
    return redirect(url_for("lobby.mine"), 303)


def _page(errors: dict[str, str], status: int) -> ResponseReturnValue:
    page = render_template(
        "guests/keep.html",
        errors=errors,
        by_code=new_account.needs_code(),
        zones=fields.time_zones(),
        name=request.form.get("name", guests.chosen_name(me().name or "")),
        days=guests.STAYS.days,
    )
    return page, status
