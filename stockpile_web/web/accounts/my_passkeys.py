"""My passkeys: adding one, and removing one."""

from flask import Response, abort, render_template, request
from flask.typing import ResponseReturnValue
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from stockpile_web.match import naming
from stockpile_web.storage import audit
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Passkey, User
from stockpile_web.storage.transactions import advisory_lock, writing
from stockpile_web.web import rate_limits
from stockpile_web.web.accounts import owner, passkeys
from stockpile_web.web.accounts.blueprint import bp
from stockpile_web.web.accounts.settings import done, show_settings
from stockpile_web.web.auth import device_in_words, me, sign_in_needed

NOT_MADE = "That did not work, or took longer than five minutes. Please try again."
NOT_MINE = "That was no passkey of yours. Try again, or type your password."
TOO_MANY = f"You have {passkeys.MOST_OF_ONE} passkeys: remove one first."


@bp.post("/passkey/ask")
def ask_for_passkey() -> ResponseReturnValue:
    """Tell a browser what it is to sign, whoever is asking."""
    return _json(passkeys.ask_to_use())


@bp.post("/account/passkeys/ask")
@sign_in_needed
def ask_for_new_passkey() -> ResponseReturnValue:
    """Tell my browser what it needs to make a passkey; what is wrong is said in plain text."""
    if wrong := naming.what_is_wrong_with(_name(), "a passkey"):
        return _refused(wrong)
    if len(passkeys.of(me().id)) >= passkeys.MOST_OF_ONE:
        return _refused(TOO_MANY)
    try:
        if not owner.knows_password(request.form.get("passkey_password", "")):
            return _refused(owner.WRONG)
    except rate_limits.TooMany as refusal:
        return _refused(f"Too many tries. {refusal}", 429)
    return _json(passkeys.ask_to_add(me()))


@bp.post("/account/passkeys")
@sign_in_needed
def add_passkey() -> ResponseReturnValue:
    """Keep the passkey that my browser has made, once I had typed my password."""
    if wrong := naming.what_is_wrong_with(_name(), "a passkey"):
        return show_settings({"passkey_name": wrong}, 422)
    new = passkeys.made(request.form.get("passkey", ""), me(), _name())
    if new is None:
        return show_settings({"passkey": NOT_MADE}, 422)
    with writing() as tx:
        advisory_lock(tx, "passkeys")
        wrong = _why_not(tx, new)
        if not wrong:
            tx.add(new)
            _note(tx, "passkey added")
    if wrong:
        return show_settings({"passkey": wrong}, 422)
    return done("Your passkey is added. You can sign in with it from now on.")


@bp.route("/account/passkeys/<int:passkey_id>/remove", methods=["GET", "POST"])
@sign_in_needed
def remove_passkey(passkey_id: int) -> ResponseReturnValue:
    """Remove one of my passkeys, if I know the password or have a passkey."""
    mine = select(Passkey).where(Passkey.id == passkey_id, Passkey.user_id == me().id)
    key = db.session.scalar(mine)
    if key is None:
        abort(404)
    if request.method != "POST":  # A HEAD request is a look, too.
        return _removal_page(key, {}, 200)
    if "passkey" in request.form:
        if not owner.has_passkey(request.form["passkey"]):
            return _removal_page(key, {"passkey": NOT_MINE}, 422)
    elif not owner.knows_password(request.form.get("password", "")):
        return _removal_page(key, {"password": owner.WRONG}, 422)
    with writing() as tx:
        found = tx.scalar(mine)
        if found is not None:  # Else it was removed in another window.
            tx.delete(found)
            _note(tx, "passkey removed")
    return done("That passkey is removed: nobody can sign in with it any more.")


def _why_not(tx: Session, new: Passkey) -> str | None:
    """Say why a passkey cannot be kept, now that nobody else adds one."""
    mine = select(func.count()).where(Passkey.user_id == new.user_id)
    if (tx.scalar(mine) or 0) >= passkeys.MOST_OF_ONE:
        return TOO_MANY
    same = select(Passkey.id).where(Passkey.credential_id == new.credential_id)
    return None if tx.scalar(same) is None else NOT_MADE


def _note(tx: Session, event: str) -> None:
    owner.mail_that_changed(tx, tx.get_one(User, me().id), "the list of passkeys")
    audit.note(tx, me().id, event)


def _name() -> str:
    typed = naming.tidy(request.form.get("passkey_name", ""))
    return typed or device_in_words(request.user_agent.string)


def _removal_page(key: Passkey, errors: dict[str, str], status: int) -> ResponseReturnValue:
    can_use = passkeys.can_be_used_here()
    page = render_template(
        "accounts/remove_passkey.html", key=key, errors=errors, can_use_passkey=can_use
    )
    return page, status


def _json(options: str) -> Response:
    return Response(options, mimetype="application/json", headers={"Cache-Control": "no-store"})


def _refused(reason: str, status: int = 422) -> Response:
    return Response(reason, status, mimetype="text/plain")
