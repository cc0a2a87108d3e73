"""Middleware around everything: each request has an id, is counted, and is a line of the log.

Neither names a path: those of invitations, feeds and reset links are secrets. Both name the route.
"""

import logging
import re
import secrets
import time
from collections.abc import Iterable
from typing import Any, NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response, g, has_request_context, request

from stockpile_web import counters

log = logging.getLogger("stockpile_web.requests")

ID = "stockpile_web.request_id"
ABOUT = "stockpile_web.about"
NO_ROUTE = "none"  # There is no such page, or it was refused before one was looked for.
_PROXYS_OWN = re.compile(r"[\w.:-]{1,64}", re.ASCII)


class About(NamedTuple):
    """What a request was about, without a word that its sender chose."""

    route: str = NO_ROUTE
    match: int | None = None
    user: int | None = None


class Site(Flask):
    """Flask, but for its line about a page that has failed, which names the path."""

    def log_exception(self, exc_info: Any) -> None:
        self.logger.error("A page has failed: %s", request.endpoint, exc_info=exc_info)


def init_app(app: Flask) -> None:
    """Note what requests are about; `wrap` goes around everything, when all else is in place."""
    app.after_request(_note)
    app.jinja_env.globals["request_id"] = request_id


def wrap(app: Flask) -> None:
    """Put the middleware around all others of `app`."""
    trusts = app.config["BEHIND_PROXY"] > 0
    is_logged = app.config["LOG"] != "errors"
    around = RequestLog(app.wsgi_app, trusts, is_logged, raises=app.testing)
    app.wsgi_app = around  # type: ignore[method-assign]


def request_id() -> str:
    """Return the id of the request that is being answered, or nothing."""
    return str(request.environ.get(ID, "")) if has_request_context() else ""


class RequestLog:
    """The application, and a line for each of its answers if that `is_logged`.

    Where it `raises`, an error that no page has caught is left to whoever runs the application.
    """

    def __init__(
        self, inner: WSGIApplication, trusts_proxy: bool, is_logged: bool, *, raises: bool = False
    ) -> None:
        self._inner = inner
        self._raises = raises
        self._trusts_proxy = trusts_proxy
        self._is_logged = is_logged

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ[ID] = self._id_of(environ)
        began = time.perf_counter()
        statuses: list[str] = []

        def start(status: str, *rest: Any) -> Any:
            statuses.append(status)
            return start_response(status, *rest)

        try:
            answer = self._inner(environ, start)
        except Exception:
            if self._raises:
                raise
            # Gunicorn would log it, too, but with its path.
            log.exception("Failed outside of every page", extra={"request": environ[ID]})
            answer = Response("Our mistake.", 500, content_type="text/plain")(environ, start)
        self._done(environ, int(statuses[-1][:3]), time.perf_counter() - began)
        return answer

    def _id_of(self, environ: WSGIEnvironment) -> str:
        given = environ.get("HTTP_X_REQUEST_ID", "") if self._trusts_proxy else ""
        return given if _PROXYS_OWN.fullmatch(given) else secrets.token_hex(8)

    def _done(self, environ: WSGIEnvironment, status: int, seconds: float) -> None:
        about: About = environ.get(ABOUT, About())
        counters.REQUESTS.note(seconds, about.route, f"{status // 100}xx")
        if self._is_logged:
            known = {
                "request": environ[ID],
                "method": environ["REQUEST_METHOD"],
                **about._asdict(),
                "status": status,
                "ms": round(seconds * 1000, 1),
            }
            log.info("answered", extra=known)


def _note(response: Response) -> Response:
    match, visitor = (request.view_args or {}).get("match_id"), g.get("visitor")
    user = visitor.id if visitor is not None else None
    request.environ[ABOUT] = About(request.endpoint or NO_ROUTE, match, user)
    return response
