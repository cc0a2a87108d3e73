"""Time controls: how much time people give each other for a turn, and what is left of it.

The pace of a match is the key of its time control.
"""

from datetime import datetime, timedelta
from math import ceil
from typing import NamedTuple

from stockpile_web.match.waking_hours import A_DAY, Hours, run_out, used

NO_TIME = timedelta()
REMIND_AFTER = 0.75  # Of the time, so that a quarter is left.


class TimeControl(NamedTuple):
    """Time for each turn, and a bank for the whole match out of which late turns are paid."""

    title: str
    help: str
    turn: timedelta = NO_TIME  # None at all: there is no clock.
    bank: timedelta = NO_TIME
    sleeps: bool = True  # Its clocks run only while people are awake; 24 hours are a waking day.

    @property
    def counts_down(self) -> bool:
        """Whether a turn is so short that people watch the clock."""
        return NO_TIME < self.turn < A_DAY


TIME_CONTROLS = {
    "live": TimeControl(
        "Live: everyone is at the table",
        "Five minutes for each turn, and a spare quarter of an hour for the whole match.",
        timedelta(minutes=5),
        timedelta(minutes=15),
        sleeps=False,
    ),
    "day": TimeControl(
        "A day for a turn",
        "Asked on Monday at five, you have until Tuesday at five. Two spare days for the match.",
        A_DAY,
        2 * A_DAY,
    ),
    "three_days": TimeControl(
        "Three days for a turn",
        "Three days for each turn, and three spare ones for the whole match.",
        3 * A_DAY,
        3 * A_DAY,
    ),
    "week": TimeControl(
        "A week for a turn",
        "Seven days for each turn, and seven spare ones for the whole match.",
        7 * A_DAY,
        7 * A_DAY,
    ),
    "none": TimeControl(
        "No hurry at all", "There is no clock: a turn may take as long as it takes."
    ),
}


def full_bank(pace: str) -> int:
    """Return the seconds in a seat's bank when a match begins."""
    return int(TIME_CONTROLS[pace].bank.total_seconds())


def run_outs(
    control: TimeControl, bank: int, hours: Hours, start: datetime
) -> tuple[datetime, datetime]:
    """Return when the time of a turn and of the bank runs out, and when a quarter of it is left."""
    whole = hours.of_mine(control.turn + timedelta(seconds=bank))
    most = whole * REMIND_AFTER
    remind = run_out(start, most, hours)
    return run_out(remind, whole - most, hours), remind


def bank_after(
    control: TimeControl, bank: int, hours: Hours, start: datetime, moved_at: datetime
) -> int:
    """Return what is left in the bank of whoever was asked at `start` and moved only now."""
    taken = A_DAY * (used(start, moved_at, hours) / hours.waking_day)
    over = ceil((taken - control.turn).total_seconds())
    return min(bank, max(0, bank - over))
