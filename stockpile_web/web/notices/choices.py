"""How and when each person is told: events, hours, channels, tests, and the delivery log."""

import secrets
from datetime import timedelta
from typing import Any

from flask import abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import select

from stockpile_web.notify import digest, lanes, recipients
from stockpile_web.notify.channels import CHANNELS, channels_here, push
from stockpile_web.storage import send_queue
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models.notices import (
    ALWAYS,
    BROKEN,
    CLOSING,
    ENDED,
    EVENTS,
    INVITED,
    MENTION,
    NEAR,
    OFF,
    REMATCH,
    SPARE,
    STARTED,
    TURN,
    Channel,
    Delivery,
    SendJob,
)
from stockpile_web.storage.models.people import User
from stockpile_web.storage.transactions import writing
from stockpile_web.web import rate_limits
from stockpile_web.web.auth import me, sign_in_needed
from stockpile_web.web.notices import calendar, push_devices, telegram
from stockpile_web.web.notices.blueprint import bp, done

NEWEST = 50
LONGEST_ADDRESS = 1000
DELAYS = (0, 2, 5, 15, 60, 240)
HOURS = range(24)
# These are not set up by typing an address.
BY_LINK = ("push", "telegram")
TESTS = rate_limits.Limit("test notice", 5, 15)
# So long after a test an open page looks for the answer by itself.
LOOK_FOR = timedelta(minutes=1)

EVENTS_IN_WORDS = {
    TURN: "It is my turn",
    NEAR: "My time for a turn runs out",
    MENTION: "Somebody calls me in a chat, by @ and my name",
    CLOSING: "I am asked whether to close a match",
    STARTED: "A match of mine has begun",
    ENDED: "A match of mine is over",
    REMATCH: "Somebody wants to play a match of mine again with the same people",
    INVITED: "Somebody whom I know invites me to a table",
    BROKEN: "A table that I host cannot be shown any more",
}
USES = {ALWAYS: "always", SPARE: "only if the others fail", OFF: "never"}


@bp.get("/notices/choices")
@sign_in_needed
def choices() -> ResponseReturnValue:
    """Show how I am told, and what was delivered."""
    return _page({}, 200)


@bp.post("/notices/choices")
@sign_in_needed
def choose() -> ResponseReturnValue:
    """Set of what I am told, and when."""
    form = request.form
    values: dict[str, Any] = {
        "events": " ".join(event for event in EVENTS if event in form.getlist("events")),
        "delay": _one_of(DELAYS, form.get("delay", "")),
        "quiet_from": _one_of(HOURS, form.get("quiet_from", "")),
        "quiet_to": _one_of(HOURS, form.get("quiet_to", "")),
        "daily_hour": _one_of(HOURS, form.get("daily_hour", "")),
    }
    hour = values["daily_hour"]
    values["daily_at"] = hour if hour is None else digest.next_time(hour, me().time_zone, now())
    values["delay"] = values["delay"] or 0
    with writing() as tx:
        choice = recipients.stored_choice(tx, me().id)
        for name, value in values.items():
            setattr(choice, name, value)
        if hour is None:
            digest.release_deferred(tx, me().id)
    return done("That is how you will be told.")


@bp.post("/notices/channels/<kind>")
@sign_in_needed
def set_channel(kind: str) -> ResponseReturnValue:
    """Set where a channel leads and when it is used; without an address it is removed."""
    channel_type = channels_here().get(kind) or abort(404)
    use = request.form.get("use", ALWAYS)
    address = request.form.get(f"{kind}-address", "").strip()
    if use not in USES:
        abort(400)
    wrong = "That is too long." if len(address) > LONGEST_ADDRESS else ""
    if address and (wrong := wrong or channel_type.check(address)):
        return _page({kind: wrong}, 422)
    with writing() as tx:
        channel = tx.scalar(_channel(kind))
        if channel_type.HINT and not address:
            if channel is not None:
                tx.delete(channel)
            return done(f"{channel_type.LABEL} is not used.")
        if channel is None and kind in BY_LINK:
            abort(404)
        if channel is None:
            channel = Channel(user_id=me().id, kind=kind, secret=secrets.token_hex(32))
            tx.add(channel)
        channel.use, channel.failures = use, 0
        if channel_type.HINT:
            channel.address = address
    return done(f"{channel_type.LABEL} is set.")


@bp.post("/notices/channels/<kind>/test")
@sign_in_needed
def test(kind: str) -> ResponseReturnValue:
    """Let a worker send me a test through a channel; the log shows what the other side answers."""
    try:
        rate_limits.count((TESTS, str(me().id)))
    except rate_limits.TooMany as refusal:
        flash(f"Those were many tests: please wait {refusal.wait} minutes.", "bad")
        return redirect(url_for("notices.choices"), 303)
    with writing() as tx:
        user = tx.get_one(User, me().id)
        if all(channel.kind != kind for channel in recipients.channels_of(tx, user)):
            abort(404)
        record = lanes.records(tx, [user.id], now())[user.id]
        send_queue.add(tx, [(user.id, None, kind, record.lane(kind).name)])
    return redirect(url_for("notices.choices", _anchor="log"), 303)


@bp.get("/notices/log")
@sign_in_needed
def show_log() -> ResponseReturnValue:
    """Show what was delivered: alone, for the page that waits for the answer to a test."""
    return render_template("notices/_log.html", **_log())


def _page(errors: dict[str, str], status: int) -> ResponseReturnValue:
    user = db.session.get_one(User, me().id)
    channels = {channel.kind: channel for channel in recipients.channels_of(db.session(), user)}
    choice = recipients.choice_of(db.session(), user)
    page = render_template(
        "notices/choices.html",
        errors=errors,
        choice=choice,
        calendar=calendar.address_of(choice),
        events=EVENTS_IN_WORDS,
        delays=DELAYS,
        hours=HOURS,
        uses=USES,
        channel_types=channels_here(),
        channels=channels,
        push_devices=push_devices.mine(),
        push_key=push.own_keys()[1],
        chat_link=telegram.my_link(),
        is_failing=recipients.is_failing,
        **_log(),
    )
    return page, status


def _log() -> dict[str, Any]:
    """Return what the delivery log shows, and what became of the test that I asked for last."""
    mine = select(Delivery).where(Delivery.user_id == me().id)
    newest = mine.order_by(Delivery.sent_at.desc(), Delivery.id.desc()).limit(NEWEST)
    deliveries = list(db.session.scalars(newest))
    tests = select(SendJob).where(SendJob.user_id == me().id, SendJob.notice_id.is_(None))
    waiting = db.session.scalars(tests.order_by(SendJob.id.desc())).first()
    return {
        "deliveries": deliveries,
        "test_status": _test_status(waiting, deliveries),
        "is_waiting": waiting is not None,
        "looks_again": waiting is not None and now() - waiting.made_at < LOOK_FOR,
        "labels": {kind: each.LABEL for kind, each in CHANNELS.items()},
    }


def _test_status(waiting: SendJob | None, deliveries: list[Delivery]) -> str:
    if waiting is not None:
        return (
            f"A test by {CHANNELS[waiting.kind].LABEL} is on its way: the answer will stand here."
        )
    if deliveries and deliveries[0].is_test:
        line = deliveries[0]
        taken = "taken" if line.accepted else "not taken"
        return f"The test was {taken}. {CHANNELS[line.kind].LABEL} answered: {line.answer}"
    return ""


def _channel(kind: str) -> Any:
    return select(Channel).where(Channel.user_id == me().id, Channel.kind == kind)


def _one_of(numbers: tuple[int, ...] | range, text: str) -> int | None:
    return next((number for number in numbers if str(number) == text), None)
