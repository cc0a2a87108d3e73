"""Rendered tables and lines of the log, kept: all who see the same bytes share one rendering."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from flask import Flask, current_app, render_template
from jinja2 import Environment, pass_environment
from markupsafe import Markup
from sqlalchemy import Connection, bindparam, func, select

from stockpile_web.engine import codec
from stockpile_web.games import GAMES
from stockpile_web.match import time_view
from stockpile_web.match.table_view import Glance, Happened, Table, happened, open_table
from stockpile_web.storage.cache import BoundedCache
from stockpile_web.storage.models.matches import Message
from stockpile_web.storage.models.people import FORMER_PLAYER, User, Visitor
from stockpile_web.words.events import in_words

KEPT = 300
MOVES_KEPT = 5_000
PARTS_KEPT = 3_000
CHAT_LINES = 50

_MESSAGES = (
    select(
        Message.id, Message.text, Message.said_at,
        func.coalesce(User.name, FORMER_PLAYER).label("name"),
    )
    .join(User, User.id == Message.user_id)
    .where(Message.match_id == bindparam("match_id"))
    .order_by(Message.id.desc())
    .limit(CHAT_LINES)
)  # fmt: skip


class Told(NamedTuple):
    """A move in words, and as entries in the log of its table, newest first."""

    number: int
    names: list[str]
    lines: list[Markup]
    entries: Markup


_shelf: BoundedCache[str] = BoundedCache(KEPT)
_parts: BoundedCache[Markup] = BoundedCache(PARTS_KEPT)
_moves: BoundedCache[Told] = BoundedCache(MOVES_KEPT)
_chats: BoundedCache[Sequence[Any]] = BoundedCache(KEPT)
forget = _shelf.clear


def init_app(app: Flask) -> None:
    """Let templates keep parts of a board, and know what is printed on a game."""
    app.jinja_env.globals |= {"kept": kept, "games": GAMES}


@pass_environment
def kept(environment: Environment, template: str, macro: str, *about: Any) -> Markup:
    """Return what a macro makes of its arguments: most parts of a board outlive many a move.

    A macro of another template sees its arguments alone, so nothing else can have changed.
    """
    key = (template, macro, codec.dump(about))
    part = _parts.get(key)
    if part is None:
        part = getattr(environment.get_template(template).module, macro)(*about)
        _parts.put(key, part)
    return part


def freshness(seen: Glance, user: Visitor | None) -> tuple[object, ...]:
    """Return all that the rendering of a table depends on."""
    match, chair = seen.match, seen.chair
    return (
        match.invitation,  # Unlike its number, never the same in two databases.
        seen.mark,
        match.status,
        match.rematch_id,
        seen.viewer,
        tuple(seen.names),
        chair and (chair.chat_seen, chair.orders, chair.order_note),
        user.time_zone if user else "",
        user.id == match.host_id if user else False,
    )


def render(
    connection: Connection, seen: Glance, user: Visitor | None, table: Table | None = None
) -> str:
    """Return the table as HTML for its viewer; it may be open already."""
    key = freshness(seen, user)
    html = _shelf.get(key)
    if html is None:
        html = render_anew(connection, seen, table=table)
        _shelf.put(key, html)
    return html


def render_anew(
    connection: Connection, seen: Glance, notice: str = "", table: Table | None = None
) -> str:
    """Render the table, with a word to its viewer if there is one to say."""
    table = table or open_table(connection, seen)
    return render_template(
        "table/_table.html",
        table=table,
        seen=seen,
        notice=notice,
        data=GAMES[table.game].data,
        log=Markup("").join(move.entries for move in reversed(told(seen, table.log))),
        messages=messages(connection, seen),
        time=time_view.look(seen),
    )


def told(seen: Glance, log: list[Happened]) -> list[Told]:
    """Say what happened; all but the newest moves of a log were told for the move before them."""
    for move in log:
        if move.told is None or move.told.names != seen.names:
            move.told = _told_to_all(seen, move)
    return [move.told for move in log]


def whole_log(connection: Connection, seen: Glance) -> list[Told]:
    """Say all that happened."""
    return told(seen, happened(connection, seen, -1))


def messages(connection: Connection, seen: Glance) -> Sequence[Any] | None:
    """Return the newest lines of the chat, oldest first; None for those who may not read it."""
    if seen.viewer is None and not seen.match.open_chat:
        return None
    key = (seen.match.invitation, seen.match.chat_version, *seen.names)
    said = _chats.get(key)
    if said is None:
        said = connection.execute(_MESSAGES, {"match_id": seen.match.id}).all()[::-1]
        _chats.put(key, said)
    return said


def _told_to_all(seen: Glance, move: Happened) -> Told:
    """Say what happened in a move; most moves are the same to all who see them."""
    key = (seen.match.invitation, move.number, codec.dump(move.facts), *seen.names)
    found = _moves.get(key)
    if found is None:
        words = current_app.jinja_env
        lines = [in_words(words, seen.match.game, facts, seen.names) for facts in move.facts]
        log: Any = words.get_template("table/_entries.html").module
        entries = log.entries(seen.match.id, move.number, lines)
        found = Told(move.number, seen.names, lines, entries)
        _moves.put(key, found)
    return found
