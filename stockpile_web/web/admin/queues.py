"""What waits to be sent, is tried again or was not taken: never what it says."""

from typing import Any, NamedTuple

from flask import flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from stockpile_web.notify.channels import CHANNELS
from stockpile_web.notify.lanes import LANES
from stockpile_web.storage import audit, due_notices, mail_queue, send_queue
from stockpile_web.storage.database import db
from stockpile_web.storage.models import AccountMail, Delivery, Notice, SendJob, User
from stockpile_web.storage.models.notices import (
    BROKEN,
    CLOSING,
    ENDED,
    FAILED,
    INVITED,
    MENTION,
    NEAR,
    REMATCH,
    STARTED,
    TURN,
)
from stockpile_web.storage.models.people import CHANGED, CONFIRM, LINK, LINK_ASKED
from stockpile_web.storage.transactions import writing
from stockpile_web.web.admin.blueprint import bp
from stockpile_web.web.auth import me

SHOWN = 50  # Of each list.
LOOKED_AT = 1000  # The latest messages, among which those are found that were not taken.

EVENTS = {
    TURN: "a turn",
    NEAR: "time that runs out",
    MENTION: "a call in a chat",
    CLOSING: "a question whether to close a match",
    STARTED: "a match that has begun",
    ENDED: "a match that is over",
    REMATCH: "a rematch",
    INVITED: "an invitation",
    BROKEN: "a table that cannot be shown",
    None: "a test",
}
MAILS = {
    LINK_ASKED: "somebody has forgotten their password",
    LINK: "a link for a new password",
    CHANGED: "that an account was changed",
    CONFIRM: "a link to confirm an address",
}
_IN_LANES = SendJob.lane.in_([lane.name for lane in LANES])
_NEWEST = select(Delivery.id).order_by(Delivery.id.desc()).limit(1).scalar_subquery()
_NOT_TAKEN = (Delivery.id > _NEWEST - LOOKED_AT, ~Delivery.accepted)


class Waiting(NamedTuple):
    """What waits at one channel."""

    channel: str
    waiting: int
    tried: int  # So many of them were tried before.


@bp.get("/queues")
def queues() -> ResponseReturnValue:
    """Show what waits, what is tried again, and what was not taken lately."""
    return render_template(
        "admin/queues.html",
        channels=waiting_by_channel(),
        not_queued=notices_not_queued(),
        jobs=_jobs(),
        mails=_mails(),
        failures=_failures(),
        labels={kind: channel.LABEL for kind, channel in CHANNELS.items()},
        events=EVENTS,
        kinds=MAILS,
        looked_at=LOOKED_AT,
        shown=SHOWN,
    )


@bp.post("/queues/<any(job, mail):kind>/<int:number>/<any(retry, drop):act>")
def change_queue(kind: str, number: int, act: str) -> ResponseReturnValue:
    """Have a notice, or a mail about an account, tried now, or not at all any more."""
    with writing() as tx:
        if act == "retry":
            is_done = (send_queue if kind == "job" else mail_queue).hurry(tx, number)
        elif kind == "mail":
            is_done = mail_queue.drop(tx, number)
        else:
            is_done = _drop_job(tx, number)
        if is_done:
            audit.note(tx, me().id, "tried again" if act == "retry" else "dropped")
    if not is_done:
        flash("It is gone already, or a worker is at it just now.", "error")
    else:
        flash("It is tried now." if act == "retry" else "It is dropped.")
    return redirect(url_for("admin.queues"), 303)


def _drop_job(tx: Session, number: int) -> bool:
    is_done, notice = send_queue.drop(tx, number)
    if notice is not None:
        due_notices.lock(tx, [notice])
        due_notices.settle(tx, [notice], FAILED)
    return is_done


def waiting_by_channel() -> list[Waiting]:
    """Count what is on the queues."""
    tried = func.count().filter(SendJob.attempts > 0)
    found = select(SendJob.kind, func.count(), tried).where(_IN_LANES).group_by(SendJob.kind)
    return [
        Waiting(CHANNELS[kind].LABEL if kind in CHANNELS else kind, *counts)
        for kind, *counts in db.session.execute(found.order_by(SendJob.kind))
    ]


def notices_not_queued() -> int:
    """Count the notices that no channel has to send yet."""
    due = select(func.count()).where(Notice.done_at.is_(None), ~Notice.queued)
    return db.session.scalar(due) or 0


def mails_waiting() -> int:
    """Count the mails about accounts that wait."""
    return db.session.scalar(select(func.count()).select_from(AccountMail)) or 0


def not_taken_lately() -> int:
    """Count which of the latest messages were not taken."""
    return db.session.scalar(select(func.count(Delivery.id)).where(*_NOT_TAKEN)) or 0


def _jobs() -> list[dict[str, Any]]:
    """Return what falls due next on the queues of channels, and why it was not taken before."""
    rows = db.session.execute(
        select(SendJob, User, Notice.event)
        .join(User, User.id == SendJob.user_id)
        .outerjoin(Notice, Notice.id == SendJob.notice_id)
        .where(_IN_LANES)
        .order_by(SendJob.due_at)
        .limit(SHOWN)
    )
    return [
        {"job": job, "user": user, "event": event, "answer": _answer(job) if job.attempts else ""}
        for job, user, event in rows
    ]


def _answer(job: SendJob) -> str:
    """Return what the other side said when it last took nothing of this person's channel."""
    theirs = (Delivery.user_id == job.user_id, Delivery.kind == job.kind, ~Delivery.accepted)
    newest = select(Delivery.answer).where(*theirs).order_by(Delivery.sent_at.desc()).limit(1)
    return db.session.scalar(newest) or ""


def _mails() -> list[tuple[AccountMail, User | None]]:
    mails = select(AccountMail, User).outerjoin(User, User.id == AccountMail.user_id)
    rows = db.session.execute(mails.order_by(AccountMail.due_at).limit(SHOWN))
    return [(mail, user) for mail, user in rows]


def _failures() -> list[tuple[Delivery, User]]:
    found = select(Delivery, User).join(User, User.id == Delivery.user_id).where(*_NOT_TAKEN)
    rows = db.session.execute(found.order_by(Delivery.id.desc()).limit(SHOWN))
    return [(line, user) for line, user in rows]
