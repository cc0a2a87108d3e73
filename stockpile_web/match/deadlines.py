"""The clocks of seats: set when a match moves on, and anew when their owners' hours change."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, select
from sqlalchemy.orm import Session

from stockpile_web import live
from stockpile_web.match.table_view import Chair
from stockpile_web.match.time_controls import NO_TIME, PACES, Pace, bank_after, run_outs
from stockpile_web.match.waking_hours import ALWAYS, AN_HOUR, Hours
from stockpile_web.storage.database import now
from stockpile_web.storage.models.matches import CLOCK, PLAYING, Match, Place
from stockpile_web.storage.models.people import User, Vacation

# A bot that thinks waits so long: people see one thing happen after the other.
AFTER_PERSON = timedelta(seconds=0.6)
AFTER_BOT = timedelta(seconds=0.1)
# Vacations that ended earlier than this no longer count for any clock.
LONG_AGO = timedelta(days=400)

NO_CLOCK = {"deadline_at": None, "remind_at": None, "acts_at": None}

# Written once: this is part of every move.
_HOURS = (
    select(
        User.id, User.time_zone, User.awake_from, User.awake_to, User.awake_days,
        Vacation.first_day, Vacation.last_day,
    )
    .outerjoin(
        Vacation, and_(Vacation.user_id == User.id, Vacation.last_day >= bindparam("long_ago"))
    )
    .where(User.id.in_(bindparam("people", expanding=True)))
)  # fmt: skip


class Turn(NamedTuple):
    """What the moves that are being saved have changed for a seat."""

    place: Chair  # As it was.
    is_on_turn: bool
    waits_anew: bool
    made_by: Collection[str]  # Who has moved for it; a person is "".
    thinks: bool  # The bot that drives it does.


def after_move(
    connection: Connection, pace: Pace, moment: datetime, turns: Sequence[Turn]
) -> list[dict[str, Any]]:
    """Return what is new of the clock of each seat."""
    people = {
        turn.place.user_id
        for turn in turns
        if turn.place.user_id and not turn.place.bot and (turn.waits_anew or turn.made_by)
    }
    hours = hours_of(connection, pace, moment, people)
    by_person = any("" in turn.made_by for turn in turns)
    acts_at = moment + (AFTER_PERSON if by_person else AFTER_BOT)
    return [_clock(turn, pace, moment, hours, acts_at) for turn in turns]


def hours_of(
    connection: Connection, pace: Pace, moment: datetime, people: Collection[int]
) -> dict[int, Hours]:
    """Return when each of these people is awake, as far as a pace asks for it."""
    if pace.turn == NO_TIME or not people:
        return {}
    if not pace.sleeps:
        return dict.fromkeys(people, ALWAYS)
    which = {"people": sorted(people), "long_ago": (moment - LONG_AGO).date()}
    found: dict[int, Hours] = {}
    for user_id, zone, begin, end, days, first, last in connection.execute(_HOURS, which):
        hours = found.get(user_id) or Hours(zone, begin, end, days)
        found[user_id] = hours._replace(away=(*hours.away, (first, last))) if first else hours
    return found


def set_clock(session: Session, match: Match, place: Place) -> None:
    """Let the clock of whoever sits here run from the beginning of their turn, if it is one."""
    place.stop_clock()
    if not place.on_turn or place.waiting_since is None or place.user_id is None:
        return
    pace = PACES[match.pace]
    hours = hours_of(session.connection(), pace, now(), [place.user_id])
    if hours:
        limits = run_outs(pace, place.bank, hours[place.user_id], place.waiting_since)
        place.deadline_at, place.remind_at = limits


def hours_changed(session: Session, user_id: int) -> None:
    """Set all clocks of a person anew by their new hours.

    That takes nobody's last hour away, and gives none to those who do it again and again.
    """
    session.flush()
    moment = now()
    theirs = (
        select(Match)
        .join(Place)
        .where(Place.user_id == user_id, Place.deadline_at.is_not(None), Match.status == PLAYING)
        .order_by(Match.id)
        .with_for_update(of=Match)
    )
    for match in session.scalars(theirs).unique().all():
        pace = PACES[match.pace]
        place = next(place for place in match.places if place.user_id == user_id)
        if not pace.sleeps or place.waiting_since is None or place.deadline_at is None:
            continue
        hours = hours_of(session.connection(), pace, moment, [user_id])[user_id]
        deadline, remind = run_outs(pace, place.bank, hours, place.waiting_since)
        place.deadline_at = max(deadline, min(place.deadline_at, moment + AN_HOUR))
        place.remind_at = remind if remind > moment else None
        match.chat_version += 1  # Open pages learn of it.
        live.notify_in(session, match.id)


def _clock(
    turn: Turn, pace: Pace, moment: datetime, hours: dict[int, Hours], acts_at: datetime
) -> dict[str, Any]:
    place = turn.place
    if turn.is_on_turn and not turn.waits_anew:
        return {}  # It runs on.
    clock: dict[str, Any] = {**NO_CLOCK, "bank": place.bank}
    mine = hours.get(place.user_id or 0)
    if CLOCK in turn.made_by:
        clock |= {"bank": 0, "missed": place.missed + 1}
    elif mine and turn.made_by and place.on_turn and place.waiting_since:
        clock["bank"] = bank_after(pace, place.bank, mine, place.waiting_since, moment)
    if "" in turn.made_by:
        clock["missed"] = 0
    if turn.is_on_turn and turn.thinks:
        clock["acts_at"] = acts_at
    elif turn.is_on_turn and mine:
        limits = run_outs(pace, clock["bank"], mine, moment)
        clock["deadline_at"], clock["remind_at"] = limits
    return clock
