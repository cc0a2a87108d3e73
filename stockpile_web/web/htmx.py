"""htmx behind one door: what it asks for, and answers that only it understands."""

from flask import Flask, Response, session
from htmx_flask import Htmx, request  # type: ignore[import-untyped]

from stockpile_web.web import parts
from stockpile_web.web.http_cache import varies_by


def init_app(app: Flask) -> None:
    """Let requests to `app` tell what htmx asks for."""
    Htmx(app)


def wants_fragment() -> bool:
    """Tell whether htmx asks, and not for a page it must show whole (going back in history)."""
    return bool(request.htmx) and not request.htmx.history_restore_request


def is_boosted() -> bool:
    """Tell whether htmx follows a plain link, and takes what it needs from the whole page."""
    return bool(request.htmx) and bool(request.htmx.boosted)


def asks_for(target: str) -> bool:
    """Tell whether htmx asks for the element with this id."""
    return wants_fragment() and request.htmx.target == target


def reload_page() -> Response:
    """Have htmx load the whole page anew."""
    return Response(headers={"HX-Refresh": "true"})


def has_message() -> bool:
    """Tell whether the next whole page has something to say that is said only once."""
    return "_flashes" in session


def varied(response: Response) -> Response:
    """Mark an answer whose address gives a page, a fragment or less: caches keep them apart."""
    varies_by(response, "HX-Request")
    varies_by(response, parts.HEADER)
    return response
