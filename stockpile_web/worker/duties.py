"""The worker's duties: how each knows that it is due, and does some of what is."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from flask import Flask
from sqlalchemy.orm import Session

from stockpile_web import standins
from stockpile_web.notify import chats, daily, outbox
from stockpile_web.notify import worker as notices


class Duty(NamedTuple):
    """Something to do whenever it is due. Several workers share it by what `work` writes down."""

    name: str
    next_due: Callable[[Session], datetime | None]
    work: Callable[[Flask], object]  # Do some of it, and tell whether there may be more.
    poll: float  # Look so often, in seconds, whether something has become due.
    threads: int = 1


DUTIES = (
    # Looked for more often than a notice takes to settle: it is known of before it falls due.
    Duty("notices", outbox.next_due, notices.work_once, 0.8, notices.THREADS),
    Duty("messages of the day", daily.next_due, daily.take_up_due, 10.0),
    Duty("chats to link", chats.next_due, chats.listen, 2.0),
    Duty("bots", standins.next_bot, standins.let_a_bot_think, 0.15),
    Duty("clocks", standins.next_deadline, standins.play_for_the_late, 1.0),
    Duty("reminders", standins.next_reminder, standins.remind_the_late, 1.0),
)
