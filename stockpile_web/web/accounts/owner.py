"""Whoever changes an account: asked for the password once more, and told that it was changed."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from stockpile_web.notify.recipients import can_be_mailed
from stockpile_web.storage import mail_queue
from stockpile_web.storage.database import db
from stockpile_web.storage.models import User
from stockpile_web.storage.models.people import CHANGED
from stockpile_web.web import rate_limits
from stockpile_web.web.accounts import passkeys, passwords
from stockpile_web.web.auth import me

WRONG = "This is not your password."


def knows_password(password: str) -> bool:
    """Check it as often as a sign-in would: a borrowed phone must not become a guessing machine."""
    account = _one_more_try()
    kept = db.session.scalar(select(User.password_hash).where(User.id == me().id))
    if not passwords.is_right(kept, password):
        return False
    rate_limits.forgive(*account, all_of_them=True)
    return True


def has_passkey(answer: str) -> bool:
    """Tell whether a browser has just answered by a passkey of mine, which is as good."""
    account = _one_more_try()
    user = passkeys.owner_of(answer)
    if user is None or user.id != me().id:
        return False
    rate_limits.forgive(*account, all_of_them=True)
    return True


def mail_that_changed(session: Session, user: User, what: str) -> None:
    """Let somebody know that their account was changed, in case it was not them."""
    if user.email and can_be_mailed(user):
        name = user.name or ""
        mail_queue.write(session, CHANGED, user.email, user_id=user.id, name=name, detail=what)


def _one_more_try() -> tuple[rate_limits.Limit, str]:
    account = (rate_limits.PASSWORD_ASKED_AGAIN, str(me().id))
    rate_limits.count(account)
    return account
