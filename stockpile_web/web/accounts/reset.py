"""A new password for somebody who has forgotten theirs, by a link in a mail."""

import secrets
from contextlib import suppress
from datetime import timedelta

from flask import current_app, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import ColumnElement, and_, delete, select
from sqlalchemy.orm import Session

from stockpile_web.notify.smtp import site_url
from stockpile_web.storage import audit, mail_queue
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import ApiToken, Device, ResetLink, User
from stockpile_web.storage.models.people import LINK_ASKED
from stockpile_web.storage.transactions import writing
from stockpile_web.web import rate_limits
from stockpile_web.web.accounts import passkeys, passwords
from stockpile_web.web.accounts.blueprint import bp
from stockpile_web.web.accounts.signing import find_users
from stockpile_web.web.auth import fingerprint, sign_in

VALID_FOR = timedelta(hours=1)
LONGEST = 254  # Of a name or an address.


@bp.route("/reset", methods=["GET", "POST"])
def ask_reset() -> ResponseReturnValue:
    """Send a link to choose a new password; the answer never tells whether there is an account."""
    if request.method != "POST":  # A HEAD request is a look, too.
        return render_template("accounts/reset_ask.html")
    rate_limits.count((rate_limits.RESET_FROM_ADDRESS, rate_limits.address()))
    # The same work whoever is named: how long it takes must not tell whether they are here.
    with writing() as tx:
        mail_queue.write(tx, LINK_ASKED, request.form.get("name", "")[:LONGEST])
    has_mail = bool(current_app.config["SMTP_HOST"])
    return render_template("accounts/reset_asked.html", has_mail=has_mail)


@bp.get("/reset/<token>")
def show_reset(token: str) -> ResponseReturnValue:
    """Show the form; mail programs open links by themselves, so looking changes nothing."""
    if db.session.scalar(select(ResetLink.id).where(_is_valid(token))) is None:
        return _too_late()
    return render_template("accounts/reset.html", token=token, errors={})


@bp.post("/reset/<token>")
def reset(token: str) -> ResponseReturnValue:
    """Set the new password, once, and sign in here and nowhere else."""
    password = request.form.get("new_password", "")
    if error := passwords.what_is_wrong_with(password):
        errors = {"new_password": error}
        return render_template("accounts/reset.html", token=token, errors=errors), 422
    if db.session.scalar(select(ResetLink.id).where(_is_valid(token))) is None:
        return _too_late()
    hashed = passwords.hash_password(password)
    with writing() as tx:
        used = delete(ResetLink).where(_is_valid(token)).returning(ResetLink.user_id)
        user_id = tx.scalar(used)
        if user_id is not None:
            user = tx.get_one(User, user_id)
            user.password_hash = hashed
            audit.note(tx, user_id, "reset")
            if user.email and current_app.config["SMTP_HOST"]:  # Else an administrator gave it.
                user.email_confirmed_at = user.email_confirmed_at or now()
            tx.execute(delete(ResetLink).where(ResetLink.user_id == user_id))
            tx.execute(delete(Device).where(Device.user_id == user_id))
            tx.execute(delete(ApiToken).where(ApiToken.user_id == user_id))
    if user_id is None:
        return _too_late()
    for typed in (user.name_key, user.email_key):
        if typed:
            rate_limits.forgive(rate_limits.PASSWORD_OF_ACCOUNT, typed, all_of_them=True)
    sign_in(user)
    flash("Your password is changed. You are signed in here, and signed out everywhere else.")
    if passkeys.of(user.id):
        flash("Your passkeys still work. If one is not yours, remove it in your settings.")
    return redirect(url_for("lobby.mine"), 303)


def _is_valid(token: str) -> ColumnElement[bool]:
    return and_(ResetLink.token_hash == fingerprint(token), ResetLink.expires_at > now())


def _too_late() -> ResponseReturnValue:
    return render_template("accounts/reset_too_late.html"), 410


def accounts_of(typed: str) -> list[User]:
    """Return the accounts that `typed` names and that may be sent a link now."""
    found = []
    for user in find_users(typed):
        if user.email_key:
            account = (rate_limits.RESET_OF_ACCOUNT, str(user.id))
            # Others may have typed somebody's address for accounts of their own.
            address = (rate_limits.RESET_TO_ADDRESS, user.email_key)
            with suppress(rate_limits.TooMany):
                rate_limits.count(account, address)
                found.append(user)
    return found


def new_link(tx: Session, user_id: int) -> str:
    """Return a link by which somebody may choose a new password, once and not for long."""
    token, until = secrets.token_urlsafe(24), now() + VALID_FOR
    tx.execute(delete(ResetLink).where(ResetLink.expires_at < now()))
    tx.add(ResetLink(user_id=user_id, token_hash=fingerprint(token), expires_at=until))
    return site_url() + url_for("accounts.show_reset", token=token)
