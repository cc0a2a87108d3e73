"""Pushes, browser by browser: turning them on and off, and the site as an app on a phone."""

import re

from flask import current_app, jsonify, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import ColumnElement, delete, func, or_, select

from stockpile_web.notify.channels.post import what_is_wrong_with
from stockpile_web.storage.database import db, now
from stockpile_web.storage.models.notices import ALWAYS, Channel, PushDevice
from stockpile_web.storage.models.people import Device
from stockpile_web.storage.transactions import writing
from stockpile_web.web.auth import me, sign_in_needed
from stockpile_web.web.notices.blueprint import bp, done

MOST = 10
LONGEST_ENDPOINT = 1000

# What a browser gives: a point of the curve P-256, and sixteen bytes.
PUBLIC_KEY = re.compile(r"B[\w-]{86}", re.ASCII)
AUTH = re.compile(r"[\w-]{22}", re.ASCII)


def mine() -> list[PushDevice]:
    """Return the browsers on which I have turned pushes on, the newest first."""
    theirs = select(PushDevice).where(PushDevice.user_id == me().id)
    return list(db.session.scalars(theirs.order_by(PushDevice.id.desc())))


@bp.post("/notices/push")
@sign_in_needed
def add_device() -> ResponseReturnValue:
    """Turn pushes on for the browser that asks; an answer in words if that cannot be."""
    endpoint = request.form.get("endpoint", "")
    public_key, auth = request.form.get("public_key", ""), request.form.get("auth", "")
    if len(endpoint) > LONGEST_ENDPOINT or not PUBLIC_KEY.fullmatch(public_key):
        return "Your browser gave an address that cannot be used.", 422
    if not AUTH.fullmatch(auth):
        return "Your browser gave a key that cannot be used.", 422
    if wrong := what_is_wrong_with(endpoint):
        return wrong, 422
    # Another account in this browser, or an older subscription of this one, makes room.
    makes_room = or_(PushDevice.endpoint == endpoint, _is_here())
    with writing() as tx:
        words = tx.scalars(select(Device.words).where(Device.id == me().device_id)).one()
        others = select(func.count()).where(PushDevice.user_id == me().id, ~makes_room)
        # Before anything is changed: a return commits.
        if tx.scalars(others).one() >= MOST:
            return f"You have turned it on at {MOST} places already: remove one first.", 422
        tx.execute(delete(PushDevice).where(makes_room))
        tx.add(
            PushDevice(
                user_id=me().id,
                device_id=me().device_id,
                words=words,
                endpoint=endpoint,
                public_key=public_key,
                auth=auth,
                made_at=now(),
            )
        )
        push = (Channel.user_id == me().id, Channel.kind == "push")
        channel = tx.scalar(select(Channel).where(*push))
        if channel is None:
            tx.add(Channel(user_id=me().id, kind="push", use=ALWAYS))
        else:
            channel.failures = 0
    return "", 204


@bp.post("/notices/push/<int:number>/remove")
@sign_in_needed
def remove_device(number: int) -> ResponseReturnValue:
    """Turn pushes off for one of my browsers."""
    with writing() as tx:
        tx.execute(delete(PushDevice).where(PushDevice.user_id == me().id, PushDevice.id == number))
    return done("No more pushes go there.")


@bp.get("/service-worker.js")
def service_worker() -> ResponseReturnValue:
    """Give browsers the script that shows pushes: from the top, so that all pages are its own."""
    return current_app.send_static_file("service-worker.js")


@bp.get("/app.webmanifest")
def manifest() -> ResponseReturnValue:
    """Tell browsers how to put this site among a phone's apps."""
    sizes = {"icon-192.png": "192x192", "icon-512.png": "512x512"}
    icons = [
        {"src": _icon(name), "sizes": size, "type": "image/png"} for name, size in sizes.items()
    ]
    icons += [
        {"src": _icon("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        {**icons[1], "src": _icon("icon-maskable-512.png"), "purpose": "maskable"},
    ]
    answer = jsonify(
        name="Stockpile Web",
        short_name="Stockpile",
        description="Card games with secrets, among friends, a turn at a time.",
        id=url_for("lobby.home"),
        scope=url_for("lobby.home"),
        start_url=url_for("lobby.mine"),
        display="standalone",
        background_color="#f6f0e2",
        theme_color="#f6f0e2",
        icons=icons,
    )
    answer.mimetype = "application/manifest+json"
    return answer


def _is_here() -> ColumnElement[bool]:
    return PushDevice.device_id == me().device_id


def _icon(name: str) -> str:
    return url_for("static", filename=f"icons/{name}")
