"""A search of the archive as it stands in an address: read, found fault with, and put into words.

The address holds the whole search, so it can be passed on. Days are counted in UTC, for they are to
mean the same to whoever opens it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection

from stockpile_web.engine import Game, Option
from stockpile_web.games import GAMES
from stockpile_web.match.archive import Search
from stockpile_web.storage.models.archive import EVERYBODY, list_of
from stockpile_web.web.archive.people import Known, find_person
from stockpile_web.words.moments import calendar_day

ORDERS = {
    "newest": "Newest first",
    "longest": "Longest first",
    "closest": "Closest first",
    "highest": "Highest score first",
}
WITH, WITHOUT = "with", "without"
RULE = "rule."  # Before the key of an option: `rule.KEY=with`.
WORDS = ("mine", "game", "player", "players", "from", "to", "closed", "order")
LARGEST = 2**31


class Filter(NamedTuple):
    """One thing that is asked for, in words, and the search without it."""

    words: str
    rest: dict[str, str]


@dataclass
class Asked:
    """What an address asks for, and what is wrong with it, by field."""

    given: dict[str, str]
    game: str = ""
    player: Known | None = None
    search: Search = field(default_factory=Search)
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def filters(self) -> list[Filter]:
        """All that narrows the search, in the order of the form."""
        asked = [key for key in self.given if key not in ("mine", "closed", "order")]
        return [Filter(self._in_words(key), self._without(key)) for key in asked]

    def for_game(self, slug: str) -> dict[str, str]:
        """Return the same search in another game, or in all; rules are those of one."""
        rest = {key: value for key, value in self.given.items() if not key.startswith(RULE)}
        return {**rest, "game": slug} if slug else {k: v for k, v in rest.items() if k != "game"}

    def _without(self, key: str) -> dict[str, str]:
        if key == "game":
            return self.for_game("")
        return {other: value for other, value in self.given.items() if other != key}

    def _in_words(self, key: str) -> str:
        value = self.given[key]
        if key.startswith(RULE):
            return f"{value} {_title(self.game, key.removeprefix(RULE))}"
        if key in ("from", "to"):
            day = _day(value)
            return f"{key} {calendar_day(day) if day else value}"
        if key == "game":
            return GAMES[value].TITLE if value in GAMES else value
        return f"{value} players" if key == "players" else f"player {value}"


def read(connection: Connection, args: Mapping[str, str], my_id: int | None) -> Asked:
    """Read the search in an address; `my_id` is whose own matches `mine` are."""
    given = {key: args[key].strip() for key in WORDS if args.get(key, "").strip()}
    given |= {key: args[key] for key in args if key.startswith(RULE) and args[key]}
    asked = Asked(given)
    asked.game = _read_game(asked)
    chosen = _read_rules(asked)
    since, until = _read_day(asked, "from"), _read_day(asked, "to")
    if since and until and since > until:
        asked.errors["to"] = "The last day lies before the first."
    order = given.get("order", "newest")
    if order not in ORDERS:
        asked.errors["order"] = "Choose one of these orders."
    lists = _read_lists(connection, asked, my_id)
    asked.search = Search(
        whose=lists[0],
        also_of=tuple(lists[1:]),
        unlisted="mine" in given,
        closed="closed" in given,
        game=asked.game,
        size=_read_size(asked),
        played_with=tuple(key for key, value in chosen.items() if value == WITH),
        played_without=tuple(key for key, value in chosen.items() if value == WITHOUT),
        since=since,
        until=until and until + timedelta(days=1),
        order=order,
    )
    return asked


def switches(game: Game) -> list[Option]:
    """Return the rules by which one can search: those that a table has or has not."""
    return [option for option in game.OPTIONS if option.numbers is None]


def number(typed: str) -> int | None:
    """Return the number that was typed, if it is one that a row can have."""
    is_number = typed.isascii() and typed.isdecimal() and len(typed) < 11
    return int(typed) if is_number and int(typed) < LARGEST else None


def sizes(slug: str) -> list[int]:
    """Return for how many players a game is, or any of them."""
    games = [GAMES[slug]] if slug else GAMES.values()
    return sorted({size for game in games for size in game.SEATS})


def _read_lists(connection: Connection, asked: Asked, my_id: int | None) -> list[str]:
    """Return the lists in which a match is to be: mine, a player's, or else the site's."""
    lists = [list_of(my_id)] if "mine" in asked.given and my_id is not None else []
    if name := asked.given.get("player"):
        asked.player = find_person(connection, name)
        if asked.player is None:
            asked.errors["player"] = "Nobody of this name can be found here. How is it written?"
        else:
            lists.append(list_of(asked.player.id))
    return lists or [EVERYBODY]


def _read_game(asked: Asked) -> str:
    slug = asked.given.get("game", "")
    if slug and slug not in GAMES:
        asked.errors["game"] = f"There is no game called “{slug}” here: choose one of these."
        return ""
    return slug


def _read_rules(asked: Asked) -> dict[str, str]:
    """Return which rules are wanted and which are not, by key."""
    rules = {key: value for key, value in asked.given.items() if key.startswith(RULE)}
    if rules and not asked.game:
        asked.errors.setdefault("game", "Rules are those of a game: choose it first.")
        return {}
    known = {option.key for option in switches(GAMES[asked.game])} if rules else set()
    for key, value in rules.items():
        if key.removeprefix(RULE) not in known:
            title = GAMES[asked.game].TITLE
            asked.errors["rules"] = f"{title} has no rule “{key.removeprefix(RULE)}”."
        elif value not in (WITH, WITHOUT):
            asked.errors["rules"] = "A rule is played with or without."
    return {key.removeprefix(RULE): value for key, value in rules.items()}


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


def _title(slug: str, key: str) -> str:
    options = GAMES[slug].OPTIONS if slug else ()
    return next((option.title for option in options if option.key == key), key)
