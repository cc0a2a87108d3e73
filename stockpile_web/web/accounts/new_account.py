"""The form of a new account: of somebody who signs up, or of a guest who becomes one."""

import hmac
from collections.abc import Mapping

from flask import current_app, flash, request
from sqlalchemy import delete, or_, select
from sqlalchemy.orm import Session

from stockpile_web.storage import audit, names
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Device, User
from stockpile_web.storage.models.people import MEMBERS
from stockpile_web.storage.transactions import advisory_lock, writing
from stockpile_web.web.accounts import confirming, fields, passwords

FIRST_ONE = (
    "Yours is the first account here, so you administer this site: you see how it is, look after "
    "its people and its tables, and are told what goes wrong. All of that is under Settings, "
    "Administration. Of a match that is played you see no more than anybody."
)


def is_closed() -> bool:
    """Tell whether nobody may make an account; the first one always can be."""
    return current_app.config["SIGN_UP"] == "closed" and _is_anybody_here()


def needs_code() -> bool:
    """Tell whether the form asks for an invitation code."""
    return bool(current_app.config["SIGN_UP"] == "code")


def errors_in_form() -> dict[str, str]:
    """Say by field what is wrong with what was sent."""
    form = request.form
    found = {
        "name": fields.what_is_wrong_with_name(names.tidy(form.get("name", ""))),
        "email": fields.what_is_wrong_with_email(form.get("email", "").strip()),
        "password": passwords.what_is_wrong_with(form.get("password", "")),
        "time_zone": fields.what_is_wrong_with_zone(form.get("time_zone", "UTC")),
    }
    if needs_code():
        asked, given = current_app.config["SIGN_UP_CODE"], form.get("code", "").strip()
        if not hmac.compare_digest(asked.encode(), given.encode()):
            found["code"] = "This is not the code. Ask the person who invited you."
    return {field: error for field, error in found.items() if error}


def save(errors: dict[str, str], guest_id: int | None = None) -> User | None:
    """Make the account of the form, of a guest if told; or note why that name cannot be had."""
    form = request.form
    email = form.get("email", "").strip() or None
    chosen = {
        **names.columns(names.tidy(form["name"])),
        "email": email,
        "email_key": fields.email_key(email) if email else None,
        "password_hash": passwords.hash_password(form["password"]),
        "time_zone": form.get("time_zone", "UTC"),
    }
    with writing() as tx:
        # Of two people who come at once, one is the first, and one has the name.
        advisory_lock(tx, "sign up")
        user = User(created_at=now()) if guest_id is None else tx.get_one(User, guest_id)
        if guest_id is not None and (not user.is_guest or user.deleted_at):
            errors["name"] = "You have an account already: sign in with its name."
            return None
        if wrong := why_not_free(tx, chosen):
            errors["name"] = wrong
            return None
        user.is_admin = not _is_anybody_here()
        if guest_id is not None:
            _end_guest(tx, user)
        for column, value in chosen.items():
            setattr(user, column, value)
        tx.add(user)
        tx.flush()
        audit.note(tx, user.id, "signed up", "as administrator" if user.is_admin else "")
    confirming.ask(user)
    return user


def _end_guest(tx: Session, user: User) -> None:
    """Let a guest be one no more; whoever else holds their cookie is signed out."""
    user.guest_until, user.profile_for = None, MEMBERS
    tx.execute(delete(Device).where(Device.user_id == user.id))


def why_not_free(tx: Session, chosen: Mapping[str, str | None], besides: int = 0) -> str:
    """Say why nobody can have the name of these columns, but for one who has it already."""
    same, others = User.name_key == chosen["name_key"], User.id != besides
    if tx.scalar(select(User.id).where(same, others)) is not None:
        return fields.TAKEN
    looks = (chosen["look"], chosen["small_look"])
    alike = or_(User.look.in_(looks), User.small_look.in_(looks))
    found = tx.scalar(select(User.id).where(alike, others).limit(1))
    return fields.ALIKE if found is not None else ""


def welcome(user: User, more: str = "") -> None:
    """Greet somebody on their first page; the first of all is told what that means."""
    flash(f"Welcome, {user.display_name}.{more}")
    if user.is_admin:
        flash(FIRST_ONE)


def _is_anybody_here() -> bool:
    accounts = (User.deleted_at.is_(None), User.guest_until.is_(None))
    return db.session.scalar(select(User.id).where(*accounts).limit(1)) is not None
