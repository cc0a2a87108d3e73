"""Telegram: to a chat that a person has linked, from the bot of this site's host."""

import json
from functools import lru_cache
from typing import Any

from flask import current_app

from stockpile_web.notify.channels.post import LONGEST_WAIT, send_request
from stockpile_web.notify.composing import Message
from stockpile_web.notify.failed import Failed
from stockpile_web.notify.lanes import TELEGRAM, Lane
from stockpile_web.storage.models.notices import Channel
from stockpile_web.storage.models.people import User

LABEL = "Telegram"
HINT = ""

LARGEST_ANSWER = 1_000_000
LONGEST_TEXT = 4000
# No such chat, or the person has blocked the bot.
REFUSED = (400, 403)


def check(address: str) -> str:
    """Nothing is typed here: a chat is linked by opening it."""
    return ""


def destination(user: User, channel: Channel) -> str:
    """Say where messages go."""
    return channel.address.partition(" ")[2] or "your chat"


def send(user: User, channel: Channel, message: Message, lane: Lane) -> str:
    """Say which table asks."""
    text = "\n\n".join(f"{item.headline}\n{item.link}" for item in message.items)
    sent = send_message(channel.address.partition(" ")[0], text)
    return f"200 message {sent.get('message_id', '')}"


def send_message(chat: str, text: str) -> Any:
    """Write to a chat."""
    plain = {"chat_id": chat, "text": text[:LONGEST_TEXT]}
    return call("sendMessage", **plain, link_preview_options={"is_disabled": True})


def bot_name() -> str:
    """Return the name of this site's bot, as links to it need it."""
    config = current_app.config
    return _bot_name(config["TELEGRAM_API"], config["TELEGRAM_TOKEN"])


def call(method: str, **arguments: Any) -> Any:
    """Ask the bot's interface for something and return the result; raise Failed if it refuses."""
    config = current_app.config
    if not config["TELEGRAM_TOKEN"]:
        raise Failed("The host of this site has not set up Telegram.", for_good=False)
    address = f"{config['TELEGRAM_API']}/bot{config['TELEGRAM_TOKEN']}/{method}"
    status, text, wait = send_request(
        address, arguments, {}, TELEGRAM.timeout, is_hosts=True, largest=LARGEST_ANSWER
    )
    try:
        answer = json.loads(text)
        if status == 200 and answer["ok"]:
            return answer["result"]
        said = str(answer["description"])
        wait = max(wait, float(answer.get("parameters", {}).get("retry_after", 0)))
    except (ValueError, LookupError, TypeError, AttributeError):
        said = text[:200]
    raise Failed(
        f"{status} {said}".strip(),
        for_good=status in REFUSED,
        status=status,
        wait=min(wait, LONGEST_WAIT),
    )


@lru_cache(maxsize=1)
def _bot_name(_api: str, _token: str) -> str:
    return str(call("getMe")["username"])
