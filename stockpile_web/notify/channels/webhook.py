"""A webhook of one's own: JSON, signed, so that the receiver knows it is from here and now."""

import hmac
import json
from base64 import b64encode
from hashlib import sha256

from stockpile_web.notify.channels.post import host_of, post, what_is_wrong_with
from stockpile_web.notify.composing import Message
from stockpile_web.notify.lanes import Lane
from stockpile_web.storage.database import now
from stockpile_web.storage.models.notices import Channel
from stockpile_web.storage.models.people import User

LABEL = "Webhook"
HINT = "An address of yours that takes signed JSON; see docs/webhooks.md."


def check(address: str) -> str:
    """Say what is wrong with an address."""
    return what_is_wrong_with(address)


def destination(user: User, channel: Channel) -> str:
    """Say where messages go."""
    return host_of(channel.address)


def send(user: User, channel: Channel, message: Message, lane: Lane) -> str:
    """Send what happened where; the key is the same however often it is sent."""
    body = {
        "id": message.key,
        "subject": message.subject,
        "link": message.link,
        "news": [
            {"event": item.event, "table": item.match_id, "text": item.headline, "link": item.link}
            for item in message.items
        ],
    }
    raw = json.dumps(body).encode()
    stamp = str(int(now().timestamp()))
    headers = {
        "Content-Type": "application/json",
        "Webhook-Id": message.key,
        "Webhook-Timestamp": stamp,
        "Webhook-Signature": f"v1,{sign(channel.secret, message.key, stamp, raw)}",
    }
    return post(channel.address, raw, headers, lane)


def sign(secret: str, key: str, stamp: str, body: bytes) -> str:
    """Return the signature of a message: HMAC-SHA-256 of id, time and body, with dots between."""
    signed = f"{key}.{stamp}.".encode() + body
    return b64encode(hmac.new(secret.encode(), signed, sha256).digest()).decode()
