"""Linking a chat of mine at Telegram, and forgetting it."""

import secrets

from flask import current_app, flash, redirect, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import delete, select

from stockpile_web.notify.telegram_links import LINK_LASTS, channel_of
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models.notices import ChatLink
from stockpile_web.storage.transactions import writing
from stockpile_web.web import rate_limits
from stockpile_web.web.auth import me, sign_in_needed
from stockpile_web.web.notices.blueprint import bp, done

LINKS = rate_limits.Limit("chat link", 10, 60)


@bp.post("/notices/telegram/link")
@sign_in_needed
def open_link() -> ResponseReturnValue:
    """Give me a link by which I can link a chat of mine: a worker asks Telegram what to put in."""
    if not current_app.config["TELEGRAM_TOKEN"]:
        flash("The host of this site has not set up Telegram.", "bad")
        return redirect(url_for("notices.choices"), 303)
    try:
        rate_limits.count((LINKS, str(me().id)))
    except rate_limits.TooMany as refusal:
        flash(f"Those were many links: please wait {refusal.wait} minutes.", "bad")
    else:
        with writing() as tx:
            tx.execute(delete(ChatLink).where(ChatLink.user_id == me().id))
            code, until = secrets.token_urlsafe(16), now() + LINK_LASTS
            tx.add(ChatLink(user_id=me().id, code=code, expires_at=until, listen_at=now()))
    return redirect(url_for("notices.choices", _anchor="telegram"), 303)


@bp.post("/notices/telegram/unlink")
@sign_in_needed
def unlink() -> ResponseReturnValue:
    """Forget my chat."""
    with writing() as tx:
        tx.execute(channel_of(me().id))
    return done("Your chat is forgotten.")


def my_link() -> ChatLink | None:
    """Return the link that I have open, if any."""
    mine = select(ChatLink).where(ChatLink.user_id == me().id, ChatLink.expires_at > now())
    return db.session.scalar(mine)
