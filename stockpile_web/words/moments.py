"""Moments in words, in the zone of the person who reads them."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo


def day(moment: datetime, zone: str) -> str:
    """Say a moment as a calendar and a clock in `zone` show it: 7 Nov 2026, 14:02."""
    local = moment.astimezone(ZoneInfo(zone))
    return f"{local.day} {local:%b %Y, %H:%M}"


def calendar_day(day: date) -> str:
    """Say a day: Sat 7 Nov 2026."""
    return f"{day:%a} {day.day} {day:%b %Y}"


def due(moment: datetime, zone: str) -> str:
    """Say a moment to come with its weekday, as it is in `zone`: Sat 7 Nov, 14:02."""
    local = moment.astimezone(ZoneInfo(zone))
    return f"{local:%a} {local.day} {local:%b, %H:%M}"


def iso(moment: datetime) -> str:
    """Write a moment as an attribute `datetime` may hold it: 2026-11-07T14:02:00Z."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def span(seconds: int) -> str:
    """Say how long something lasts: 1.5 days, or 12 minutes."""
    if seconds < 7200:
        return f"{seconds // 60} minutes"
    return "1 day" if seconds == 86_400 else f"{seconds / 86_400:.2g} days"


def about(seconds: int) -> str:
    """Say roughly how long something takes: 40 seconds, 12 minutes, 5 hours, 3 days."""
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1)):
        count = max(1, round(seconds / length))
        if seconds >= 2 * length or unit == "second":
            break
    return f"{count} {unit}{'' if count == 1 else 's'}"
