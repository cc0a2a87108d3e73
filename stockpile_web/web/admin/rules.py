"""By which versions of their rules matches are played, and which of them are held."""

from typing import NamedTuple

from flask import render_template
from flask.typing import ResponseReturnValue
from sqlalchemy import and_, false, func, or_, select

from stockpile_web.games import GAMES
from stockpile_web.match.broken import problem_of
from stockpile_web.match.rules_versions import can_be_carried_on
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Notice
from stockpile_web.storage.models.matches import PLAYING
from stockpile_web.storage.models.notices import BROKEN
from stockpile_web.storage.transactions import reading
from stockpile_web.web import broken
from stockpile_web.web.admin.blueprint import bp
from stockpile_web.web.auth import me

BROKEN_SHOWN = 50


class InUse(NamedTuple):
    """A version of the rules of a game, and how many matches are being played by it."""

    title: str
    version: int
    ours: int
    running: int
    is_held: bool


@bp.get("/rules")
def rules() -> ResponseReturnValue:
    """Show how many running matches there are of which version of each game."""
    return render_template("admin/rules.html", versions=versions_in_use())


@bp.get("/held")
def held() -> ResponseReturnValue:
    """List the matches that wait for rules which this server does not have, or cannot be read."""
    tables = [broken.look(number) for number in held_tables()]
    shown = [table for table in tables if table is not None]
    return render_template("admin/held.html", tables=shown, games=GAMES)


def held_tables() -> list[int]:
    """Return the matches that this server cannot carry on: broken ones, then those that wait."""
    rules, is_played = (Match.game, Match.rules_version), Match.status == PLAYING
    # By their rules: there are few of those, and of matches there may be many.
    by_old_rules = [
        and_(Match.game == game, Match.rules_version == version)
        for game, version in db.session.execute(select(*rules).where(is_played).distinct())
        if not can_be_carried_on(GAMES[game], version)
    ]
    held = select(Match.id).where(is_played, or_(false(), *by_old_rules)).order_by(Match.id)
    waiting = db.session.scalars(held).all()
    told = (
        select(Notice.match_id)
        .join(Match, Match.id == Notice.match_id)
        .where(Notice.user_id == me().id, Notice.event == BROKEN, is_played)
        .order_by(Notice.id.desc())
        .limit(BROKEN_SHOWN)
    )
    numbers = dict.fromkeys([*db.session.scalars(told), *waiting])
    known = set(waiting)  # Of the others, some may have been mended.
    return [
        number for number in numbers if number in known or problem_of(reading(), number) is not None
    ]


def versions_in_use() -> list[InUse]:
    """Count the matches that are being played, by game and version of its rules."""
    found = db.session.execute(
        select(Match.game, Match.rules_version, func.count())
        .where(Match.status == PLAYING)
        .group_by(Match.game, Match.rules_version)
        .order_by(Match.game, Match.rules_version)
    )
    return [
        InUse(rules.TITLE, version, rules.VERSION, count, not can_be_carried_on(rules, version))
        for game, version, count in found
        if (rules := GAMES[game])
    ]
