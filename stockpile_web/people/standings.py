"""The standings of a group over its own finished matches, and which tables it has.

Everything here is for the members alone: most tables of a group are listed to nobody else.
"""

from collections.abc import Sequence
from datetime import timedelta
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, case, func, select
from sqlalchemy.orm import Session, defer, selectinload

from stockpile_web.people import Database
from stockpile_web.storage.database import now
from stockpile_web.storage.models.acquaintances import Member
from stockpile_web.storage.models.matches import OVER, Match, Seat
from stockpile_web.storage.models.people import User
from stockpile_web.storage.names import isolated

MOST_COUNTED = 5000  # Matches, the newest.
LATELY = timedelta(days=90)


class Standing(NamedTuple):
    """What a member has done in a game among their own."""

    name: str
    played: int
    won: int
    average: float  # Of their places.


def standings(database: Database, group_id: int, *, lately: bool) -> dict[str, list[Standing]]:
    """Return by game how its members stand: whoever has won most comes first."""
    newest = select(Match.id, Match.game).where(*_finished(group_id), ~Match.practice)
    if lately:
        newest = newest.where(Match.ended_at > now() - LATELY)
    counted = newest.order_by(Match.ended_at.desc()).limit(MOST_COUNTED).subquery()
    won = func.sum(case((Seat.place == 1, 1), else_=0)).label("won")
    average = func.avg(Seat.place).label("average")
    rows = database.execute(
        select(counted.c.game, User.name, func.count().label("played"), won, average)
        .join(Seat, Seat.match_id == counted.c.id)
        .join(Member, (Member.user_id == Seat.user_id) & (Member.group_id == group_id))
        .join(User, User.id == Seat.user_id)
        .where(Seat.place.is_not(None))
        .group_by(counted.c.game, User.id, User.name, User.name_key)
        .order_by(counted.c.game, won.desc(), average, User.name_key)
    )
    return {
        game: [
            Standing(isolated(row.name), row.played, int(row.won), float(row.average))
            for row in theirs
        ]
        for game, theirs in groupby(rows, lambda row: row.game)
    }


def unfinished(session: Session, group_id: int, most: int) -> list[Match]:
    """Return the tables of a group at which something is still to be played, the newest first."""
    which = (Match.group_id == group_id, Match.ended_at.is_(None))
    return _matches(session, which, (Match.id.desc(),), most)


def _finished(group_id: int) -> tuple[ColumnElement[bool], ...]:
    return Match.group_id == group_id, Match.ended_at.is_not(None), Match.status == OVER


def _matches(
    session: Session,
    which: Sequence[Any],
    order: Sequence[Any],
    most: int,
) -> list[Match]:
    seats = selectinload(Match.seats).selectinload(Seat.user)
    unread = (defer(Match.state), defer(Match.seed), defer(Match.undo))
    query = select(Match).where(*which).options(seats, *unread).order_by(*order).limit(most)
    return list(session.scalars(query))
