"""By which versions of their rules matches are played, and which of them are held."""

from typing import NamedTuple

from flask import render_template
from flask.typing import ResponseReturnValue
from sqlalchemy import func, select

from stockpile_web.games import GAMES
from stockpile_web.match.rules_versions import can_be_carried_on
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match
from stockpile_web.storage.models.matches import PLAYING
from stockpile_web.web.admin.blueprint import bp


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
    """List the matches that wait for rules which this server does not have."""
    running = select(Match.id, Match.game, Match.rules_version).where(Match.status == PLAYING)
    matches = [
        (match_id, GAMES[game], version)
        for match_id, game, version in db.session.execute(running.order_by(Match.id))
        if not can_be_carried_on(GAMES[game], version)
    ]
    return render_template("admin/held.html", matches=matches)


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
