"""What somebody is told while the database is locked or away: soon, kindly, and how to go on.

Whatever was sent may be sent again: the page has a button for that, and at a table board.js has
one. It is rendered without the database. Mostly nothing was changed. What takes several
transactions, such as new waking hours for many tables, may have begun: sent again it does the rest.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from flask import (
    Flask,
    Response,
    after_this_request,
    current_app,
    g,
    render_template,
    request,
)
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import generate_csrf  # type: ignore[import-untyped]
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from stockpile_web.storage.database import Away, Busy, db
from stockpile_web.storage.trouble import trouble_in
from stockpile_web.web import problems
from stockpile_web.web.breaker import Breaker

RETRY_SECONDS = 2
# In trouble, whoever has waited for a thread for so long is not made to wait for a lock as well.
QUEUED_SECONDS = 1.0
# The name of all forms on SQLite, which has one writer at a time. On Postgres each has its own.
FORMS = "forms"

_TITLES = {Busy: "Busy just now", Away: "Back in a moment"}
# For what was sent and not begun, for what was, and for a page.
_SENT, _BEGUN, _PAGE = range(3)
_SENTENCES = {
    (Busy, _SENT): "What you sent was not done. Please send it again.",
    (Busy, _BEGUN): "A part of what you sent was done. Please send it again: that does the rest.",
    (Busy, _PAGE): "This page cannot be shown at the moment. Please try again.",
    (Away, _SENT): "The site cannot reach its database just now. What you sent was most likely not "
    "done: look in a moment whether it was, and if not, please send it again.",
    (
        Away,
        _BEGUN,
    ): "The site cannot reach its database just now. A part of what you sent was done. "
    "Please send it again in a moment: that does the rest.",
    (
        Away,
        _PAGE,
    ): "The site cannot reach its database just now. Nothing is lost; please try again.",
}


def init_app(app: Flask) -> None:
    """Answer for `app` whatever ends in trouble with the database."""
    app.extensions["breaker"] = Breaker()
    with app.app_context():
        driver: Any = db.engine.dialect.loaded_dbapi
    for kind in (Busy, DBAPIError, PoolTimeout, DisconnectionError, driver.Error):
        app.register_error_handler(kind, _answer)


def unless_locked(act: Callable[[], None]) -> None:
    """Write something that can wait for the next page, unless the database is locked."""
    if FORMS in breaker().troubles:
        return
    try:
        with aside():
            act()
    except Busy as trouble:
        breaker().failed(FORMS, trouble)


@contextmanager
def aside() -> Iterator[None]:
    """Write in the block what is no part of what was sent: that somebody was here, or has tried."""
    was_begun = is_begun()
    yield
    g.has_noted = True
    if not was_begun:
        g.pop("has_written", None)


def is_begun() -> bool:
    """Tell whether some of what was sent is done for good."""
    return "has_written" in g


def breaker() -> Breaker:
    """Return the breaker of this process."""
    found = current_app.extensions["breaker"]
    assert isinstance(found, Breaker)
    return found


def refuse_what_would_wait() -> None:
    """Refuse a request that is known to be in trouble, or be the one that tries."""
    name = _name()
    arrived = request.environ.get("server.arrived")
    is_late = arrived is not None and time.monotonic() - arrived > QUEUED_SECONDS
    refusal = Busy() if is_late else breaker().refusal(name)
    if refusal is not None:
        g.is_refused = True
        raise refusal
    after_this_request(_note_success)


def _name() -> str:
    """Return by what a request is known to the breaker.

    Pages of one kind read the same tables. A form may wait for the match that it changes.
    """
    if request.method != "POST":
        return request.endpoint or ""
    if current_app.extensions["write_lock"]:
        return FORMS
    match_id = (request.view_args or {}).get("match_id")
    return f"{request.endpoint} of all" if match_id is None else f"match {match_id}"


def _note_success(response: Response) -> Response:
    if "in_trouble" not in g:
        has_read = "reading" in g or db.session.registry.has()
        has_tried = is_begun() or "has_noted" in g or "has_been_refused" in g
        breaker().passed(_name(), has_tried if request.method == "POST" else has_read)
    return response


def _answer(error: Exception) -> ResponseReturnValue:
    """Say that the database is locked or away; any other error of its is an error of ours."""
    trouble = trouble_in(error)
    if trouble is None:
        raise error
    if trouble is not error:
        trouble.__cause__ = error
    if "is_refused" not in g:
        breaker().failed(_name(), trouble)
    g.in_trouble = True
    is_form = request.method == "POST"
    what = _PAGE if not is_form else _BEGUN if is_begun() else _SENT
    title, sentence = _TITLES[type(trouble)], _SENTENCES[type(trouble), what]
    headers = {"Retry-After": str(RETRY_SECONDS), "Cache-Control": "no-store"}
    if problems.is_for_program():
        return problems.answer(503, sentence, headers=[("Retry-After", str(RETRY_SECONDS))])
    if "HX-Request" in request.headers:  # The page stays as it is; board.js shows this.
        return Response(f"{title}. {sentence}", 503, headers, "text/plain")
    page = render_template(
        "busy.html", title=title, sentence=sentence, is_form=is_form, fields=_fields()
    )
    return Response(page, 503, headers)


def _fields() -> list[tuple[str, str]] | None:
    """Return a form as it was sent, with the token it came with; None if it is better not shown.

    That is a file, and whatever has to do with a password. What has begun may have signed somebody
    in, so that the token it came with is good no more; it was, or nothing would have begun.
    """
    sent = list(request.form.items(multi=True))
    if is_begun():
        sent = [(name, generate_csrf() if name == "csrf_token" else value) for name, value in sent]
    is_secret = request.blueprint == "accounts" or any("password" in name for name, _ in sent)
    return None if is_secret or request.files else sent
