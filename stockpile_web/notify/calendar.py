"""A calendar that programs fetch from a secret address: when a person's time at a table runs out.

It is written by hand, as RFC 5545 has it: a library would be a hundred times as long as this.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

# How long before the end of somebody's time an entry begins: calendars show no shorter ones well.
ENTRY = timedelta(minutes=30)
LONGEST_LINE = 75  # Bytes.


class Deadline(NamedTuple):
    """A table that waits for a person, and until when."""

    match_id: int
    title: str
    at: datetime
    link: str


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
    words = f"Your time at table {deadline.match_id} ({deadline.title}) runs out"
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
