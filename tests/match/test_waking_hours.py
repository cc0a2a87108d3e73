"""Clocks that run only while somebody is awake: when clocks change, at night, on vacation."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stockpile_web.match.waking_hours import ALWAYS, Hours, run_out, used

# The same examples in every run, however slow the machine.
steady = settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])

A_DAY, AN_HOUR, A_MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
SECOND = timedelta(seconds=1)

# Clocks change by an hour, by half an hour, at midnight, the other way round, or never.
ZONES = (
    "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago",
    "Pacific/Auckland", "Asia/Kathmandu", "Africa/Casablanca", "Asia/Beirut",
)  # fmt: skip
MOMENTS = st.datetimes(
    datetime(2024, 1, 1), datetime(2028, 1, 1), timezones=st.just(UTC), allow_imaginary=False
)
TIMES = st.timedeltas(SECOND, timedelta(days=9))
DAYS = st.sets(st.sampled_from("1234567"), min_size=1).map(lambda days: "".join(sorted(days)))
VACATIONS = st.lists(
    st.tuples(st.dates(date(2024, 1, 1), date(2028, 1, 1)), st.integers(0, 30)), max_size=4
).map(lambda found: tuple((first, first + A_DAY * days) for first, days in found))
HOURS = st.builds(
    Hours, st.sampled_from(ZONES), st.integers(0, 23), st.integers(0, 23), DAYS, VACATIONS
)


def berlin(year, month, day, hour=0, minute=0):
    return datetime(year, month, day, hour, minute, tzinfo=ZoneInfo("Europe/Berlin"))


@steady
@given(MOMENTS, TIMES, HOURS)
def test_exactly_the_given_time_is_used_when_it_has_run_out(start, time, hours):
    end = run_out(start, time, hours)
    assert used(start, end, hours) == time
    assert used(start, end - SECOND, hours) == time - SECOND


@steady
@given(MOMENTS, TIMES, TIMES, HOURS)
def test_time_taken_in_two_parts_is_the_same_time(start, first, second, hours):
    assert run_out(run_out(start, first, hours), second, hours) == run_out(
        start, first + second, hours
    )


@steady
@given(MOMENTS, TIMES, TIMES, HOURS)
def test_what_is_used_adds_up_and_is_never_more_than_has_passed(start, first, second, hours):
    middle, end = start + first, start + first + second
    assert used(start, middle, hours) + used(middle, end, hours) == used(start, end, hours)
    assert used(start, end, hours) <= end - start


@steady
@given(MOMENTS, TIMES)
def test_a_clock_that_never_sleeps_is_a_plain_clock(start, time):
    assert run_out(start, time, ALWAYS) == start + time


@steady
@given(MOMENTS, TIMES, st.sampled_from(ZONES), st.integers(0, 23))
def test_round_the_clock_nothing_is_lost_when_clocks_change(start, time, zone, hour):
    assert run_out(start, time, Hours(zone, hour, hour)) == start + time


@steady
@given(MOMENTS, TIMES, HOURS)
def test_time_never_runs_out_in_sleep_or_on_vacation(start, time, hours):
    # A moment before it ran out somebody was awake, by the calendar on their wall.
    last = (run_out(start, time, hours) - SECOND).astimezone(ZoneInfo(hours.zone))
    hour = last.hour + last.minute / 60
    spans_midnight = hours.end <= hours.begin
    after_midnight = spans_midnight and hour < hours.begin
    day = last.date() - A_DAY if after_midnight else last.date()
    assert str(day.isoweekday()) in hours.days
    assert not any(first <= day <= final for first, final in hours.away)
    if spans_midnight:
        assert hour >= hours.begin or hour < hours.end or _changes(last)
    else:
        assert hours.begin <= hour < hours.end or _changes(last)


def _changes(moment):
    """Tell whether the clocks of this zone change within hours of a moment."""
    around = [(moment.astimezone(UTC) + AN_HOUR * n).astimezone(moment.tzinfo) for n in (-3, 3)]
    return around[0].utcoffset() != around[1].utcoffset()


@steady
@given(MOMENTS, st.integers(1, 9), st.integers(5, 12), st.integers(13, 23), DAYS)
def test_so_many_waking_days_end_at_the_same_hour_so_many_waking_days_later(
    start, count, begin, end, days
):
    hours = Hours("Europe/Berlin", begin, end, days)
    start = run_out(start, A_MINUTE, hours)  # From now on, somebody is awake.
    time = hours.of_mine(A_DAY * count)
    found = run_out(start, time, hours)
    local, then = (moment.astimezone(ZoneInfo("Europe/Berlin")) for moment in (start, found))
    is_at_the_very_end = local.hour == end and local.minute == local.second == 0
    assert is_at_the_very_end or (then.hour, then.minute) == (local.hour, local.minute)
    passed = [local.date() + A_DAY * n for n in range((then.date() - local.date()).days)]
    assert sum(str(day.isoweekday()) in days for day in passed) == count


@pytest.mark.parametrize(
    ("start", "runs_out"),
    [
        (berlin(2026, 3, 28, 12), berlin(2026, 3, 29, 12)),  # The night of 23 hours.
        (berlin(2026, 10, 24, 12), berlin(2026, 10, 25, 12)),  # The night of 25 hours.
        (berlin(2026, 6, 5, 12), berlin(2026, 6, 6, 12)),
        (berlin(2026, 6, 5, 3), berlin(2026, 6, 5, 23)),  # It waits for the morning.
        (berlin(2026, 6, 5, 23, 30), berlin(2026, 6, 6, 23)),
    ],
)
def test_a_day_for_a_turn_ends_at_the_same_hour_tomorrow(start, runs_out):
    hours = Hours("Europe/Berlin", 8, 23)
    assert run_out(start, hours.of_mine(A_DAY), hours) == runs_out


def test_over_midnight_the_waking_day_belongs_to_the_evening_it_begins_on():
    fridays = Hours("Europe/Berlin", 20, 2, "5")
    assert used(berlin(2026, 6, 5), berlin(2026, 6, 8), fridays) == 6 * AN_HOUR
    assert used(berlin(2026, 6, 6), berlin(2026, 6, 8), fridays) == 2 * AN_HOUR  # Saturday night.


def test_in_the_night_when_clocks_change_real_hours_count():
    owl = Hours("Europe/Berlin", 22, 6)
    assert used(berlin(2026, 3, 28, 12), berlin(2026, 3, 29, 12), owl) == 7 * AN_HOUR
    assert used(berlin(2026, 10, 24, 12), berlin(2026, 10, 25, 12), owl) == 9 * AN_HOUR


def test_a_clock_stands_still_on_vacation_and_runs_on_afterwards():
    hours = Hours("Europe/Berlin", 8, 23, away=((date(2026, 6, 6), date(2026, 6, 19)),))
    start = berlin(2026, 6, 5, 12)
    assert run_out(start, hours.of_mine(A_DAY), hours) == berlin(2026, 6, 20, 12)


def test_a_week_of_weekends_takes_many_weeks():
    hours = Hours("Europe/Berlin", 8, 23, "67")
    start = berlin(2026, 6, 6, 12)  # A Saturday.
    assert run_out(start, hours.of_mine(7 * A_DAY), hours) == berlin(2026, 6, 28, 12)
