"""Events in words: each game's log templates have a macro for each kind of event."""

from collections.abc import Iterable
from functools import cache, partial
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from stockpile_web.engine import Advice, Facts
from stockpile_web.settings import ROOT
from stockpile_web.words.filters import FILTERS

TO = Markup("<b>To {}:</b> ")  # Of what one player alone was told.
BY_ORDER = Markup(" <em>By standing order.</em>")


def in_words(environment: Environment, game: str, facts: Facts, names: list[str]) -> Markup:
    """Say in words what happened."""
    line = _told(environment, log_templates(game), facts, names)
    if "heard_by" in facts:
        line = TO.format(names[facts["heard_by"]]) + line
    return line + BY_ORDER if "ordered" in facts else line


def story_in_words(environment: Environment, game: str, facts: Facts, names: list[str]) -> Markup:
    """Say in words what the story of a match has to say; it may tell events as the log does."""
    return _told(environment, (f"games/{game}/story.html", *log_templates(game)), facts, names)


def coach_in_words(environment: Environment, game: str, facts: Facts, names: list[str]) -> Markup:
    """Say in words a move that a bot would make, what it is worth, or why."""
    return _told(environment, (f"games/{game}/coach.html",), facts, names)


class AdviceInWords(NamedTuple):
    """One piece of advice in words."""

    what: Markup
    worth: Markup | None
    why: list[Markup]


def advice_in_words(
    environment: Environment, game: str, advice: Advice, names: list[str]
) -> AdviceInWords:
    """Say what a bot would do, what that promises, and why."""
    tell = partial(coach_in_words, environment, game, names=names)
    worth = None
    if advice.worth is not None:
        worth = tell({"kind": "worth", "amount": advice.worth})
    return AdviceInWords(tell(advice.what), worth, [tell(facts) for facts in advice.why])


def _told(
    environment: Environment, templates: Iterable[str], facts: Facts, names: list[str]
) -> Markup:
    """Have the first template that knows this kind of facts tell them."""
    kind = facts["kind"]
    modules = (environment.get_template(name).module for name in templates)
    words = next((module for module in modules if hasattr(module, kind)), None)
    if words is None:  # Told by rules that are gone.
        words, kind = environment.get_template("table/_events.html").module, "something"
        facts = {"kind": kind, "what": facts["kind"].replace("_", " ")}
    return Markup(getattr(words, kind)(facts, names).strip())  # noqa: S704 (a macro has escaped it)


@cache
def log_templates(game: str) -> tuple[str, ...]:
    """Return the templates with the words of a game, and of what can happen in all games."""
    own = sorted((ROOT / "templates" / "games" / game).glob("log*.html"))
    return (*(f"games/{game}/{path.name}" for path in own), "table/_events.html")


def order_note_in_words(environment: Environment, game: str, why: Facts) -> Markup:
    """Say why a player is asked in spite of standing orders."""
    words = environment.get_template(f"games/{game}/orders.html").module
    return Markup(getattr(words, why["kind"])(why).strip())  # noqa: S704 (a macro has escaped it)


def bare_environment() -> Environment:
    """Return templates without an app, for the command line."""
    environment = Environment(
        loader=FileSystemLoader(ROOT / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FILTERS)
    return environment


def log_as_text(game: str, log: list[Facts], names: list[str]) -> str:
    """Return the log of a game as plain text."""
    environment = bare_environment()
    return "\n".join(in_words(environment, game, facts, names).striptags() for facts in log)
