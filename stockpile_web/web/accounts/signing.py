"""Signing up, in and out."""

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import or_, select

from stockpile_web.storage import names
from stockpile_web.storage.database import db
from stockpile_web.storage.models import User
from stockpile_web.storage.transactions import Busy, writing
from stockpile_web.web import busy, rate_limits
from stockpile_web.web.accounts import fields, new_account, passkeys, passwords
from stockpile_web.web.accounts.blueprint import bp
from stockpile_web.web.auth import is_guest, is_local, sign_in_needed, someone
from stockpile_web.web.auth import sign_in as sign_in_on_this_device
from stockpile_web.web.auth import sign_out as sign_out_on_this_device
from stockpile_web.web.lobby.invitations import invited_by, sit_down_at

# Accounts may share an address; more than a family's worth is somebody playing tricks.
MOST_SHARING = 5
# The same for one that was removed and for one that never was, and whatever else is wrong.
UNKNOWN_PASSKEY = "This passkey opens nothing here. Try again, or type your name and password."


@bp.route("/sign-up", methods=["GET", "POST"])
def sign_up() -> ResponseReturnValue:
    """Make an account and sign in."""
    if someone() is not None:
        return redirect(url_for("guests.keep") if is_guest() else where_to_go(), 303)
    if new_account.is_closed():
        return render_template("accounts/sign_up_closed.html"), 403
    if request.method != "POST":  # A HEAD request is a look, too.
        return _sign_up_page({}, 200)
    return _make_account()


def _make_account() -> ResponseReturnValue:
    rate_limits.count((rate_limits.SIGN_UP, rate_limits.address()))
    errors = new_account.errors_in_form()
    try:
        user = None if errors else new_account.save(errors)
        if user is None:
            return _sign_up_page(errors, 422)
        sign_in_on_this_device(user)
    except Busy:
        if not busy.is_begun():
            raise
        flash("Your account is made, but the site is busy: sign in to it in a moment.")
        return redirect(url_for("accounts.sign_in", next=where_to_go()), 303)
    new_account.welcome(user)
    return _go_on()


@bp.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> ResponseReturnValue:
    """Sign in on this device, by name or by address."""
    if someone() is not None and not is_guest():
        return redirect(where_to_go(), 303)
    if request.method != "POST":  # A HEAD request is a look, too.
        return _sign_in_page({}, 200)
    user = _who_knows_the_password(request.form.get("name", ""))
    if user is None:
        return _sign_in_page({"password": "Name and password do not belong together."}, 422)
    sign_in_on_this_device(user)
    return _go_on()


@bp.post("/sign-in/passkey")
def sign_in_by_passkey() -> ResponseReturnValue:
    """Sign in on this device by a passkey, which tells by itself whose it is."""
    if someone() is not None and not is_guest():
        return redirect(where_to_go(), 303)
    address = (rate_limits.PASSWORD_FROM_ADDRESS, rate_limits.address())
    rate_limits.count(address)
    user = passkeys.owner_of(request.form.get("passkey", ""))
    if user is None:
        return _sign_in_page({"passkey": UNKNOWN_PASSKEY}, 422)
    rate_limits.forgive(*address)
    sign_in_on_this_device(user, "by a passkey")
    return _go_on()


@bp.post("/sign-out")
@sign_in_needed
def sign_out() -> ResponseReturnValue:
    """Sign out on this device."""
    sign_out_on_this_device()
    flash("You are signed out.")
    return redirect(url_for("lobby.home"), 303)


def where_to_go() -> str:
    """Return the page that was wanted before signing in; only ever one of this site."""
    wanted = request.values.get("next", "")
    return wanted if is_local(wanted) else url_for("lobby.mine")


def _go_on() -> ResponseReturnValue:
    """Go where they were bound for; whoever came by an invitation sits down, as the button said."""
    wanted = where_to_go()
    match = invited_by(wanted)
    return sit_down_at(match.invitation) if match else redirect(wanted, 303)


def find_users(typed: str) -> list[User]:
    """Return the users who have `typed` as their name or address."""
    same = or_(User.name_key == names.key_of(typed), User.email_key == fields.email_key(typed))
    return list(db.session.scalars(select(User).where(same).order_by(User.id).limit(MOST_SHARING)))


def _sign_in_page(errors: dict[str, str], status: int) -> ResponseReturnValue:
    page = render_template(
        "accounts/sign_in.html",
        errors=errors,
        invited_to=invited_by(where_to_go()),
        can_use_passkey=passkeys.can_be_used_here(),
    )
    return page, status


def _sign_up_page(errors: dict[str, str], status: int) -> ResponseReturnValue:
    page = render_template(
        "accounts/sign_up.html",
        errors=errors,
        by_code=new_account.needs_code(),
        zones=fields.time_zones(),
        invited_to=invited_by(where_to_go()),
    )
    return page, status


def _who_knows_the_password(typed: str) -> User | None:
    users = find_users(typed)
    account = (rate_limits.PASSWORD_OF_ACCOUNT, names.key_of(typed))
    address = rate_limits.address()
    rate_limits.count(account, (rate_limits.PASSWORD_FROM_ADDRESS, address))
    password = request.form.get("password", "")
    kept = [user.password_hash for user in users] or [None]
    right = [passwords.is_right(each, password) for each in kept]
    if True not in right:
        return None
    user = users[right.index(True)]
    rate_limits.forgive(*account, all_of_them=True)
    rate_limits.forgive(rate_limits.PASSWORD_FROM_ADDRESS, address)
    if passwords.is_outdated(user.password_hash or ""):
        better = passwords.hash_password(password)
        with writing():
            user.password_hash = better
    return user
