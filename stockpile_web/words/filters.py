"""The filters that all templates have, with and without an application."""

from typing import Any

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from stockpile_web.engine import codec
from stockpile_web.storage.names import isolated, two_letters
from stockpile_web.words import moments


def money(amount: int) -> str:
    """Write thousands of dollars as the board does: $10K, -$3K, $0."""
    sign = "-" if amount < 0 else ""
    return f"{sign}${abs(amount)}K" if amount else "$0"


def as_json(value: Any) -> Markup:
    """Write `value` as JSON that is safe in an attribute with single quotes."""
    return htmlsafe_json_dumps(value, dumps=codec.dump)


FILTERS = {
    "money": money,
    "as_json": as_json,
    "isolated": isolated,
    "two_letters": two_letters,
    "day": moments.day,
    "date": moments.calendar_day,
    "due": moments.due,
    "iso": moments.iso,
    "span": moments.span,
}
