"""Slack: a message in a channel, by an incoming webhook."""

from stockpile_web.notify.channels.post import host_of, post, what_is_wrong_with
from stockpile_web.notify.composing import Message
from stockpile_web.notify.lanes import Lane
from stockpile_web.storage.models.notices import Channel
from stockpile_web.storage.models.people import User

LABEL = "Slack"
HINT = "In Slack: an app with an incoming webhook; its webhook URL."


def check(address: str) -> str:
    """Say what is wrong with an address."""
    return what_is_wrong_with(address)


def destination(user: User, channel: Channel) -> str:
    """Say where messages go."""
    return host_of(channel.address)


def send(user: User, channel: Channel, message: Message, lane: Lane) -> str:
    """Say who is asked where; others read it too, so never more than that."""
    lines = [
        f"{_plain(message.name)}: <{item.link}|{_plain(item.headline)}>" for item in message.items
    ]
    return post(channel.address, {"text": "\n".join(lines)}, {}, lane)


def _plain(text: str) -> str:
    """Take from a text what Slack would take for a link or a call to everybody."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
