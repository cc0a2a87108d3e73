"""The worker's duties: when each is due, and what does some of it."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from flask import Flask
from sqlalchemy import ScalarSelect

from stockpile_web.notify import digest, telegram_links
from stockpile_web.notify.lanes import LANES
from stockpile_web.storage import due_notices, mail_queue, send_queue
from stockpile_web.worker import (
    account_mails,
    backups,
    bots,
    guests,
    notices,
    reckoning,
    reviews,
    timeouts,
)
from stockpile_web.worker.thinkers import Thinkers


class Duty(NamedTuple):
    """Something to do whenever it is due. Several workers share it by what `work` writes down."""

    name: str
    due: ScalarSelect[Any]  # A moment: when there is something to do next.
    work: Callable[[Flask], object]  # Do some of it, and tell whether there may be more.
    threads: int = 1
    niceness: int = 0
    setting: str = ""  # Without it nobody does this here.
    longest: float = 600.0  # Seconds that one `work` takes; a thread that takes more hangs.


# Where bots think in a thread of the worker, whoever waits for a page goes first.
BOTS = Duty("bots", bots.NEXT, bots.let_a_bot_think, niceness=5)

DUTIES = (
    Duty("notices", due_notices.NEXT, notices.queue_once),
    *(
        Duty(
            f"sending, {lane.name}",
            send_queue.next_due(lane.name),
            partial(notices.send_once, lane),
            lane.threads,
        )
        for lane in LANES
    ),
    Duty("mails about accounts", mail_queue.NEXT, account_mails.send_next),
    Duty("messages of the day", digest.NEXT, digest.queue_due_digests),
    Duty("chats to link", telegram_links.NEXT, telegram_links.poll_updates),
    BOTS,
    Duty("clocks", timeouts.NEXT_DEADLINE, timeouts.play_for_the_late),
    Duty("reminders", timeouts.NEXT_REMINDER, timeouts.remind_the_late),
    Duty("results", reckoning.NEXT, reckoning.reckon_next, niceness=10),
    Duty("reviews", reviews.NEXT, reviews.look_on, niceness=15),
    Duty("guests", guests.NEXT, guests.remove_next, niceness=10),
    Duty(
        "backups",
        backups.NEXT,
        backups.make_next,
        niceness=15,
        setting="BACKUPS",
        longest=backups.LEASE.total_seconds(),
    ),
)


def with_thinkers(thinkers: Thinkers) -> tuple[Duty, ...]:
    """Return the duties with bots that think in processes of their own, if there are any."""
    if not thinkers.count:
        return DUTIES
    let_think = partial(bots.let_a_bot_think, think=thinkers.think)
    # A thread only leases and moves: it must not be put off while it holds a lock.
    elsewhere = BOTS._replace(work=let_think, threads=thinkers.count, niceness=0)
    return tuple(elsewhere if duty is BOTS else duty for duty in DUTIES)
