"""A search of the archive as it stands in an address: read, found fault with, and put into words.

The address holds the whole search, so it can be passed on. Days are counted in UTC, for they are to
mean the same to whoever opens it.
"""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection
from werkzeug.datastructures import MultiDict

from stockpile_web.engine import Game, Option
from stockpile_web.games import GAMES
from stockpile_web.match.archive import Search
from stockpile_web.people import groups
from stockpile_web.storage.database import db
from stockpile_web.storage.models.acquaintances import OPEN_TO_ALL, Group
from stockpile_web.storage.models.archive import list_of, list_of_group
from stockpile_web.storage.names import isolated
from stockpile_web.web.archive.people import Known, find_person
from stockpile_web.words.moments import calendar_day

ORDERS = {
    "newest": "Newest first",
    "longest": "Longest first",
    "closest": "Closest first",
    "highest": "Highest score first",
}
NOT = "-"  # Before the key of a rule that is not to be played with: `rule=-KEY`.
WORDS = ("mine", "group", "game", "player", "players", "from", "to", "closed", "order")
NARROWING = ("group", "player", "players", "from", "to")
LARGEST = 2**31

Words = dict[str, Any]  # Of an address: one, several or none for each key.


class Filter(NamedTuple):
    """One thing that is asked for, in words, and the search without it."""

    words: str
    rest: Words


class RuleChoice(NamedTuple):
    """A rule, or several that rule each other out: what can be asked for, and what is."""

    title: str
    choices: list[tuple[str, str]]
    chosen: str


@dataclass
class Asked:
    """What an address asks for, and what is wrong with it, by field."""

    given: dict[str, str]
    rules: list[str]
    game: str = ""
    player: Known | None = None
    group: Group | None = None
    unlisted: bool = False  # Those that only some may see are among them.
    search: Search = field(default_factory=Search)
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def words(self) -> Words:
        """The whole search, as an address has it."""
        return {**self.given, "rule": self.rules}

    @property
    def filters(self) -> list[Filter]:
        """All that narrows the search, in the order of the form; a game has its own way out."""
        narrowing = [key for key in self.given if key in NARROWING]
        filters = [Filter(self._in_words(key), {**self.words, key: None}) for key in narrowing]
        for rule in self.rules:
            rest = [other for other in self.rules if other != rule]
            filters.append(Filter(self._rule_in_words(rule), {**self.words, "rule": rest}))
        return filters

    @property
    def rule_choices(self) -> list[RuleChoice]:
        """The rules of the game that is asked for, as the form offers them."""
        return rule_choices(GAMES[self.game], self.rules) if self.game else []

    def for_game(self, slug: str) -> Words:
        """Return the same search in another game, or in all; rules are those of one."""
        return {**self.given, "game": slug or None}

    def _in_words(self, key: str) -> str:
        value = self.given[key]
        if key in ("from", "to"):
            day = _day(value)
            return f"{key} {calendar_day(day) if day else value}"
        if key == "group" and self.group is not None:
            return f"group {isolated(self.group.name)}"
        return f"{value} players" if key == "players" else f"player {value}"

    def _rule_in_words(self, rule: str) -> str:
        known = {option.key: option.title for option in switches(GAMES[self.game])}
        key = rule.removeprefix(NOT)
        return f"without “{known[key]}”" if rule.startswith(NOT) else f"“{known[key]}”"


def read(connection: Connection, args: MultiDict[str, str], my_id: int | None) -> Asked:
    """Read the search in an address; `my_id` is whose own matches `mine` are."""
    given = {key: args[key].strip() for key in WORDS if args.get(key, "").strip()}
    asked = Asked(given, list(dict.fromkeys(filter(None, args.getlist("rule")))))
    asked.game = _read_game(asked)
    _check_rules(asked)
    since, until = _read_day(asked, "from"), _read_day(asked, "to")
    if since and until and since > until:
        asked.errors["to"] = "The last day lies before the first."
    order = given.get("order", "newest")
    if order not in ORDERS:
        asked.errors["order"] = "Choose one of these orders."
    lists = _read_lists(connection, asked, my_id)
    asked.search = Search(
        whose=lists[0] if lists else "",
        also_of=tuple(lists[1:]),
        unlisted=asked.unlisted,
        closed="closed" in given,
        game=asked.game,
        size=_read_size(asked),
        played_with=tuple(rule for rule in asked.rules if not rule.startswith(NOT)),
        played_without=tuple(rule[1:] for rule in asked.rules if rule.startswith(NOT)),
        since=since,
        until=until and until + timedelta(days=1),
        order=order,
    )
    return asked


def switches(game: Game) -> list[Option]:
    """Return the rules by which one can search: those that a table has or has not."""
    return [option for option in game.OPTIONS if option.numbers is None]


def rule_choices(game: Game, rules: list[str]) -> list[RuleChoice]:
    """Return what can be asked for of each rule, or of those that rule each other out."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for option in switches(game):
        if option.group:
            groups.setdefault(option.group, [("", "any")]).append((option.key, option.title))
        else:
            either = [("", "with or without"), (option.key, "with"), (NOT + option.key, "without")]
            groups[option.title] = either
    chosen = set(rules)
    return [
        RuleChoice(title, choices, next((key for key, _ in choices if key in chosen), ""))
        for title, choices in groups.items()
    ]


def number(typed: str) -> int | None:
    """Return the number that was typed, if it is one that a row can have."""
    is_number = typed.isascii() and typed.isdecimal() and len(typed) < 11
    return int(typed) if is_number and int(typed) < LARGEST else None


def sizes(slug: str) -> list[int]:
    """Return for how many players a game is, or any of them."""
    games = [GAMES[slug]] if slug else GAMES.values()
    return sorted({size for game in games for size in game.SEATS})


def _read_lists(connection: Connection, asked: Asked, my_id: int | None) -> list[str]:
    """Return the lists in which a match is to be: mine, a group's, and a player's."""
    asked.unlisted = my_id is not None and "mine" in asked.given
    lists = [list_of(my_id)] if my_id is not None and asked.unlisted else []
    if typed := asked.given.get("group"):
        lists += _read_group(connection, asked, typed, my_id)
    if name := asked.given.get("player"):
        asked.player = find_person(connection, name, my_id)
        if asked.player is None:
            asked.errors["player"] = (
                "Nobody of this name can be found here by you. How is it written?"
            )
        else:
            lists.append(list_of(asked.player.id))
    return lists


def _read_group(connection: Connection, asked: Asked, typed: str, my_id: int | None) -> list[str]:
    """Return the list of a group; those of its tables that are not listed are for members alone."""
    asked.group = db.session.get(Group, number(typed) or 0)
    is_mine = (
        my_id is not None and groups.role_of(connection, number(typed) or 0, my_id) is not None
    )
    if asked.group is None or not (is_mine or asked.group.entry == OPEN_TO_ALL):
        asked.group, asked.errors["group"] = None, "There is no such group that is open to you."
        return []
    asked.unlisted |= is_mine
    return [list_of_group(asked.group.id)]


def _read_game(asked: Asked) -> str:
    slug = asked.given.get("game", "")
    if slug and slug not in GAMES:
        asked.errors["game"] = f"There is no game called “{slug}” here: choose one of these."
        return ""
    return slug


def _check_rules(asked: Asked) -> None:
    """Leave out rules that nobody knows, and say so."""
    if asked.rules and not asked.game:
        asked.errors.setdefault("game", "Rules are those of a game: choose it first.")
        asked.rules = []
        return
    known = {option.key for option in switches(GAMES[asked.game])} if asked.rules else set()
    for rule in [rule for rule in asked.rules if rule.removeprefix(NOT) not in known]:
        title = GAMES[asked.game].TITLE
        asked.errors["rules"] = f"{title} has no rule “{rule.removeprefix(NOT)}”."
        asked.rules.remove(rule)


def _read_size(asked: Asked) -> int | None:
    if "players" not in asked.given:
        return None
    size, allowed = number(asked.given["players"]), sizes(asked.game)
    if size not in allowed:
        asked.errors["players"] = f"A number from {allowed[0]} to {allowed[-1]}."
    return size


def _read_day(asked: Asked, key: str) -> datetime | None:
    if key not in asked.given:
        return None
    day = _day(asked.given[key])
    if day is None:
        asked.errors[key] = "A day is written like 2026-11-07."
        return None
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _day(typed: str) -> date | None:
    try:
        day = date.fromisoformat(typed)
    except ValueError:
        return None
    return day if 1900 <= day.year < 3000 else None  # Others are slips, and no calendar has them.
