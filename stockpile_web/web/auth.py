"""Who is asking: sign-in per device, and the one module that knows Flask-Login."""

import hashlib
import re
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial, wraps
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from flask import Flask, Response, g, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from flask_login import (  # type: ignore[import-untyped]
    LoginManager,
    current_user,
    login_user,
    logout_user,
)
from sqlalchemy import bindparam, delete, exists, select, update
from werkzeug.wrappers import Response as BaseResponse

from stockpile_web.people import blocks, guests
from stockpile_web.people.suspension import Suspended
from stockpile_web.storage import audit
from stockpile_web.storage.compiled_sql import Statement
from stockpile_web.storage.database import now
from stockpile_web.storage.models import Block, Device, User
from stockpile_web.storage.models.people import Person, Visitor
from stockpile_web.storage.transactions import reading, writing
from stockpile_web.web import busy

KEEP_DEVICE = timedelta(days=60)
SEEN_EVERY = timedelta(hours=1)

HAS_BLOCKED = exists().where(Block.user_id == User.id)
_DEVICE = Statement(
    select(
        User.id, User.name, User.email, User.time_zone, User.is_admin, Device.id, Device.seen_at,
        HAS_BLOCKED, User.guest_until.is_not(None),
    )
    .join(Device, Device.user_id == User.id)
    .where(Device.token_hash == bindparam("token_hash"), User.suspended_at.is_(None)),
    alone=True,
)  # fmt: skip

# The pages behind `sign_in_needed` that are for guests too: all that one does at one's own tables.
FOR_GUESTS = frozenset(
    {
        "accounts.sign_out", "archive.as_csv", "archive.show", "guests.keep", "guide.change",
        "lobby.accept", "lobby.change", "lobby.mine", "lobby.next_table",
        "notices.see",
        "orders.leave", "orders.show", "practice.go_back", "review.ask",
        "table.chat", "table.move", "table.notes", "table.take_back",
        "what_if.play_on",
    }
)  # fmt: skip

View = TypeVar("View", bound=Callable[..., ResponseReturnValue])


def init_app(app: Flask) -> None:
    """Let `app` know who is asking."""
    login = LoginManager()
    # The cookie holds a secret of its own for each device; a phone's address may change freely.
    login.session_protection = None
    login.user_loader(_load)
    # Not by its `init_app`: after every request that would look for a "remember me" cookie, which
    # is not used here, and make every style sheet and script vary by cookie.
    app.login_manager = login  # type: ignore[attr-defined]
    app.context_processor(lambda: {"current_user": current_user})
    app.register_error_handler(Suspended, _say_suspended)
    app.jinja_env.globals.update(blocked_by_me=blocked_by_me, is_guest=is_guest)


def sign_in_needed(view: View) -> View:
    """Send strangers who ask for `view` to the sign-in page, and guests to one that says why not.

    What guests may do as people with accounts do is in `FOR_GUESTS`, and nothing else is.
    """

    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> ResponseReturnValue:
        user = someone()
        if user is None:
            return _ask_to_sign_in()
        if user.is_guest and request.endpoint not in FOR_GUESTS:
            return _ask_to_keep()
        return view(*args, **kwargs)

    return cast(View, guarded)


def someone() -> Visitor | None:
    """Return the user who asks, or None for a stranger."""
    if "visitor" not in g:  # Each look through Flask-Login's proxy would cost anew.
        g.visitor = current_user.itself() if current_user.is_authenticated else None
    visitor: Visitor | None = g.visitor
    return visitor


def is_guest() -> bool:
    """Tell whether a guest asks."""
    user = someone()
    return user is not None and user.is_guest


def blocked_by_me() -> frozenset[int]:
    """Return whom the user who asks has blocked."""
    user = someone()
    if user is None or not user.has_blocked:
        return frozenset()
    if "blocked" not in g:
        g.blocked = blocks.blocked_by(reading(), user.id)
    blocked: frozenset[int] = g.blocked
    return blocked


def me() -> Visitor:
    """Return the user who asks, on pages that need one (`@sign_in_needed`)."""
    visitor = someone()
    assert visitor is not None
    return visitor


def sign_in(user: User, how: str = "") -> None:
    """Sign `user` in on this device, or raise Suspended.

    `how` is for the audit log, if it was not by a password.
    """
    token = secrets.token_urlsafe(32)
    moment = now()
    device = Device(
        user_id=user.id,
        token_hash=fingerprint(token),
        words=device_in_words(request.user_agent.string),
        created_at=moment,
        seen_at=moment,
    )
    with writing() as tx:
        if tx.scalar(select(User.suspended_at).where(User.id == user.id)) is not None:
            raise Suspended
        tx.execute(delete(Device).where(Device.seen_at < moment - KEEP_DEVICE))
        tx.add(device)
        if not user.is_guest:
            audit.note(tx, user.id, "signed in", f"{device.words} {how}".rstrip())
    # Nothing of a stranger's session survives: it may have been planted.
    session.clear()
    session.permanent = True
    known = (user.id, user.name, user.email, user.time_zone, user.is_admin)
    login_user(Visitor(*known, device.id, token, is_guest=user.is_guest))
    g.pop("visitor", None)
    session.pop("_id")  # A long hash of address and browser that we do not compare.


def sign_out() -> None:
    """Sign out on this device."""
    user = someone()
    if user is not None:
        sign_out_device(user, user.device_id)
    end_session()


def end_session() -> None:
    """Know no more who asks."""
    logout_user()
    g.pop("visitor", None)
    session.clear()


def sign_out_device(user: Visitor, device_id: int) -> None:
    """Sign `user` out on one device, if it is theirs."""
    with writing() as tx:
        tx.execute(delete(Device).where(Device.user_id == user.id, Device.id == device_id))


def stream_key(user: Person) -> str:
    """Return the name under which the streams of a person are known."""
    return f"user {user.id}"


def fingerprint(token: str) -> str:
    """Return what the database keeps of a secret: enough to know it again."""
    return hashlib.sha256(token.encode()).hexdigest()


def is_local(target: str) -> bool:
    """Tell whether `target` is a path on this site, and nothing a browser would take for more."""
    return bool(re.fullmatch(r"/(?![/\\])[!-\[\]-~]*", target))


def device_in_words(agent: str) -> str:
    """Say a browser's name for itself as a person would: "Firefox on Android"."""
    browsers = ("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("FxiOS", "Firefox")
    rest = ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari")
    systems = ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS")
    others = ("Windows", "Windows"), ("Mac OS X", "Mac"), ("Linux", "Linux")
    browser = next((name for mark, name in (*browsers, *rest) if mark in agent), "A browser")
    system = next((name for mark, name in (*systems, *others) if mark in agent), None)
    return f"{browser} on {system}" if system else browser


def _load(token: str) -> Visitor | None:
    """Return the user of the device that holds `token`."""
    found = _DEVICE.row(reading(), token_hash=fingerprint(token))
    if found is None:
        return None
    user_id, name, email, zone, is_admin, device_id, seen_at, has_blocked, is_guest = found
    moment = now()
    if seen_at < moment - KEEP_DEVICE:
        return None
    if seen_at < moment - SEEN_EVERY:
        busy.unless_locked(partial(_note_seen, device_id, moment, user_id if is_guest else None))
    marks = bool(has_blocked), bool(is_guest)
    return Visitor(user_id, name, email, zone, is_admin, device_id, token, *marks)


def _note_seen(device_id: int, moment: datetime, guest_id: int | None) -> None:
    with writing() as tx:
        tx.execute(update(Device).where(Device.id == device_id).values(seen_at=moment))
        if guest_id is not None:
            guests.stay(tx, guest_id)
    session.modified = True  # The cookie, too, lives on from now.


def _ask_to_sign_in() -> BaseResponse:
    """Answer a stranger who asks for a page of signed-in people."""
    back = request.full_path.rstrip("?") if request.method == "GET" else "/"
    if "HX-Request" not in request.headers:
        return redirect(url_for("accounts.sign_in", next=back))
    # What HTMX asked for is a fragment: come back to the page that it was asked from.
    page = urlsplit(request.headers.get("HX-Current-URL", ""))
    back = page.path if is_local(page.path) else "/"
    return Response(headers={"HX-Redirect": url_for("accounts.sign_in", next=back)})


def _say_suspended(_reason: Suspended) -> ResponseReturnValue:
    """Answer somebody who knows their password but may not sign in."""
    return render_template("accounts/suspended.html"), 403


def _ask_to_keep() -> ResponseReturnValue:
    """Answer a guest who asks for what needs an account."""
    if "HX-Request" in request.headers:
        return Response(headers={"HX-Redirect": url_for("guests.keep")})
    return render_template("guests/account_needed.html"), 403
