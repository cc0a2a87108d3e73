"""Linking a chat at Telegram: a link that opens it, and hearing who has pressed Start there.

A bot may write only to those who have written to it. We fetch what was written to it, rather than
have it sent to us: a site behind a home router can do that, too. It is done only while somebody
has a link open.
"""

import logging
import re
from datetime import timedelta
from typing import Any

from flask import Flask
from sqlalchemy import delete, update

from stockpile_web.notify.channels import Failed, telegram
from stockpile_web.storage.database import now
from stockpile_web.storage.due import earliest
from stockpile_web.storage.models.notices import ALWAYS, Channel, ChatLink
from stockpile_web.storage.models.people import User
from stockpile_web.storage.transactions import writing

LINK_LASTS = timedelta(minutes=15)
POLL_EVERY = 2.0
AFTER_TROUBLE = 10.0
# Longer than it takes to hear once.
LEASE = timedelta(seconds=60)
LONGEST_NAME = 40

# When to listen next; not at all while nobody has a link open.
NEXT = earliest(ChatLink.listen_at)

STARTED = re.compile(r"/start(?: ([\w-]{1,64}))?", re.ASCII)
LINKED = "Hello {name}. From now on you are told here when a table waits for you."
NOT_LINKED = (
    "This link is too old or was used before. Open a new one on the page where you choose how you "
    "are told."
)

log = logging.getLogger(__name__)


def poll_updates(app: Flask) -> None:
    """Hear all that was written to the bot, if somebody waits for it and no other worker does."""
    with app.app_context():
        moment = now()
        with writing() as tx:
            tx.execute(delete(ChatLink).where(ChatLink.expires_at < moment))
            due = update(ChatLink).where(ChatLink.listen_at <= moment)
            leased = due.values(listen_at=moment + LEASE).returning(ChatLink.user_id)
            if not tx.execute(leased).all():
                return
        pause, found = POLL_EVERY, {"problem": ""}
        try:
            found["bot"] = telegram.bot_name()
            _read_updates()
        except Failed as failed:
            log.warning("Telegram cannot be heard: %s", failed)
            pause = max(AFTER_TROUBLE, failed.wait)
            found["problem"] = str(failed)
        with writing() as tx:
            then = now() + timedelta(seconds=pause)
            tx.execute(update(ChatLink).values(listen_at=then, **found))


def _read_updates() -> None:
    after = 0
    while updates := telegram.call("getUpdates", offset=after, allowed_updates=["message"]):
        for one in updates:
            _handle_message(one.get("message") or {})
        after = updates[-1]["update_id"] + 1  # Tells Telegram that the others were heard.


def _handle_message(message: dict[str, Any]) -> None:
    """Link a chat whose person has pressed Start; nothing else that is written concerns us."""
    chat, found = message.get("chat", {}), STARTED.fullmatch(str(message.get("text", "")))
    if found is None or chat.get("type") != "private":
        return
    number = str(int(chat["id"]))
    shown = str(chat.get("username") or chat.get("first_name") or "")[:LONGEST_NAME]
    name = _link(found[1] or "", f"{number} {shown}")
    words = NOT_LINKED if name is None else LINKED.format(name=name)
    try:
        telegram.send_message(number, words)
    except Failed as failed:
        log.warning("Telegram did not take an answer: %s", failed)


def _link(code: str, address: str) -> str | None:
    """Link a chat for whoever has been given `code`, and return their name."""
    with writing() as tx:
        used = delete(ChatLink).where(ChatLink.code == code, ChatLink.expires_at > now())
        user_id = tx.scalar(used.returning(ChatLink.user_id))
        if user_id is None:
            return None
        tx.execute(channel_of(user_id))
        tx.add(Channel(user_id=user_id, kind="telegram", use=ALWAYS, address=address))
        return tx.get_one(User, user_id).display_name


def channel_of(user_id: int) -> Any:
    return delete(Channel).where(Channel.user_id == user_id, Channel.kind == "telegram")
