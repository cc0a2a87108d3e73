"""Discord: a message in a channel, by a webhook that somebody has made there."""

import re

from stockpile_web.notify.channels.post import host_of, post, what_is_wrong_with
from stockpile_web.notify.composing import Message
from stockpile_web.notify.lanes import Lane
from stockpile_web.storage.models.notices import Channel
from stockpile_web.storage.models.people import User

LABEL = "Discord"
HINT = "In Discord: settings of a channel, Integrations, Webhooks, Copy URL."


def check(address: str) -> str:
    """Say what is wrong with an address."""
    return what_is_wrong_with(address)


def destination(user: User, channel: Channel) -> str:
    """Say where messages go."""
    return host_of(channel.address)


def send(user: User, channel: Channel, message: Message, lane: Lane) -> str:
    """Say who is asked where; others read it too, so never more than that."""
    lines = [
        f"{_plain(message.name)}: {_plain(item.headline)} {item.link}" for item in message.items
    ]
    # A name like @everyone must call nobody.
    body = {"content": "\n".join(lines)[:2000], "allowed_mentions": {"parse": []}}
    return post(channel.address, body, {}, lane)


def _plain(text: str) -> str:
    """Take from a text what Discord would take for a link, a heading or other markup."""
    return re.sub(r"([\\*_~|`>#\[\]<])", r"\\\1", text)
