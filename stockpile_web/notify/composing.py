"""What a message says: for each table one item, in words, with nothing its reader may not know."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from flask import current_app, url_for
from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import Connection
from sqlalchemy.orm import Session

from stockpile_web.games import GAMES
from stockpile_web.match import broken, table_view
from stockpile_web.match.glance import glance
from stockpile_web.match.rows import read_match
from stockpile_web.storage.database import now
from stockpile_web.storage.due_notices import Entry
from stockpile_web.storage.models.notices import (
    BROKEN,
    CLOSING,
    ENDED,
    INVITED,
    MENTION,
    NEAR,
    OF_A_TURN,
    PASSED,
    REMATCH,
    STARTED,
    TURN,
)
from stockpile_web.storage.models.people import User
from stockpile_web.storage.names import isolated
from stockpile_web.words.events import in_words, order_note_in_words
from stockpile_web.words.moments import due

LINES = 12
# Of what comes together from one table the last of these is told, and one that is aside besides.
ASIDE = (MENTION, CLOSING)
WEIGHTS = (INVITED, MENTION, CLOSING, STARTED, TURN, NEAR, BROKEN, ENDED, REMATCH)

HEADLINES = {
    TURN: "It is your turn at {table}.",
    NEAR: "Your time for your turn at {table} runs out soon.",
    MENTION: "Somebody calls you in the chat of {table}.",
    CLOSING: "You are asked whether to close {table}.",
    STARTED: "The match at {table} has begun.",
    ENDED: "The match at {table} is over.",
    PASSED: "Your turn at {table} has been taken.",
    REMATCH: "You are asked for a rematch after {table}, and a seat is free for you.",
    INVITED: "You are invited to {table}.",
    BROKEN: "Nobody can play at {table} now: it cannot be shown. It can be set back or closed.",
}
SUBJECTS = {
    TURN: "Your turn at {table}",
    NEAR: "Your time runs out at {table}",
    MENTION: "You are called at {table}",
    CLOSING: "Shall {table} be closed?",
    STARTED: "{table} has begun",
    ENDED: "{table} is over",
    REMATCH: "A rematch after {table}?",
    INVITED: "An invitation to {table}",
    BROKEN: "{table} cannot be shown",
}


@dataclass(frozen=True)
class Item:
    """What there is to tell of one table. Only a letter to its reader alone may hold `since`."""

    event: str
    match_id: int
    subject: str
    headline: str
    link: str
    asked: str
    since: list[str]  # HTML; names in it are escaped.
    left_out: int


@dataclass(frozen=True)
class Message:
    """One message to one person."""

    name: str
    subject: str
    items: list[Item]
    link: str
    choices: str
    stop: str
    # The same for every attempt to send the same: whoever gets it twice can tell.
    key: str


def compose(session: Session, user: User, kind: str, notices: Sequence[Entry]) -> Message | None:
    """Put into words what a person is told through a channel; None if nothing is left to tell."""
    ordered = sorted(notices, key=_weight)
    newest = {(notice.match_id, notice.event in ASIDE): notice for notice in ordered}
    found = [_item(session, user, notice) for notice in newest.values()]
    items = [item for item in found if item is not None]
    if not items:
        return None
    # A call may have the number of an earlier one that made room for it.
    ids = " ".join(f"{notice.id} {notice.made_at.timestamp()}" for notice in notices)
    if any(notice.daily for notice in notices):
        ids += f" {now():%F}"  # The same tables may wait tomorrow.
    return _message(user, kind, _subject(items), items, ids)


def sample(user: User, kind: str, moment: str) -> Message:
    """Return a message that says only that messages arrive."""
    words = "This is the test that you asked for"
    item = Item("test", 0, words, f"{words}: messages arrive.", _url("lobby.mine"), "", [], 0)
    return _message(user, kind, words, [item], f"test {moment}")


def headline(event: str, table: str) -> str:
    """Say in a sentence what has happened at a table, whose name and game are given in words.

    PASSED: that a turn is none any more.
    """
    words = HEADLINES[event].format(table=table)
    return words[0].upper() + words[1:]


def table_in_words(name: str, match_id: int, game: str) -> str:
    """Say of which table something is told."""
    return f"{f'“{isolated(name)}”' if name else f'table {match_id}'} ({GAMES[game].TITLE})"


def stop_token(user_id: int, kind: str) -> str:
    """Return what a link must hold to end a person's messages through a channel."""
    return str(_signer().dumps([user_id, kind]))


def read_stop_token(token: str) -> tuple[int, str] | None:
    """Return whose messages through which channel a token ends; None if it is not ours."""
    try:
        user_id, kind = _signer().loads(token)
    except BadSignature:
        return None
    return int(user_id), str(kind)


def _signer() -> URLSafeSerializer:
    return URLSafeSerializer(current_app.config["SECRET_KEY"], salt="stop notices")


def _weight(notice: Entry) -> tuple[int, int]:
    """Of several notices of one table the newest is told; of those, the one that matters most."""
    return notice.version, WEIGHTS.index(notice.event)


def _item(session: Session, user: User, notice: Entry) -> Item | None:
    connection = session.connection()
    if notice.event in (INVITED, BROKEN):
        return _without_board(connection, user, notice)
    seen = glance(connection, notice.match_id, user.id)
    if seen is None or seen.viewer is None:
        return None
    try:
        table = table_view.open_table(connection, seen)
    except Exception:
        if broken.problem_of(connection, notice.match_id) is None:
            raise
        return None  # Its host is told; news of other tables must not wait for this one.
    environment = current_app.jinja_env
    lines = [str(in_words(environment, table.game, facts, table.names)) for facts in table.since]
    if table.order_note is not None:
        lines.append(order_note_in_words(environment, table.game, table.order_note))
    asked = ""
    if notice.event in OF_A_TURN and table.moves:
        asks = environment.select_template([f"games/{table.game}/ask.txt", "mail/ask.txt"])
        asked = " ".join(asks.render(table=table).split())
        if seen.seat and seen.seat.deadline_at:
            until = due(seen.seat.deadline_at, user.time_zone)
            asked += f" Your time runs out {until} ({user.time_zone})."
    words = table_in_words(seen.match.name, table.match_id, table.game)
    subject = SUBJECTS[notice.event].format(table=words)
    return Item(
        event=notice.event,
        match_id=table.match_id,
        subject=subject[0].upper() + subject[1:],
        headline=headline(notice.event, words),
        link=_url("table.show", match_id=table.match_id),
        asked=asked,
        since=lines[-LINES:],
        left_out=max(0, len(lines) - LINES),
    )


def _without_board(connection: Connection, user: User, notice: Entry) -> Item | None:
    """Say that somebody is invited, who does not sit there yet, or that a table is broken."""
    match = read_match(connection, notice.match_id)
    if match is None:
        return None
    words = table_in_words(match.name, match.id, match.game)
    if notice.event == INVITED:
        link = _url("lobby.invited", invitation=match.invitation)
    elif user.id == match.host_id:
        link = _url("table.show", match_id=match.id)
    else:
        link = _url("admin.held")
    subject = SUBJECTS[notice.event].format(table=words)
    return Item(
        event=notice.event,
        match_id=match.id,
        subject=subject[0].upper() + subject[1:],
        headline=headline(notice.event, words),
        link=link,
        asked="",
        since=[],
        left_out=0,
    )


def _subject(items: list[Item]) -> str:
    """Say in one line what it is about: never more than which tables, and that they wait."""
    tables = {item.match_id for item in items}
    if len(tables) == 1:
        return items[-1].subject
    waiting = sum(item.event in OF_A_TURN for item in items)
    return f"Your turn at {waiting} tables" if waiting > 1 else f"News of {len(tables)} tables"


def _message(user: User, kind: str, subject: str, items: list[Item], ids: str) -> Message:
    links = {item.link for item in items}
    one = links.pop() if len(links) == 1 else _url("lobby.mine")
    key = blake2b(f"{kind} {ids}".encode(), key=_own_key(), digest_size=12).hexdigest()
    stop = _url("notices.show_stop", token=stop_token(user.id, kind))
    choices = _url("notices.choices")
    return Message(user.display_name, subject, items, one, choices, stop, key)


def _own_key() -> bytes:
    return blake2b(current_app.config["SECRET_KEY"].encode(), digest_size=32).digest()


def _url(endpoint: str, **values: object) -> str:
    return url_for(endpoint, _external=True, **values)  # type: ignore[arg-type]
