"""A new password for somebody who has forgotten theirs, by a link in a mail."""

import secrets
from datetime import timedelta

from flask import current_app, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import ColumnElement, and_, delete, select

from stockpile_web.notify.smtp import in_background, send_mail, site_url
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Device, ResetLink, User
from stockpile_web.storage.transactions import writing
from stockpile_web.web import rate_limits
from stockpile_web.web.accounts import passwords
from stockpile_web.web.accounts.blueprint import bp
from stockpile_web.web.accounts.signing import find_users, too_many
from stockpile_web.web.auth import fingerprint, sign_in

VALID_FOR = timedelta(hours=1)


@bp.route("/reset", methods=["GET", "POST"])
def ask_reset() -> ResponseReturnValue:
    """Send a link to choose a new password; the answer never tells whether there is an account."""
    if request.method != "POST":  # A HEAD request is a look, too.
        return render_template("accounts/reset_ask.html")
    try:
        rate_limits.count((rate_limits.RESET_FROM_ADDRESS, rate_limits.address()))
    except rate_limits.TooMany as refusal:
        return too_many(refusal)
    link = site_url() + url_for("accounts.show_reset", token="TOKEN")  # noqa: S106 (to be replaced)
    in_background(_send_links, request.form.get("name", ""), link)
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
            tx.execute(delete(ResetLink).where(ResetLink.user_id == user_id))
            tx.execute(delete(Device).where(Device.user_id == user_id))
    if user_id is None:
        return _too_late()
    rate_limits.forgive(rate_limits.PASSWORD_OF_ACCOUNT, str(user_id), all_of_them=True)
    sign_in(user)
    flash("Your password is changed. You are signed in here, and signed out everywhere else.")
    return redirect(url_for("lobby.mine"), 303)


def _is_valid(token: str) -> ColumnElement[bool]:
    return and_(ResetLink.token_hash == fingerprint(token), ResetLink.expires_at > now())


def _too_late() -> ResponseReturnValue:
    return render_template("accounts/reset_too_late.html"), 410


def _send_links(typed: str, link: str) -> None:
    """Mail `link`, with a token in it, to each account that `typed` names, if it has an address."""
    for user in find_users(typed):
        if not user.email:
            continue
        try:
            rate_limits.count((rate_limits.RESET_OF_ACCOUNT, str(user.id)))
        except rate_limits.TooMany:
            continue
        token = secrets.token_urlsafe(24)
        row = ResetLink(
            user_id=user.id, token_hash=fingerprint(token), expires_at=now() + VALID_FOR
        )
        with writing() as tx:
            tx.execute(delete(ResetLink).where(ResetLink.expires_at < now()))
            tx.add(row)
        with_token = link.replace("TOKEN", token)
        text = render_template("mail/reset.txt", name=user.display_name, link=with_token)
        send_mail(user.email, "A new password for Stockpile Web", text)
