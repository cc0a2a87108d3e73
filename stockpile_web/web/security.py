"""Safety of every request: forged and oversized ones refused, headers, errors that tell nothing."""

import re
from collections.abc import Iterable
from ipaddress import IPv6Address
from typing import Any
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Request, Response, abort, current_app, render_template, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import CSRFError, CSRFProtect  # type: ignore[import-untyped]
from itsdangerous import URLSafeTimedSerializer
from werkzeug.exceptions import HTTPException
from werkzeug.routing import IntegerConverter, ValidationError

from stockpile_web.settings import LARGEST_BODY, LARGEST_UPLOAD, UPLOAD_PATH
from stockpile_web.storage.database import db
from stockpile_web.web import busy, problems
from stockpile_web.web.request_log import request_id

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Never "no-referrer": over https the check against forged forms asks for it.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
}

# Title and sentence of each error page. They say what to do, never what was found or why.
ERRORS = {
    400: ("That did not work", "The page was too old or incomplete. Go back, reload, try again."),
    403: ("Not for you", "This belongs to other people."),
    404: ("Nothing here", "There is no such page, or it is not for you."),
    405: ("That did not work", "This address cannot be used that way."),
    409: ("Things have moved on", "Somebody was faster. Go back and reload to see how it is now."),
    413: ("Too much", "That was more than this site takes at once. Send something shorter."),
    422: ("That did not work", "Something in what you sent cannot be used. Go back and change it."),
    429: ("Too many tries", "Please wait a while, then try again."),
    500: ("Our mistake", "Something went wrong here. Nothing is lost; please try again."),
    503: ("Busy just now", "Please wait a moment, then try again."),
}

# Over https the cookie of the session is bound to this very host by its name: browsers take one of
# that name from the host itself alone, so nobody who has a neighbouring name can plant it.
PLAIN, BOUND = "session", "__Host-session"

_LABEL = r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST = re.compile(
    rf"((?P<name>{_LABEL}(\.{_LABEL})*)\.?|\[(?P<ip>[0-9a-f:.]+)\])(:\d{{0,5}})?", re.IGNORECASE
)
_LONGEST = 260  # A name of 253 letters and a port.
_NO_HOST = "That did not work. This is no address of a site: look how it is spelt, and try again."


class CheckedHead:
    """Middleware: refuses a `Host` that cannot be one, and leaves out other broken addresses.

    Flask, Werkzeug and Flask-WTF take them apart by themselves, and raise what nobody catches.
    """

    def __init__(self, inner: WSGIApplication) -> None:
        self._inner = inner

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not is_host(environ.get("HTTP_HOST", "")):
            refusal = Response(_NO_HOST, 400, HEADERS, "text/plain")
            return refusal(environ, start_response)
        for name in ("HTTP_REFERER", "HTTP_HX_CURRENT_URL"):
            if name in environ and not _is_address(environ[name]):
                del environ[name]  # What cannot be read tells as little as one that was not sent.
        return self._inner(environ, start_response)


class Sessions(SecureCookieSessionInterface):
    """Flask's own; what checks signatures is made once, and not for every request."""

    def __init__(self) -> None:
        self._serializers: dict[Any, URLSafeTimedSerializer | None] = {}

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """Return what signs cookies and checks them: it depends on the key alone."""
        if app.secret_key not in self._serializers:
            self._serializers[app.secret_key] = super().get_signing_serializer(app)
        return self._serializers[app.secret_key]


class PlainSessions(Sessions):
    """Sessions in the cookie that all had before there was a bound one."""

    def get_cookie_name(self, app: Flask) -> str:
        """Return the name without a prefix, whatever is set."""
        return PLAIN


class BoundSession(SecureCookieSession):
    """A session that may have come in the cookie without a prefix."""

    was_plain = False


class BoundSessions(Sessions):
    """Sessions in a bound cookie; a plain one of before is taken over, so nobody is signed out.

    They are signed in another way: so what is in a bound cookie cannot be planted as a plain one,
    and a plain one is taken for as long as it would have held, and not for ever.
    """

    salt = "cookie-session of this host"
    session_class = BoundSession

    def __init__(self) -> None:
        super().__init__()
        self._before = PlainSessions()

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Read the bound cookie, or else the plain one."""
        if BOUND not in request.cookies and (before := self._before.open_session(app, request)):
            taken = BoundSession(before)
            taken.was_plain = taken.modified = True
            return taken
        return super().open_session(app, request)

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Write the bound cookie; the plain one goes, if it was ours and not a neighbour's."""
        super().save_session(app, session, response)
        if isinstance(session, BoundSession) and session.was_plain:
            response.delete_cookie(PLAIN, secure=True, httponly=True, samesite="Lax")


class Number(IntegerConverter):
    """A number in an address: one that no row can have leads nowhere."""

    def to_python(self, value: str) -> int:
        number: int = super().to_python(value)
        if number >= 2**31:
            raise ValidationError
        return number


def row_number(text: str) -> int:
    """Read a number that comes after a question mark or in a form, if a row can have it."""
    number = int(text)
    if abs(number) >= 2**31:
        raise ValueError(text)
    return number


def init_app(app: Flask) -> None:
    """Guard every request to `app`."""
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.config["MAX_FORM_MEMORY_SIZE"] = LARGEST_BODY
    app.config["MAX_FORM_PARTS"] = 200
    is_bound = app.config["SECURE_COOKIES"]
    app.config["SESSION_COOKIE_HTTPONLY"] = True
    app.config["SESSION_COOKIE_SAMESITE"] = "Lax"
    app.config["SESSION_COOKIE_SECURE"] = is_bound
    app.config["SESSION_COOKIE_NAME"] = BOUND if is_bound else PLAIN
    # Pages of a slow game stay open for days; a token lives as long as its session.
    app.config["WTF_CSRF_TIME_LIMIT"] = None
    app.url_map.converters["int"] = Number
    app.session_interface = BoundSessions() if is_bound else Sessions()
    app.wsgi_app = CheckedHead(app.wsgi_app)  # type: ignore[method-assign]
    app.before_request(_allow_uploads)
    app.before_request(_refuse_zero_bytes)
    CSRFProtect(app)
    app.register_error_handler(CSRFError, _forged)
    app.register_error_handler(HTTPException, _error)
    app.before_request(_refuse_what_would_wait)  # After the check against forged forms.
    busy.init_app(app)
    app.after_request(_add_headers)


def is_host(text: str) -> bool:
    """Tell whether `text` can be the host that a browser asked for; old clients name none."""
    found = _HOST.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None:
        return not text
    try:
        if found["ip"]:
            IPv6Address(found["ip"])
        elif "xn--" in text.lower():
            found["name"].encode().decode("idna")
    except ValueError:  # A UnicodeError is one, too.
        return False
    return True


def _is_address(text: str) -> bool:
    try:
        return urlsplit(text).port != 0  # A port that is no number is found out by asking for it.
    except ValueError:
        return False


def _allow_uploads() -> None:
    """Let one page take more than all others; before anything reads the form."""
    if request.path == UPLOAD_PATH:
        request.max_content_length = LARGEST_UPLOAD


def _refuse_zero_bytes() -> None:
    """Refuse what Postgres cannot keep and nobody types."""
    if "\0" in request.path:
        abort(400)
    for fields in (request.args, request.form) if request.method == "POST" else (request.args,):
        if any("\0" in value for _, value in fields.items(multi=True)):
            abort(400)


def _forged(error: CSRFError) -> ResponseReturnValue:
    """Answer a form that did not come from our page, or from one of an earlier session."""
    if "HX-Request" in request.headers:
        return "", 400, {"HX-Refresh": "true"}
    return _error(error)


def _refuse_what_would_wait() -> None:
    """While the database is in trouble, let nobody wait who is known to wait in vain."""
    if current_app.extensions["breaker"].troubles and request.endpoint != "static":
        busy.refuse_what_would_wait()


def _error(error: HTTPException) -> ResponseReturnValue:
    """Show an error page that tells nothing but its kind."""
    code = error.code or 500
    if code < 400:
        return error
    headers = [pair for pair in error.get_headers() if pair[0] in ("Allow", "Retry-After")]
    return _error_page(code, headers)


def _error_page(code: int, headers: list[tuple[str, str]]) -> ResponseReturnValue:
    if problems.is_for_program():
        return problems.answer(code, headers=headers)
    title, sentence = ERRORS.get(code, ERRORS[400 if code < 500 else 500])
    number = request_id() if code >= 500 else ""  # What the log of the server knows it by.
    try:
        if code >= 500:
            db.session.rollback()  # What was under way is void; the page asks who is signed in.
        html = render_template(
            "error.html", code=code, title=title, sentence=sentence, number=number
        )
        return html, code, headers
    except Exception:
        if code < 500:
            raise
        # The page itself may be what is broken, or the database.
        said = f"{title}. {sentence} ({number})"
        page = Response(said, code, content_type="text/plain; charset=utf-8")
        page.headers.extend(headers)
        return page


def _add_headers(response: Response) -> Response:
    if current_app.config["SITE_URL"].startswith("https:"):
        response.headers["Strict-Transport-Security"] = "max-age=31536000"
    response.headers.extend(HEADERS)
    return response
