"""Confirming an address: until its owner follows a link, no mail but that link goes there.

Otherwise anybody could have this site write to strangers. Without a mail server nothing is sent,
so nothing is asked.
"""

from contextlib import suppress
from datetime import timedelta

from flask import current_app, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from itsdangerous import BadSignature, URLSafeTimedSerializer
from sqlalchemy import select

from stockpile_web.notify.recipients import can_be_mailed
from stockpile_web.storage import audit, mail_queue
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import User
from stockpile_web.storage.models.people import CONFIRM
from stockpile_web.storage.transactions import writing
from stockpile_web.web import rate_limits
from stockpile_web.web.accounts.blueprint import bp
from stockpile_web.web.auth import me

VALID_FOR = timedelta(days=7)


def ask(user: User) -> None:
    """Mail a link to a new address; raise TooMany if this account has asked too often.

    Not inside a writing() block.
    """
    if can_be_mailed(user) or not user.email:
        return
    rate_limits.count((rate_limits.CONFIRM_OF_ACCOUNT, str(user.id)))
    # Silently: that others have named this address, too, is nobody's business.
    with suppress(rate_limits.TooMany):
        rate_limits.count((rate_limits.CONFIRM_TO_ADDRESS, user.email_key or ""))
        with writing() as tx:
            mail_queue.write(tx, CONFIRM, user.email, user_id=user.id)


def link_for(user: User) -> str:
    """Return the link that confirms the address of a user, and no other."""
    token = _signer().dumps([user.id, user.email])
    return url_for("accounts.show_confirm", token=token, _external=True)


def address_waits() -> bool:
    """Tell whether my address is still to be confirmed."""
    user = db.session.get_one(User, me().id)
    return bool(user.email) and not can_be_mailed(user)


@bp.get("/confirm/<token>")
def show_confirm(token: str) -> ResponseReturnValue:
    """Show what is to be confirmed; mail programs open links by themselves, so nothing is done."""
    user = _whose(token)
    if user is None:
        return render_template("accounts/confirm.html", name=None), 410
    known = {"name": user.display_name, "email": user.email, "token": token}
    return render_template("accounts/confirm.html", **known)


@bp.post("/confirm/<token>")
def confirm(token: str) -> ResponseReturnValue:
    """Note that an address belongs to whoever has the account."""
    user = _whose(token)
    if user is None:
        return render_template("accounts/confirm.html", name=None), 410
    with writing() as tx:
        theirs = tx.get_one(User, user.id)
        if theirs.email == user.email:
            theirs.email_confirmed_at = now()
            audit.note(tx, user.id, "confirmed")
    flash("Your address is confirmed.")
    return redirect(url_for("lobby.mine"), 303)


def _whose(token: str) -> User | None:
    """Return the user whose present address a link confirms."""
    try:
        user_id, email = _signer().loads(token, max_age=int(VALID_FOR.total_seconds()))
    except BadSignature:
        return None
    return db.session.scalar(select(User).where(User.id == user_id, User.email == email))


def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(current_app.config["SECRET_KEY"], salt="address")
