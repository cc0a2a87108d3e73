"""Clocks that run only while somebody is awake: moments, hours and days, and nothing else."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

EVERY_DAY = "1234567"
A_DAY = timedelta(days=1)
AN_HOUR = timedelta(hours=1)


class Hours(NamedTuple):
    """When somebody is awake. A waking day belongs to the weekday on which it begins."""

    zone: str = "UTC"
    begin: int = 0  # Hours of their own clock; the same twice is all day and all night.
    end: int = 0
    days: str = EVERY_DAY  # Monday is 1.
    away: tuple[tuple[date, date], ...] = ()  # Vacations: the first and the last day of each.

    @property
    def waking_day(self) -> timedelta:
        """How long they are awake on an ordinary day."""
        return AN_HOUR * ((self.end - self.begin) % 24 or 24)

    def of_mine(self, time: timedelta) -> timedelta:
        """Return how long they are awake in `time`, of which 24 hours are one waking day."""
        return self.waking_day * (time / A_DAY)

    def is_awake_on(self, day: date) -> bool:
        """Tell whether this is one of their days."""
        if str(day.isoweekday()) not in self.days:
            return False
        return not any(first <= day <= last for first, last in self.away)


ALWAYS = Hours()


def run_out(start: datetime, time: timedelta, hours: Hours) -> datetime:
    """Return when somebody will have been awake for `time` since `start`."""
    for begin, end in _awake(start, hours):
        if end - begin >= time:
            return begin + time
        time -= end - begin
    raise AssertionError("There is always a tomorrow.")


def used(start: datetime, until: datetime, hours: Hours) -> timedelta:
    """Return how long somebody was awake from `start` until a later moment."""
    time = timedelta()
    for begin, end in _awake(start, hours):
        if begin >= until:
            break
        time += min(end, until) - begin
    return time


def local_day(moment: datetime, zone: str) -> date:
    """Return which day it is for somebody."""
    return moment.astimezone(_zone(zone)).date()


def _awake(start: datetime, hours: Hours) -> Iterator[tuple[datetime, datetime]]:
    """Yield from when until when somebody is awake, from `start` on for ever."""
    zone = _zone(hours.zone)
    since = start.astimezone(UTC)
    day = since.astimezone(zone).date() - A_DAY  # A waking day may last until the day after.
    ends_later = A_DAY if hours.end <= hours.begin else timedelta()
    while True:
        if hours.is_awake_on(day):
            # Not before the last one has ended: where a zone changes sides, a day may come twice.
            begin = max(since, _moment(day, hours.begin, zone))
            end = _moment(day + ends_later, hours.end, zone)
            if begin < end:
                yield begin, end
                since = end
        day += A_DAY


def _moment(day: date, hour: int, zone: ZoneInfo) -> datetime:
    """Return in UTC, where alone times can be subtracted, when a clock shows this hour."""
    return datetime(day.year, day.month, day.day, hour, tzinfo=zone).astimezone(UTC)


@cache
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)
