"""The filters of all templates, with and without an application: shared ones, and each game's."""

from typing import Any

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from stockpile_web.storage.names import isolated, two_letters
from stockpile_web.words import moments


def as_json(value: Any) -> Markup:
    """Write `value` as JSON that is safe in an attribute with single quotes."""
    return htmlsafe_json_dumps(value, dumps=codec.dump)


def percent(chance: float) -> str:
    """Write a chance: 33 %. Only what is certain is 0 % or 100 %."""
    if 0 < chance < 0.005:
        return "under 1 %"
    if 0.995 <= chance < 1:
        return "over 99 %"
    return f"{round(100 * chance)} %"


SHARED = {
    "as_json": as_json,
    "isolated": isolated,
    "percent": percent,
    "two_letters": two_letters,
    "about": moments.about,
    "day": moments.day,
    "date": moments.calendar_day,
    "due": moments.due,
    "iso": moments.iso,
    "span": moments.span,
}
FILTERS = {name: own for game in GAMES.values() for name, own in game.FILTERS.items()} | SHARED
