"""ntfy: a push message to a topic, at ntfy.sh or at a server of one's own."""

from base64 import b64encode

from stockpile_web.notify.channels.post import host_of, post, what_is_wrong_with
from stockpile_web.notify.composing import Message
from stockpile_web.notify.lanes import Lane
from stockpile_web.storage.models.notices import Channel
from stockpile_web.storage.models.people import User

LABEL = "ntfy"
HINT = "Your topic, for example https://ntfy.sh/a-name-that-nobody-guesses"


def check(address: str) -> str:
    """Say what is wrong with an address."""
    return what_is_wrong_with(address)


def destination(user: User, channel: Channel) -> str:
    """Say where messages go."""
    return host_of(channel.address)


def send(user: User, channel: Channel, message: Message, lane: Lane) -> str:
    """Say which table asks; whoever knows the topic reads it, so never more than that."""
    text = "\n".join(item.headline for item in message.items)
    headers = {"Title": _in_header(message.subject), "Click": message.link}
    return post(channel.address, text.encode(), headers, lane)


def _in_header(words: str) -> str:
    """Write words as a header may hold them: plain letters, or in the code of mails (RFC 2047)."""
    if words.isascii():
        return words
    return f"=?UTF-8?B?{b64encode(words.encode()).decode()}?="
