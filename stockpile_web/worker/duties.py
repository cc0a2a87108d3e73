"""The worker's duties: when each is due, and what does some of it."""

from collections.abc import Callable
from typing import Any, NamedTuple

from flask import Flask
from sqlalchemy import ScalarSelect

from stockpile_web import standins
from stockpile_web.notify import chats, daily
from stockpile_web.notify import worker as notices
from stockpile_web.storage import outbox


class Duty(NamedTuple):
    """Something to do whenever it is due. Several workers share it by what `work` writes down."""

    name: str
    due: ScalarSelect[Any]  # A moment: when there is something to do next.
    work: Callable[[Flask], object]  # Do some of it, and tell whether there may be more.
    threads: int = 1
    niceness: int = 0


DUTIES = (
    Duty("notices", outbox.NEXT, notices.work_once, notices.THREADS),
    Duty("messages of the day", daily.NEXT, daily.take_up_due),
    Duty("chats to link", chats.NEXT, chats.listen),
    # Whoever waits for a page goes first.
    Duty("bots", standins.NEXT_BOT, standins.let_a_bot_think, niceness=5),
    Duty("clocks", standins.NEXT_DEADLINE, standins.play_for_the_late),
    Duty("reminders", standins.NEXT_REMINDER, standins.remind_the_late),
)
