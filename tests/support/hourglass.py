"""Time that passes at once for the clocks of a table, and a bot that thinks."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from flask import Flask
from sqlalchemy import select, update

from stockpile_web.engine import Bot
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models import Move, Seat, User
from stockpile_web.storage.transactions import writing
from stockpile_web.worker import timeouts
from tests.support.live_site import wait_until

AGES = timedelta(days=100)


def seats(app: Flask, match_id: int) -> dict[str, Seat]:
    """Return the seats of a match by who sits there."""
    with app.app_context():
        rows = select(Seat).where(Seat.match_id == match_id).order_by(Seat.number)
        return {seat.name: seat for seat in db.session.scalars(rows)}


def deadline_of(app: Flask, match_id: int, name: str) -> datetime:
    """Return when the time of somebody who is on turn runs out."""
    deadline = seats(app, match_id)[name].deadline_at
    assert deadline is not None
    return deadline


def asked(app: Flask, match_id: int) -> list[str]:
    """Return who is on turn."""
    return [name for name, seat in seats(app, match_id).items() if seat.on_turn]


def change_seat(app: Flask, match_id: int, name: str, **values: object) -> None:
    """Change what is known of somebody's seat."""
    with app.app_context(), writing() as tx:
        user_id = tx.scalars(select(User.id).where(User.name == name)).one()
        theirs = (Seat.match_id == match_id, Seat.user_id == user_id)
        tx.execute(update(Seat).where(*theirs).values(values))


def run_out(app: Flask, match_id: int, name: str) -> None:
    """Let somebody's time run out, and the worker see it."""
    late = now() - timedelta(seconds=1)
    change_seat(app, match_id, name, deadline_at=late)
    timeouts.play_for_the_late(app)
    # The worker of a server that runs beside this may have been faster.
    wait_until(lambda: seats(app, match_id)[name].deadline_at != late)


def miss_turns(app: Flask, match_id: int, name: str, turns: int = 3) -> None:
    """Let everybody's time run out until so many turns were played for somebody."""
    while seats(app, match_id)[name].missed < turns:
        waiting = asked(app, match_id)
        run_out(app, match_id, name if name in waiting else waiting[0])
        for other in seats(app, match_id):
            if other != name and seats(app, match_id)[other].missed:
                change_seat(app, match_id, other, missed=0)


def makers(app: Flask, match_id: int) -> list[str]:
    """Return who made each move, a player being ""."""
    with app.app_context():
        rows = select(Move.made_by).where(Move.match_id == match_id).order_by(Move.number)
        return list(db.session.scalars(rows))


def bots_are_due(app: Flask) -> None:
    """Let every bot that thinks be due now."""
    with app.app_context(), writing() as tx:
        past: datetime = now() - timedelta(seconds=1)
        tx.execute(update(Seat).where(Seat.acts_at.is_not(None)).values(acts_at=past))


def thinker(choose: Callable[..., Any] = lambda view, moves, rng: rng.choice(moves)) -> Bot:
    """Return a bot that takes its time."""
    return Bot("Ponder", "Thinks it over.", choose, thinks=True)
