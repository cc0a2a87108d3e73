"""How lines of the log are written (LOG): as text for people, or as JSON for programs.

Whatever a line says, it is one line: line breaks that a request brought are written as signs, and
those of a traceback are followed by spaces, with which no line of the log begins.
"""

import json
import logging
from datetime import UTC, datetime
from typing import Any

from stockpile_web.web.request_log import request_id

# What is said besides the message, in this order, where it is known.
FIELDS = ("request", "method", "route", "status", "ms", "match", "user")


class Text(logging.Formatter):
    """A line for people: when, how bad, what, and in which request."""

    def format(self, record: logging.LogRecord) -> str:
        known = " ".join(f"{name}={value}" for name, value in fields(record).items())
        level = record.levelname
        line = f"{moment(record)} [{record.process}] {level} {one_line(record.getMessage())}"
        return "\n".join([f"{line} {known}".rstrip(), *(f"  {each}" for each in trace(record))])


class Json(logging.Formatter):
    """A line for programs."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": moment(record),
            "level": record.levelname.lower(),
            "process": record.process,
            "logger": record.name,
            "message": record.getMessage(),
            **fields(record),
        }
        if lines := trace(record):
            line["trace"] = lines
        return json.dumps(line)


def configuration(style: str) -> dict[str, Any]:
    """Return the set-up of all loggers, gunicorn's among them, for `logging.config`."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": Json if style == "json" else Text}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "lines",
                "stream": "ext://sys.stderr",
            }
        },
        "root": {"level": "WARNING", "handlers": ["stderr"]},
        "loggers": {
            # Without levels: gunicorn has set those that it was told.
            "gunicorn.error": {"handlers": [], "propagate": True},
            "stockpile_web.requests": {"level": "INFO"},
        },
    }


def fields(record: logging.LogRecord) -> dict[str, Any]:
    """Return what is known besides the message; an error in a page is known by its request."""
    told = {name: getattr(record, name, None) for name in FIELDS}
    told["request"] = told["request"] or request_id() or None
    return {name: value for name, value in told.items() if value is not None}


def moment(record: logging.LogRecord) -> str:
    """Return when it was said, in UTC."""
    when = datetime.fromtimestamp(record.created, UTC)
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def one_line(said: str) -> str:
    """Write line breaks, and whatever else cannot be seen, as signs."""
    return said if said.isprintable() else "".join(map(_sign, said))


def trace(record: logging.LogRecord) -> list[str]:
    """Return the lines of the traceback, if there is one."""
    if not record.exc_info:
        return []
    written = logging.Formatter().formatException(record.exc_info)
    return [one_line(line) for line in written.split("\n")]


def _sign(letter: str) -> str:
    return letter if letter.isprintable() else ascii(letter)[1:-1]
