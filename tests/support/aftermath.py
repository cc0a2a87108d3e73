"""After a fault: is everything there that was acknowledged, once, and was everybody told?"""

from flask import Flask
from sqlalchemy import func, select

from stockpile_web.match.checking import check
from stockpile_web.match.exporting import export
from stockpile_web.match.glance import glance
from stockpile_web.storage.database import db
from stockpile_web.storage.models import Match, Move, Notice, Reckoning, Seat, SendJob, User
from stockpile_web.storage.models.matches import OVER
from stockpile_web.storage.models.notices import ENDED, SENT
from stockpile_web.storage.transactions import reading
from tests.support.hourglass import bots_are_due
from tests.support.insisting import Player
from tests.support.live_site import wait_until
from tests.support.postbox import Postbox, time_passes


def are_over(app: Flask, matches: list[int]) -> bool:
    """Tell whether all these matches have ended."""
    with app.app_context():
        ended = select(func.count(Match.id)).where(Match.id.in_(matches), Match.status == OVER)
        return db.session.scalar(ended) == len(matches)


def leases_end(app: Flask) -> None:
    """Let what a killed worker had leased fall due now, rather than in some minutes."""
    time_passes(app)
    bots_are_due(app)


def refuse_lost_or_doubled(app: Flask, players: list[Player]) -> None:
    """See that just what was acknowledged is recorded, each form once, in the order it was sent."""
    with app.app_context():
        for player in players:
            forms = (
                select(Move.digest)
                .join(Seat, (Seat.match_id == Move.match_id) & (Seat.number == Move.seat))
                .join(User, User.id == Seat.user_id)
                .where(Move.match_id == player.match_id, User.name == player.name)
                .where(Move.digest.is_not(None))
                .order_by(Move.number)
            )
            recorded = list(db.session.scalars(forms))
            # A page of a moment ago may be filled in alike once more: that form counts once.
            acknowledged = list(dict.fromkeys(player.accepted))
            lost = [each for each in acknowledged if each not in recorded]
            unasked = [each for each in recorded if each not in acknowledged]
            assert (lost, unasked) == ([], []), player.name
            assert recorded == acknowledged, player.name


def refuse_dishonest(app: Flask, matches: list[int]) -> None:
    """See that each match, played once more from its seed and moves, leads to its snapshot."""
    with app.app_context():
        for match_id in matches:
            seen = glance(reading(), match_id, None)
            assert seen is not None
            verdict = check(export(reading(), seen))
            assert verdict.is_honest, verdict.lines
            state = db.session.scalar(select(Match.state).where(Match.id == match_id))
            assert verdict.states[-1] == state


def wait_until_told(app: Flask, postbox: Postbox) -> None:
    """Wait until nothing is left to be done by a worker, and see that all were told of the end."""
    leases_end(app)
    wait_until(lambda: _is_all_done(app), seconds=180)
    with app.app_context():
        outcomes = db.session.execute(
            select(User.email, Notice.outcome).join(Notice).where(Notice.event == ENDED)
        ).all()
    assert outcomes and {outcome for _, outcome in outcomes} == {SENT}
    assert {address for address, _ in outcomes} <= {mail["To"] for mail in list(postbox.mails)}


def _is_all_done(app: Flask) -> bool:
    with app.app_context():
        left = (
            select(func.count(Notice.id)).where(Notice.done_at.is_(None)),
            select(func.count(SendJob.id)),
            select(func.count(Reckoning.match_id)),
            select(func.count(Seat.id)).where(Seat.acts_at.is_not(None)),
        )
        return not any(db.session.scalar(each) for each in left)
