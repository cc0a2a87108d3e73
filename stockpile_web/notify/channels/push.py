"""Push: to the browsers and phones on which a person has turned it on."""

import json
import time
from email.utils import parseaddr
from hashlib import blake2b
from pathlib import Path
from urllib.parse import urlsplit

from flask import current_app
from sqlalchemy import delete, select

from stockpile_web.notify.channels.post import post
from stockpile_web.notify.composing import Message
from stockpile_web.notify.failed import Failed, Skipped
from stockpile_web.notify.lanes import Lane
from stockpile_web.settings import PUSH_PAIR, stored_secret
from stockpile_web.storage.database import db
from stockpile_web.storage.models.notices import NEAR, Channel, PushDevice
from stockpile_web.storage.models.people import User
from stockpile_web.storage.transactions import writing

LABEL = "Push"
HINT = ""

# A push service keeps it so long for a phone that is off; a later turn is told anew.
KEEP = 24 * 3600
LINES = 6
# All are made as long as this: the length of what is encrypted tells nothing.
LENGTH = 2048
GONE = (404, 410)


def check(address: str) -> str:
    """Nothing is typed here: a browser gives the address."""
    return ""


def destination(user: User, channel: Channel) -> str:
    """Say where messages go."""
    return "your devices"


def own_keys() -> tuple[str, str]:
    """Return the key pair of this site, and the half that browsers are given."""
    path = Path(current_app.instance_path) / "push_key"
    pair = current_app.config["PUSH_KEY"] or stored_secret(path, _make_pair, PUSH_PAIR)
    return pair, pair.partition(".")[2]


def send(user: User, channel: Channel, message: Message, lane: Lane) -> str:
    """Say on each device which table asks; it is taken if one of them takes it."""
    theirs = select(PushDevice).where(PushDevice.user_id == user.id).order_by(PushDevice.id)
    devices = list(db.session.scalars(theirs))
    db.session.expunge_all()
    db.session.rollback()  # Nothing is held open while the other side takes its time.
    answers, problems, gone = [], [], []
    deadline = time.monotonic() + lane.timeout
    for number, device in enumerate(devices):
        # None of them waits so long that nothing is left for the others.
        share = max(0.1, deadline - time.monotonic()) / (len(devices) - number)
        try:
            said = _send_to(device, message, lane._replace(timeout=share))
            answers.append(f"{device.words}: {said}")
        except Failed as failed:
            problems.append(failed)
            answers.append(f"{device.words}: {failed}")
            if failed.status in GONE:
                gone.append(device.id)
                answers[-1] += " (removed)"
    if gone:
        with writing() as tx:
            tx.execute(delete(PushDevice).where(PushDevice.id.in_(gone)))
    said = "; ".join(answers) or "There is no device any more."
    if len(problems) == len(answers):
        if problems and all(isinstance(problem, Skipped) for problem in problems):
            raise problems[0]
        wait = max((problem.wait for problem in problems), default=0)
        for_good = all(problem.for_good for problem in problems)
        raise Failed(said, for_good=for_good, wait=wait)
    return said


def _send_to(device: PushDevice, message: Message, lane: Lane) -> str:
    # Ten megabytes that only whoever sends needs.
    from stockpile_web.notify import webpush

    topic = _topic(message)
    lines = [item.headline for item in message.items]
    if len(lines) > LINES:
        lines[LINES - 1 :] = [f"… and {len(lines) - LINES + 1} more"]
    news = {
        "title": message.subject,
        "body": "\n".join(lines),
        # Without the host: the browser knows best by which name it reaches us.
        "link": urlsplit(message.link).path,
        "tag": topic,
    }
    plain = json.dumps(news, ensure_ascii=False).encode().ljust(LENGTH)
    try:
        encrypted = webpush.encrypt(plain, device.public_key, device.auth)
    except ValueError:
        raise Failed("The key of this browser is none.", for_good=True, status=410) from None
    headers = {
        "Authorization": webpush.signature(own_keys()[0], device.endpoint, _who_we_are()),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(KEEP),
        # What a phone that was off has missed is replaced by what is newer of the same table.
        "Topic": topic,
        "Urgency": "high" if any(item.event == NEAR for item in message.items) else "normal",
    }
    return post(device.endpoint, encrypted, headers, lane)


def _topic(message: Message) -> str:
    key = blake2b(current_app.config["SECRET_KEY"].encode(), digest_size=32).digest()
    return blake2b(message.link.encode(), key=key, digest_size=12).hexdigest()


def _who_we_are() -> str:
    """Return where a push service may complain: the site itself, or its sender of mails."""
    site = str(current_app.config["SITE_URL"])
    if site.startswith("https:"):
        return site
    _, address = parseaddr(current_app.config["SMTP_FROM"])
    return f"mailto:{address or 'nobody@example.org'}"


def _make_pair() -> str:
    from stockpile_web.notify import webpush

    return webpush.make_pair()
