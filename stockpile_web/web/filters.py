"""What templates can use besides what they are given: filters, and which style sheets there are."""

from datetime import datetime
from zoneinfo import ZoneInfo

from flask import Flask

from stockpile_web.engine import Bot
from stockpile_web.games import GAMES
from stockpile_web.match.bots import steadiest
from stockpile_web.match.options import played_with
from stockpile_web.match.rows import MatchRow
from stockpile_web.settings import ROOT
from stockpile_web.web.auth import someone
from stockpile_web.words.filters import FILTERS

# The games that have a style sheet of their own, besides site.css and table.css.
SHEETS = frozenset(path.parent.name for path in (ROOT / "static" / "games").glob("*/board.css"))


def init_app(app: Flask) -> None:
    """Give the templates of `app` all filters."""
    own = {"bots_of": bots_of, "clock": clock, "played_with": played_with}
    app.jinja_env.filters.update(FILTERS, **own)
    app.jinja_env.globals["sheets"] = SHEETS


def bots_of(match: MatchRow) -> tuple[dict[str, Bot], str]:
    """Return the bots of the game of a match, and which of them is the usual one."""
    game = GAMES[match.game]
    return game.BOTS, steadiest(game)


def clock(moment: datetime) -> str:
    """Say a moment in the zone of whoever reads it: 7 Nov, 14:02."""
    user = someone()
    local = moment.astimezone(ZoneInfo(user.time_zone if user else "UTC"))
    return f"{local.day} {local:%b, %H:%M}"
