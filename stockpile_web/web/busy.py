"""What somebody is told while the database is locked or away: soon, kindly, and how to go on.

Nothing was changed, so whatever was sent may be sent again: the page has a button for that, and at
a table board.js has one. It is rendered without the database.
"""

import time
from collections.abc import Callable
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

# Title and sentence, for what was sent and for a page.
_WORDS = {
    (Busy, True): ("Busy just now", "What you sent was not done. Please send it again."),
    (Busy, False): ("Busy just now", "This page cannot be shown at the moment. Please try again."),
    (Away, True): (
        "Back in a moment",
        "The site cannot reach its database just now. What you sent was most likely not done: "
        "look in a moment whether it was, and if not, please send it again.",
    ),
    (Away, False): (
        "Back in a moment",
        "The site cannot reach its database just now. Nothing is lost; please try again.",
    ),
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
        act()
    except Busy as trouble:
        breaker().failed(FORMS, trouble)


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
        breaker().passed(_name(), "has_written" in g if request.method == "POST" else has_read)
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
    title, sentence = _WORDS[type(trouble), is_form]
    headers = {"Retry-After": str(RETRY_SECONDS), "Cache-Control": "no-store"}
    if problems.is_for_program():
        return problems.answer(503, headers=[("Retry-After", str(RETRY_SECONDS))])
    if "HX-Request" in request.headers:  # The page stays as it is; board.js shows this.
        return Response(f"{title}. {sentence}", 503, headers, "text/plain")
    page = render_template(
        "busy.html", title=title, sentence=sentence, is_form=is_form, fields=_fields()
    )
    return Response(page, 503, headers)


def _fields() -> list[tuple[str, str]] | None:
    """Return a form as it was sent, with the token it came with; None if it is better not shown.

    That is a file, and whatever has to do with a password.
    """
    sent = list(request.form.items(multi=True))
    is_secret = request.blueprint == "accounts" or any("password" in name for name, _ in sent)
    return None if is_secret or request.files else sent
