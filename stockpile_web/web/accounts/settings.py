"""Everybody's own settings: address, time zone, password, devices, and leaving."""

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from stockpile_web.match import departure
from stockpile_web.match.hours import hours_changed
from stockpile_web.notify import digest
from stockpile_web.notify.recipients import can_be_mailed
from stockpile_web.storage import audit, mail_queue
from stockpile_web.storage.database import db
from stockpile_web.storage.models import ApiToken, Device, ResetLink, ScheduledBackup, User
from stockpile_web.storage.models.people import CHANGED
from stockpile_web.storage.transactions import writing
from stockpile_web.web import rate_limits
from stockpile_web.web.accounts import confirming, fields, passwords
from stockpile_web.web.accounts.blueprint import bp
from stockpile_web.web.accounts.profile import my_profile
from stockpile_web.web.accounts.signing import too_many
from stockpile_web.web.auth import me, sign_in_needed
from stockpile_web.web.auth import sign_out as sign_out_on_this_device
from stockpile_web.web.auth import sign_out_device as sign_out_device_of

WRONG = "This is not your password."


@bp.get("/account")
@sign_in_needed
def settings() -> ResponseReturnValue:
    """Show my settings."""
    return _page({}, 200)


@bp.post("/account/time-zone")
@sign_in_needed
def change_time_zone() -> ResponseReturnValue:
    """Set the time zone in which I am told times."""
    zone = request.form.get("time_zone", "")
    if error := fields.what_is_wrong_with_zone(zone):
        return _page({"time_zone": error}, 422)
    with writing() as tx:
        tx.get_one(User, me().id).time_zone = zone
        digest.time_zone_changed(tx, me().id, zone)
    hours_changed(me().id)
    return _done("Your time zone is set.")


@bp.post("/account/email")
@sign_in_needed
def change_email() -> ResponseReturnValue:
    """Set or remove my address: with it a password can be reset, so the password is asked for."""
    email = request.form.get("email", "").strip()
    if error := fields.what_is_wrong_with_email(email):
        return _page({"email": error}, 422)
    try:
        if not is_my_password(request.form.get("email_password", "")):
            return _page({"email_password": WRONG}, 422)
    except rate_limits.TooMany as refusal:
        return too_many(refusal)
    with writing() as tx:
        user = tx.get_one(User, me().id)
        if fields.email_key(user.email or "") != fields.email_key(email):
            mail_that_changed(tx, user, "the e-mail address")
            user.email_confirmed_at = None
            audit.note(tx, user.id, "address")
        user.email, user.email_key = email or None, fields.email_key(email) or None
        tx.execute(delete(ResetLink).where(ResetLink.user_id == user.id))
    if not email:
        return _done("Your address is removed.")
    try:
        confirming.ask(user)
    except rate_limits.TooMany as refusal:
        wait = f"You have asked for many mails: have one sent there in {refusal.wait} minutes."
        return _done(f"Your address is set. {wait}")
    return _done("Your address is set.")


@bp.post("/account/email/confirm")
@sign_in_needed
def send_again() -> ResponseReturnValue:
    """Mail me the link that confirms my address once more."""
    try:
        confirming.ask(db.session.get_one(User, me().id))
    except rate_limits.TooMany as refusal:
        return too_many(refusal)
    return _done("A mail is on its way. If it does not come, look among what counts as spam.")


@bp.post("/account/password")
@sign_in_needed
def change_password() -> ResponseReturnValue:
    """Set a new password and sign out everywhere else."""
    password = request.form.get("new_password", "")
    if error := passwords.what_is_wrong_with(password):
        return _page({"new_password": error}, 422)
    try:
        if not is_my_password(request.form.get("password", "")):
            return _page({"password": WRONG}, 422)
    except rate_limits.TooMany as refusal:
        return too_many(refusal)
    hashed = passwords.hash_password(password)
    with writing() as tx:
        user = tx.get_one(User, me().id)
        user.password_hash = hashed
        tx.execute(delete(ResetLink).where(ResetLink.user_id == user.id))
        elsewhere = Device.id != me().device_id
        tx.execute(delete(Device).where(Device.user_id == user.id, elsewhere))
        tx.execute(delete(ApiToken).where(ApiToken.user_id == user.id))
        mail_that_changed(tx, user, "the password")
        audit.note(tx, user.id, "password")
    return _done("Your password is changed. You are signed out everywhere else.")


@bp.post("/account/devices/<int:device_id>/sign-out")
@sign_in_needed
def sign_out_device(device_id: int) -> ResponseReturnValue:
    """Sign out on one of my devices."""
    if device_id == me().device_id:
        sign_out_on_this_device()
        return redirect(url_for("lobby.home"), 303)
    sign_out_device_of(me(), device_id)
    return _done("That device is signed out.")


@bp.post("/account/devices/sign-out")
@sign_in_needed
def sign_out_everywhere() -> ResponseReturnValue:
    """Sign out on all my devices, or on all others."""
    keeps_this = "others" in request.form
    with writing() as tx:
        kept = me().device_id if keeps_this else 0
        tx.execute(delete(Device).where(Device.user_id == me().id, Device.id != kept))
        audit.note(tx, me().id, "signed out")
    if keeps_this:
        return _done("You are signed out everywhere else.")
    sign_out_on_this_device()
    flash("You are signed out everywhere.")
    return redirect(url_for("lobby.home"), 303)


@bp.route("/account/delete", methods=["GET", "POST"])
@sign_in_needed
def delete_account() -> ResponseReturnValue:
    """Delete my account; the games I played remain, by a "former player"."""
    if request.method != "POST":  # A HEAD request is a look, too.
        return render_template("accounts/delete.html", errors={})
    try:
        if not is_my_password(request.form.get("password", "")):
            return render_template("accounts/delete.html", errors={"password": WRONG}), 422
    except rate_limits.TooMany as refusal:
        return too_many(refusal)
    departure.forget(me())
    with writing() as tx:
        audit.note(tx, me().id, "deleted")
    sign_out_on_this_device()
    flash("Your account is deleted.")
    return redirect(url_for("lobby.home"), 303)


def _page(errors: dict[str, str], status: int) -> ResponseReturnValue:
    page = render_template(
        "accounts/settings.html",
        errors=errors,
        devices=_my_devices(),
        zones=fields.time_zones(),
        profile=my_profile(),
        backup_problem=_backup_problem() if me().is_admin else "",
        address_waits=confirming.address_waits(),
    )
    return page, status


def _backup_problem() -> str:
    """Return why no backup can be made, for an administrator, who may not look elsewhere."""
    return db.session.scalar(select(ScheduledBackup.problem)) or ""


def _done(sentence: str) -> ResponseReturnValue:
    flash(sentence)
    return redirect(url_for("accounts.settings"), 303)


def _my_devices() -> list[Device]:
    mine = select(Device).where(Device.user_id == me().id)
    return list(db.session.scalars(mine.order_by(Device.seen_at.desc(), Device.id.desc())))


def is_my_password(password: str) -> bool:
    """Check it as often as a sign-in would: a borrowed phone must not become a guessing machine."""
    account = (rate_limits.PASSWORD_ASKED_AGAIN, str(me().id))
    rate_limits.count(account)
    kept = db.session.scalar(select(User.password_hash).where(User.id == me().id))
    if not passwords.is_right(kept, password):
        return False
    rate_limits.forgive(*account, all_of_them=True)
    return True


def mail_that_changed(session: Session, user: User, what: str) -> None:
    """Let somebody know that their account was changed, in case it was not them."""
    if user.email and can_be_mailed(user):
        name = user.name or ""
        mail_queue.write(session, CHANGED, user.email, user_id=user.id, name=name, detail=what)
