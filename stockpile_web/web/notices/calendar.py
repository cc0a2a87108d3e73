"""A calendar that programs fetch from a secret address: when a person's time at a table runs out.

It is written by hand, as RFC 5545 has it: a library would be a hundred times as long as this.
"""

import secrets
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlsplit

from flask import Response, abort, current_app, request, url_for
from flask.typing import ResponseReturnValue
from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import select

from stockpile_web.notify import recipients
from stockpile_web.notify.composing import table_in_words
from stockpile_web.notify.smtp import site_url
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models.matches import PLAYING, Match, Seat
from stockpile_web.storage.models.notices import Choice
from stockpile_web.storage.models.people import User
from stockpile_web.storage.transactions import writing
from stockpile_web.web.auth import me, sign_in_needed
from stockpile_web.web.notices.blueprint import bp, done

# How long before the end of somebody's time an entry begins: calendars show no shorter ones well.
ENTRY = timedelta(minutes=30)
LONGEST_LINE = 75  # Bytes.


class Deadline(NamedTuple):
    """A table that waits for a person, and until when."""

    match_id: int
    table: str  # In words.
    at: datetime
    link: str


@bp.get("/calendar/<token>.ics")
def show_calendar(token: str) -> ResponseReturnValue:
    """Give a person's calendar to whoever knows its address; programs that fetch it sign in not."""
    user_id = _whose(token)
    if user_id is None:
        abort(404)
    text = feed(_deadlines_of(user_id), now(), urlsplit(site_url()).hostname or "localhost")
    return Response(text, content_type="text/calendar; charset=utf-8")


@bp.post("/notices/calendar")
@sign_in_needed
def change_calendar() -> ResponseReturnValue:
    """Make an address for my calendar, or a new one; the old one then leads nowhere."""
    wanted = request.form.get("do") != "remove"
    with writing() as tx:
        choice = recipients.stored_choice(tx, me().id)
        choice.calendar = secrets.token_urlsafe(16) if wanted else ""
    return done("Your calendar has a new address." if wanted else "Your calendar has no address.")


def address_of(choice: Choice) -> str:
    """Return the secret address of a person's calendar; empty if they have none."""
    if not choice.calendar:
        return ""
    token = _signer().dumps([choice.user_id, choice.calendar])
    return site_url() + url_for("notices.show_calendar", token=token)


def _whose(token: str) -> int | None:
    """Return whose calendar an address leads to; the database alone does not tell addresses."""
    try:
        user_id, calendar = _signer().loads(token)
    except BadSignature:
        return None
    theirs = (
        select(Choice.user_id)
        .join(User, User.id == Choice.user_id)
        .where(Choice.user_id == user_id, Choice.calendar == calendar, Choice.calendar != "")
        .where(User.suspended_at.is_(None))
    )
    return db.session.scalar(theirs)


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt="calendar")


def _deadlines_of(user_id: int) -> list[Deadline]:
    waiting = (
        select(Match.id, Match.name, Match.game, Seat.deadline_at)
        .join(Seat, Seat.match_id == Match.id)
        .where(Seat.user_id == user_id, Seat.on_turn, Seat.bot.is_(None))
        .where(Match.status == PLAYING, Seat.deadline_at.is_not(None))
        .order_by(Seat.deadline_at)
    )
    return [
        Deadline(
            number,
            table_in_words(name, number, game),
            at,
            site_url() + url_for("table.show", match_id=number),
        )
        for number, name, game, at in db.session.execute(waiting)
        if at is not None
    ]


def feed(deadlines: Iterable[Deadline], moment: datetime, site: str) -> str:
    """Return the calendar as it is at `moment`; `site` is the host whose tables these are."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Stockpile Web//Deadlines//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        "X-WR-CALNAME:Stockpile Web",
        # Two names for one wish: look again every quarter of an hour.
        "REFRESH-INTERVAL;VALUE=DURATION:PT15M",
        "X-PUBLISHED-TTL:PT15M",
    ]
    for deadline in deadlines:
        lines += _entry(deadline, moment, site)
    lines.append("END:VCALENDAR")
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _entry(deadline: Deadline, moment: datetime, site: str) -> list[str]:
    words = f"Your time at {deadline.table} runs out"
    return [
        "BEGIN:VEVENT",
        f"UID:table-{deadline.match_id}@{site}",
        f"DTSTAMP:{_stamp(moment)}",
        f"DTSTART:{_stamp(deadline.at - ENTRY)}",
        f"DTEND:{_stamp(deadline.at)}",
        f"SUMMARY:{_text(words)}",
        f"DESCRIPTION:{_text(deadline.link)}",
        f"URL:{deadline.link}",
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
    ]


def _stamp(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(words: str) -> str:
    """Write words so that nothing in them is taken for a sign of the format."""
    for sign in "\\;,":
        words = words.replace(sign, f"\\{sign}")
    return words.replace("\r", "").replace("\n", "\\n")


def _folded(line: str) -> Iterator[str]:
    """Cut a line into parts of at most 75 bytes, and no letter in two; each but the first is
    begun with a space."""
    part = ""
    for letter in line:
        if len(f"{part}{letter}".encode()) > LONGEST_LINE:
            yield part
            part = " "
        part += letter
    yield part
