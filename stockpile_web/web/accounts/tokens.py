"""Tokens for programs: a person makes them, sees each of them once, and revokes them."""

import secrets
from datetime import timedelta

from flask import abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from stockpile_web.match.naming import LONGEST_NAME, tidy, what_is_wrong_with
from stockpile_web.storage import audit
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import ApiToken, User
from stockpile_web.storage.transactions import writing
from stockpile_web.web.accounts import owner
from stockpile_web.web.accounts.blueprint import bp
from stockpile_web.web.auth import fingerprint, me, sign_in_needed

PREFIX = "spw_"  # By which whoever finds a token in a file knows what it is.
MOST = 10
SCOPES = {"read": "Look: what you may see", "play": "Look and play: all that you may do at tables"}
LASTS = {
    "30": "For 30 days",
    "365": "For a year",
    "": "Until you revoke it",
}
CHANGED = "the list of tokens for programs"


@bp.get("/account/tokens")
@sign_in_needed
def tokens() -> ResponseReturnValue:
    """Show my tokens, and a form for a new one."""
    return _page({}, 200)


@bp.post("/account/tokens")
@sign_in_needed
def make_token() -> ResponseReturnValue:
    """Make a token, and show it: never again, so not by way of another page."""
    name, form = tidy(request.form.get("name", "")), request.form
    scope, lasts = form.get("scope", "read"), form.get("lasts", "")
    if scope not in SCOPES or lasts not in LASTS:
        abort(400)
    wrong = what_is_wrong_with(name, "a token")
    if wrong or not name:
        return _page({"name": wrong or "Give it a name, so that you know it again."}, 422)
    if not owner.knows_password(form.get("password", "")):
        return _page({"password": owner.WRONG}, 422)
    secret, moment = f"{PREFIX}{secrets.token_urlsafe(32)}", now()
    token = ApiToken(
        user_id=me().id,
        name=name,
        token_hash=fingerprint(secret),
        beginning=secret[:8],
        may_play=scope == "play",
        created_at=moment,
        ends_at=moment + timedelta(days=int(lasts)) if lasts else None,
    )
    with writing() as tx:
        error = _keep(tx, token)
    return _page({"name": error}, 422) if error else _page({}, 200, secret)


@bp.post("/account/tokens/<int:token_id>/revoke")
@sign_in_needed
def revoke_token(token_id: int) -> ResponseReturnValue:
    """Revoke one of my tokens; what comes by it from now on is refused."""
    mine = (ApiToken.user_id == me().id, ApiToken.id == token_id)
    with writing() as tx:
        if tx.scalar(delete(ApiToken).where(*mine).returning(ApiToken.id)) is not None:
            owner.mail_that_changed(tx, tx.get_one(User, me().id), CHANGED)
            audit.note(tx, me().id, "token revoked")
    flash("That token is revoked.")
    return redirect(url_for("accounts.tokens"), 303)


def _keep(tx: Session, token: ApiToken) -> str:
    """Keep a new token; or say why its owner cannot have it. Those that have ended make room."""
    user = tx.get_one(User, token.user_id, with_for_update=True)  # Two at once count as two.
    mine = ApiToken.user_id == user.id
    tx.execute(delete(ApiToken).where(mine, ApiToken.ends_at <= now()))
    names = list(tx.scalars(select(ApiToken.name).where(mine)))
    if token.name in names:
        return "A token of yours has this name already: take another, or revoke that one."
    if len(names) >= MOST:
        return f"You have {MOST} tokens already: revoke one that you do not need."
    tx.add(token)
    owner.mail_that_changed(tx, user, CHANGED)
    audit.note(tx, user.id, "token", "to play" if token.may_play else "to look")
    return ""


def _page(errors: dict[str, str], status: int, secret: str = "") -> ResponseReturnValue:
    mine = select(ApiToken).where(ApiToken.user_id == me().id)
    page = render_template(
        "accounts/tokens.html",
        errors=errors,
        tokens=db.session.scalars(mine.order_by(ApiToken.id.desc())).all(),
        secret=secret,
        moment=now(),
        scopes=SCOPES,
        lasts=LASTS,
        longest_name=LONGEST_NAME,
    )
    return page, status
