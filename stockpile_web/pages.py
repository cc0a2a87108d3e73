"""What pages share: htmx behind one door, filters, and telling events in words."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from flask import Flask, Response, session
from htmx_flask import Htmx, request  # type: ignore[import-untyped]
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from stockpile_web.delivery import varies_by
from stockpile_web.engine import Facts, codec
from stockpile_web.who import someone

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "templates"
# Besides the one of all pages, games may have a style sheet of their own, called like them.
SHEETS = frozenset(path.stem for path in (ROOT / "static").glob("*.css"))


def init_app(app: Flask) -> None:
    """Give the app htmx and our filters."""
    Htmx(app)
    app.jinja_env.filters.update(FILTERS, clock=clock)
    app.jinja_env.globals["sheets"] = SHEETS


def wants_fragment() -> bool:
    """Tell whether htmx asks, and not for a page it must show whole (going back in history)."""
    return bool(request.htmx) and not request.htmx.history_restore_request


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
    """Mark an answer whose address gives a page or a fragment, so that caches keep them apart."""
    varies_by(response, "HX-Request")
    return response


def money(amount: int) -> str:
    """Write thousands of dollars as the board does: $10K, -$3K, $0."""
    sign = "-" if amount < 0 else ""
    return f"{sign}${abs(amount)}K" if amount else "$0"


def kinds(moves: Iterable[Any]) -> dict[str, list[Any]]:
    """Sort moves by the name of their kind, each kind in the order given."""
    found: dict[str, list[Any]] = {}
    for move in moves:
        found.setdefault(type(move).__name__, []).append(move)
    return found


BY_ORDER = Markup(" <em>By standing order.</em>")

FILTERS = {"money": money, "as_json": codec.dump, "kinds": kinds}


def clock(moment: datetime) -> str:
    """Say a moment in the zone of whoever reads it: 7 Nov, 14:02."""
    user = someone()
    local = moment.astimezone(ZoneInfo(user.time_zone if user else "UTC"))
    return f"{local.day} {local:%b, %H:%M}"


def tell(environment: Environment, game: str, facts: Facts, names: list[str]) -> Markup:
    """Say in words what happened: the game's log template has a macro for each kind of event."""
    kind = facts["kind"]
    words = environment.get_template(f"{game}/log.html").module
    if not hasattr(words, kind):
        words = environment.get_template("_log.html").module
    line = Markup(getattr(words, kind)(facts, names).strip())
    return line + BY_ORDER if "ordered" in facts else line


def tell_note(environment: Environment, game: str, why: Facts) -> Markup:
    """Say why a player is asked in spite of standing orders."""
    words = environment.get_template(f"{game}/orders.html").module
    return Markup(getattr(words, why["kind"])(why).strip())


def bare_environment() -> Environment:
    """Return templates without an app, for the command line."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FILTERS)
    return environment


def told(game: str, log: list[Facts], names: list[str]) -> str:
    """Return the log of a game as plain text; whispers begin with the name of who hears them."""
    environment = bare_environment()
    lines = []
    for facts in log:
        line = tell(environment, game, facts, names).striptags()
        lines.append(f"({names[facts['heard_by']]}) {line}" if "heard_by" in facts else line)
    return "\n".join(lines)
