"""Rendered tables and lines of the log, kept: all who see the same bytes share one rendering."""

from collections import OrderedDict
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from threading import Lock
from typing import Any, Generic, TypeVar

from flask import Flask, current_app, render_template
from jinja2 import Environment, pass_environment
from markupsafe import Markup
from sqlalchemy import Connection, bindparam, func, select

from stockpile_web import codec, waiting
from stockpile_web.engine import Facts
from stockpile_web.games import GAMES
from stockpile_web.models.people import FORMER_PLAYER, User
from stockpile_web.models.tables import Message
from stockpile_web.pages import tell
from stockpile_web.viewing import Glance, Table, events_seen, open_table

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


Kept = TypeVar("Kept")


class Shelf(Generic[Kept]):
    """The newest renderings, by what they depend on; the one asked for longest ago goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[object, ...], Kept] = OrderedDict()
        self._lock = Lock()

    def get(self, key: tuple[object, ...]) -> Kept | None:
        """Return what is kept for `key`."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: tuple[object, ...], what: Kept) -> None:
        """Keep a rendering."""
        with self._lock:
            self._kept[key] = what
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        """Keep nothing."""
        with self._lock:
            self._kept.clear()


_shelf: Shelf[str] = Shelf(KEPT)
_parts: Shelf[Markup] = Shelf(PARTS_KEPT)
_lines: Shelf[list[tuple[int, Markup]]] = Shelf(MOVES_KEPT)
_chats: Shelf[Sequence[Any]] = Shelf(KEPT)
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


def freshness(seen: Glance, user: User | None) -> tuple[object, ...]:
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


def render(connection: Connection, seen: Glance, user: User | None, state: Any = None) -> str:
    """Return the table as HTML for its viewer; its `state` may be at hand."""
    key = freshness(seen, user)
    html = _shelf.get(key)
    if html is None:
        html = render_anew(connection, seen, state=state)
        _shelf.put(key, html)
    return html


def render_anew(connection: Connection, seen: Glance, notice: str = "", state: Any = None) -> str:
    """Render the table, with a word to its viewer if there is one to say."""
    table = open_table(connection, seen, state)
    return render_template(
        "_table.html",
        table=table,
        seen=seen,
        notice=notice,
        data=GAMES[table.game].data,
        log=told_log(seen, table),
        messages=messages(connection, seen),
        time=waiting.look(seen),
    )


def told_log(seen: Glance, table: Table) -> list[tuple[int, Markup]]:
    """Return the log in words, newest first, each line with the number of its move."""
    return _told(seen, table.log)[::-1]


def whole_log(connection: Connection, seen: Glance) -> list[tuple[int, Markup]]:
    """Return all that happened in words, oldest first, each line with the number of its move."""
    return _told(seen, events_seen(connection, seen, -1))


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


def _told(seen: Glance, log: list[Facts]) -> list[tuple[int, Markup]]:
    """Say what happened; all but the newest moves of a log were told for the move before them."""
    lines: list[tuple[int, Markup]] = []
    for number, group in groupby(log, key=itemgetter("n")):
        events, game = list(group), seen.match.game
        key = (game, codec.dump(events), *seen.names)
        said = _lines.get(key)
        if said is None:
            words = current_app.jinja_env
            said = [(number, tell(words, game, facts, seen.names)) for facts in events]
            _lines.put(key, said)
        lines += said
    return lines
