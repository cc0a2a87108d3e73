"""The results of a search as CSV, a line for each player."""

from collections.abc import Iterator

from flask import abort, request
from flask.typing import ResponseReturnValue

from stockpile_web.games import GAMES
from stockpile_web.match.archive import Search, find
from stockpile_web.match.ended import Ended
from stockpile_web.storage.transactions import reading
from stockpile_web.web import rate_limits
from stockpile_web.web.archive import address
from stockpile_web.web.archive.blueprint import bp
from stockpile_web.web.auth import sign_in_needed, someone
from stockpile_web.web.spreadsheets import Cell, spreadsheet
from stockpile_web.words.moments import iso

MOST_LINES = 10_000
# So many lines take a third of a second.
SPREADSHEETS = rate_limits.Limit("archive as CSV", 60, 60)
AT_ONCE = 500
HEADINGS = (
    "table", "name", "game", "rules", "players", "ended", "moves", "ahead", "place", "player",
    "score", "bot",
)  # fmt: skip


@bp.get("/archive.csv")
def as_csv() -> ResponseReturnValue:
    """Give what the same address finds as a page, whole matches, up to a limit."""
    return _mine() if request.args.get("mine") else _csv()


@sign_in_needed
def _mine() -> ResponseReturnValue:
    return _csv()


def _csv() -> ResponseReturnValue:
    user = someone()
    asked = address.read(reading(), request.args, user.id if user else None)
    if asked.errors:
        abort(422)
    try:
        rate_limits.count((SPREADSHEETS, str(user.id) if user else rate_limits.address()))
    except rate_limits.TooMany:
        abort(429)
    return spreadsheet("matches.csv", HEADINGS, _lines_of(asked.search))


def _lines_of(search: Search) -> Iterator[list[Cell]]:
    left = MOST_LINES
    for match in _matches(search):
        left -= len(match.players)
        if left < 0:
            return
        yield from _lines(match)


def _matches(search: Search) -> Iterator[Ended]:
    """Go through a list to its end."""
    after, is_done = None, False
    while not is_done:
        page = find(reading(), search, AT_ONCE, after)
        yield from page.matches
        after, is_done = page.after, page.after is None


def _lines(match: Ended) -> Iterator[list[Cell]]:
    about: list[Cell] = [
        match.id, match.name, GAMES[match.game].TITLE, ", ".join(match.rules), match.size,
        iso(match.ended_at), match.moves, match.margin,
    ]  # fmt: skip
    for player in match.players:
        is_bot = "bot" if player.is_bot else ""
        yield [*about, player.place, player.name, player.score, is_bot]
