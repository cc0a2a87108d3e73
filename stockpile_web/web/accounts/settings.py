"""Everybody's own settings: address, time zone, password, devices, and leaving."""

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import delete, select

from stockpile_web.match import departure
from stockpile_web.match.hours import hours_changed
from stockpile_web.notify import digest
from stockpile_web.people import administrators
from stockpile_web.storage import audit
from stockpile_web.storage.database import db
from stockpile_web.storage.models import ApiToken, Device, ResetLink, ScheduledBackup, User
from stockpile_web.storage.transactions import writing
from stockpile_web.web import rate_limits
from stockpile_web.web.accounts import confirming, fields, owner, passkeys, passwords
from stockpile_web.web.accounts.blueprint import bp
from stockpile_web.web.accounts.profile import my_profile
from stockpile_web.web.auth import device_in_words, end_session, me, sign_in_needed
from stockpile_web.web.auth import sign_out as sign_out_on_this_device
from stockpile_web.web.auth import sign_out_device as sign_out_device_of


@bp.get("/account")
@sign_in_needed
def settings() -> ResponseReturnValue:
    """Show my settings."""
    return show_settings({}, 200)


@bp.post("/account/time-zone")
@sign_in_needed
def change_time_zone() -> ResponseReturnValue:
    """Set the time zone in which I am told times."""
    zone = request.form.get("time_zone", "")
    if error := fields.what_is_wrong_with_zone(zone):
        return show_settings({"time_zone": error}, 422)
    with writing() as tx:
        tx.get_one(User, me().id).time_zone = zone
        digest.time_zone_changed(tx, me().id, zone)
    hours_changed(me().id)
    return done("Your time zone is set.")


@bp.post("/account/email")
@sign_in_needed
def change_email() -> ResponseReturnValue:
    """Set or remove my address: with it a password can be reset, so the password is asked for."""
    email = request.form.get("email", "").strip()
    if error := fields.what_is_wrong_with_email(email):
        return show_settings({"email": error}, 422)
    if not owner.knows_password(request.form.get("email_password", "")):
        return show_settings({"email_password": owner.WRONG}, 422)
    with writing() as tx:
        user = tx.get_one(User, me().id)
        if fields.email_key(user.email or "") != fields.email_key(email):
            owner.mail_that_changed(tx, user, "the e-mail address")
            user.email_confirmed_at = None
            audit.note(tx, user.id, "address")
        user.email, user.email_key = email or None, fields.email_key(email) or None
        tx.execute(delete(ResetLink).where(ResetLink.user_id == user.id))
    if not email:
        return done("Your address is removed.")
    try:
        confirming.ask(user)
    except rate_limits.TooMany as refusal:
        wait = f"You have asked for many mails: have one sent there in {refusal.wait} minutes."
        return done(f"Your address is set. {wait}")
    return done("Your address is set.")


@bp.post("/account/email/confirm")
@sign_in_needed
def send_again() -> ResponseReturnValue:
    """Mail me the link that confirms my address once more."""
    confirming.ask(db.session.get_one(User, me().id))
    return done("A mail is on its way. If it does not come, look among what counts as spam.")


@bp.post("/account/password")
@sign_in_needed
def change_password() -> ResponseReturnValue:
    """Set a new password and sign out everywhere else."""
    password = request.form.get("new_password", "")
    if error := passwords.what_is_wrong_with(password):
        return show_settings({"new_password": error}, 422)
    if not owner.knows_password(request.form.get("password", "")):
        return show_settings({"password": owner.WRONG}, 422)
    hashed = passwords.hash_password(password)
    with writing() as tx:
        user = tx.get_one(User, me().id)
        user.password_hash = hashed
        tx.execute(delete(ResetLink).where(ResetLink.user_id == user.id))
        elsewhere = Device.id != me().device_id
        tx.execute(delete(Device).where(Device.user_id == user.id, elsewhere))
        tx.execute(delete(ApiToken).where(ApiToken.user_id == user.id))
        owner.mail_that_changed(tx, user, "the password")
        audit.note(tx, user.id, "password")
    return done("Your password is changed. You are signed out everywhere else.")


@bp.post("/account/devices/<int:device_id>/sign-out")
@sign_in_needed
def sign_out_device(device_id: int) -> ResponseReturnValue:
    """Sign out on one of my devices."""
    if device_id == me().device_id:
        sign_out_on_this_device()
        return redirect(url_for("lobby.home"), 303)
    sign_out_device_of(me(), device_id)
    return done("That device is signed out.")


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
        return done("You are signed out everywhere else.")
    sign_out_on_this_device()
    flash("You are signed out everywhere.")
    return redirect(url_for("lobby.home"), 303)


@bp.route("/account/delete", methods=["GET", "POST"])
@sign_in_needed
def delete_account() -> ResponseReturnValue:
    """Delete my account; the games I played remain, by a "former player"."""
    if request.method != "POST":  # A HEAD request is a look, too.
        return render_template("accounts/delete.html", errors={})
    if not owner.knows_password(request.form.get("password", "")):
        return render_template("accounts/delete.html", errors={"password": owner.WRONG}), 422
    try:
        departure.forget(me(), by=me())
    except administrators.LastOne as refusal:
        return render_template("accounts/delete.html", errors={"password": str(refusal)}), 422
    end_session()  # Of their devices none is left.
    flash("Your account is deleted.")
    return redirect(url_for("lobby.home"), 303)


def show_settings(errors: dict[str, str], status: int) -> ResponseReturnValue:
    """Show my settings, with what is wrong with what was sent."""
    page = render_template(
        "accounts/settings.html",
        errors=errors,
        devices=_my_devices(),
        zones=fields.time_zones(),
        profile=my_profile(),
        backup_problem=_backup_problem() if me().is_admin else "",
        address_waits=confirming.address_waits(),
        passkeys=passkeys.of(me().id),
        can_add_passkey=passkeys.can_be_used_here(),
        passkey_name=device_in_words(request.user_agent.string),
    )
    return page, status


def _backup_problem() -> str:
    """Return why no backup can be made, for an administrator, who may not look elsewhere."""
    return db.session.scalar(select(ScheduledBackup.problem)) or ""


def done(sentence: str) -> ResponseReturnValue:
    """Say what was done, on the page of my settings."""
    flash(sentence)
    return redirect(url_for("accounts.settings"), 303)


def _my_devices() -> list[Device]:
    mine = select(Device).where(Device.user_id == me().id)
    return list(db.session.scalars(mine.order_by(Device.seen_at.desc(), Device.id.desc())))
