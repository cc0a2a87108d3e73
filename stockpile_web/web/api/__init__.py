"""The API: what people do at tables, for their programs, as JSON below /api/v1.

The address of a page is never one of these, and the other way round: programs bring a token and
no cookie, browsers a cookie and no token.
"""

from flask import Flask

import stockpile_web.web.api.finding
import stockpile_web.web.api.seats
import stockpile_web.web.api.tables  # noqa: F401 (they add their operations)
from stockpile_web.web.api.blueprint import bp

__all__ = ["init_app"]


def init_app(app: Flask) -> None:
    """Let programs ask `app`."""
    # A forged form brings somebody's cookie. Here no cookie counts.
    app.extensions["csrf"].exempt(bp)
    app.register_blueprint(bp)
