"""Cache of rendered boards, their parts, and lines of the log.

A key holds all that its value depends on, the viewer first of all; what is cached was committed.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from flask import Flask, current_app, render_template, request
from jinja2 import Environment, pass_environment
from markupsafe import Markup
from sqlalchemy import Connection, bindparam, func, select

from stockpile_web.engine import Advice, codec
from stockpile_web.games import GAMES
from stockpile_web.match import coach, guide, practice, story, table_view
from stockpile_web.match.glance import Glance
from stockpile_web.match.rows import SeatRow
from stockpile_web.match.table_view import Happened, Table, happened, open_table, taken_back
from stockpile_web.match.time_view import time_view
from stockpile_web.storage.cache import ENTRY_BYTES, BoundedCache
from stockpile_web.storage.models.matches import MISSED, Message
from stockpile_web.storage.models.people import FORMER_PLAYER, User, Visitor
from stockpile_web.web.auth import blocked_by_me
from stockpile_web.web.parts import LINE, PLACE, Rendered, cut
from stockpile_web.words.events import AdviceInWords, advice_in_words, in_words

# Bytes: about 200 boards, and what they and those after them have in common.
BOARDS = 4 * 1024 * 1024
PARTS = 1024 * 1024
MOVES = 1024 * 1024
CHATS = 256 * 1024
CHAT_LINES = 50

_MESSAGES = (
    select(
        Message.id, Message.user_id, Message.text, Message.said_at,
        func.coalesce(User.name, FORMER_PLAYER).label("name"),
    )
    .join(User, User.id == Message.user_id)
    .where(Message.match_id == bindparam("match_id"))
    .order_by(Message.id.desc())
    .limit(CHAT_LINES)
)  # fmt: skip


class Line(NamedTuple):
    """An event in words; its kind decides how it is set."""

    kind: str
    text: Markup


class MoveInWords(NamedTuple):
    """A move in words, and as entries in the log of its table, newest first."""

    number: int
    names: list[str]
    lines: list[Line]
    entries: Markup

    def size(self) -> int:
        """Return about how many bytes it takes."""
        return len(self.entries) + sum(ENTRY_BYTES + len(line.text) for line in self.lines)


class Board(NamedTuple):
    """A rendered table, and all that its rendering depends on but for who looks at it."""

    state: tuple[object, ...]
    rendered: Rendered

    def size(self) -> int:
        """Return about how many bytes it takes."""
        return self.rendered.size()


# One for each viewer: the next version of a table takes the place of the one before it.
_boards: BoundedCache[Board] = BoundedCache("boards", BOARDS, Board.size)
_parts: BoundedCache[Markup] = BoundedCache("parts", PARTS, len)
_moves: BoundedCache[MoveInWords] = BoundedCache("moves", MOVES, MoveInWords.size)
_chats: BoundedCache[Sequence[Any]] = BoundedCache(
    "chats", CHATS, lambda said: sum(ENTRY_BYTES + len(line.text) for line in said)
)


def clear() -> None:
    """Forget everything that was rendered or read, in this process."""
    for cache in (_boards, _parts, _moves, _chats):
        cache.clear()
    table_view.clear_cache()
    story.clear_cache()


def init_app(app: Flask) -> None:
    """Let templates keep parts of a board, and know what is printed on a game."""
    app.jinja_env.globals |= {"cached": cached, "games": GAMES}


@pass_environment
def cached(environment: Environment, template: str, macro: str, *about: Any) -> Markup:
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
    return (*_viewer(seen, user), *_state(seen))


def _viewer(seen: Glance, user: Visitor | None) -> tuple[object, ...]:
    """Return who looks at which table, as far as it shows."""
    match = seen.match
    return (
        match.invitation,  # Unlike its number, never the same in two databases.
        seen.viewer,
        user.time_zone if user else "",
        user.id == match.host_id if user else False,
        # Their lines in the chat are folded.
        tuple(sorted(blocked_by_me())) if user and user.has_blocked else (),
        # An invitation begins with it; there is one where a seat may be opened to a substitute.
        request.url_root if any(seat.missed >= MISSED for seat in seen.seats) else "",
    )


def _state(seen: Glance) -> tuple[object, ...]:
    """Return what the table is at."""
    match, mine = seen.match, seen.seat
    return (
        seen.mark,
        match.status,
        match.rematch_id,
        tuple(seen.names),
        mine and (mine.chat_seen, mine.orders, mine.order_note, mine.guided),
    )


def render(
    connection: Connection, seen: Glance, user: Visitor | None, table: Table | None = None
) -> Rendered:
    """Return the table as HTML for its viewer; it may be open already."""
    key, state = _viewer(seen, user), _state(seen)
    found = _boards.get(key)
    if found is None or found.state != state:
        found = Board(state, render_anew(connection, seen, table=table))
        _boards.put(key, found)
    return found.rendered


def rendered(seen: Glance, user: Visitor | None) -> Rendered | None:
    """Return the table for its viewer, if this process has it at hand."""
    found = _boards.get(_viewer(seen, user))
    return found.rendered if found and found.state == _state(seen) else None


def places(html: str) -> list[Markup]:
    """Return a table taken apart, for its parts stand in different places of a page."""
    return [Markup(part) for part in html.split(PLACE)]  # noqa: S704 (Jinja has escaped it)


def render_anew(
    connection: Connection, seen: Glance, notice: str = "", table: Table | None = None
) -> Rendered:
    """Render the table, with a word to its viewer if there is one to say."""
    table = table or open_table(connection, seen)
    words, mine = log_in_words(seen, table.log), seen.seat
    practises = seen.match.practice and practice.is_open(seen)
    guided = guide.guide(seen, table) if practises else None
    html = render_template(
        "table/_table.html",
        table=table,
        seen=seen,
        notice=notice,
        data=GAMES[table.game].data,
        log=LINE.join(["", *(move.entries for move in reversed(words)), ""]),
        since=_news(mine, words, table.taken_back) if mine else [],
        last_moves=_last_moves(table, words) if table.take_back or practises else "",
        practises=practises,
        messages=messages(connection, seen),
        time=time_view(seen),
        coach=practises and coach.is_open(seen),
        guide=guided,
        advice=guided and guided.best and coach_says(seen, guided.best),
    )
    return cut(html)


def coach_says(seen: Glance, advice: Advice) -> AdviceInWords:
    """Return in words what the coach thinks of a move."""
    return advice_in_words(current_app.jinja_env, seen.match.game, advice, seen.names)


def _last_moves(table: Table, log: list[MoveInWords]) -> Markup:
    """Say what the viewer may take back; there is nothing to say of saying "done"."""
    sent = table.take_back
    first, last = (sent.first, sent.last) if sent else (table.last_move, table.last_move)
    theirs = (move for move in log if first <= move.number <= last)
    return Markup(" ").join(line.text for move in theirs for line in move.lines)


def log_in_words(seen: Glance, log: list[Happened]) -> list[MoveInWords]:
    """Say what happened; all but the newest moves were put into words for the move before them."""
    for move in log:
        if move.words is None or move.words.names != seen.names:
            move.words = _move_in_words(seen, move)
    return [move.words for move in log]


def _news(mine: SeatRow | None, log: list[MoveInWords], gone: set[int]) -> list[MoveInWords]:
    """Return what has happened since the viewer's last move, and what that has set in motion.

    What they did themselves begins the events of that move, and is no news to them.
    """
    new = [move for move in log if move.number not in gone]
    if mine is not None:
        new = [move for move in new if move.number >= mine.last_move]
        if mine.moves_made and new and new[0].number == mine.last_move:
            new[0] = new[0]._replace(lines=new[0].lines[1:])
    return [move for move in new if move.lines]


def missed(connection: Connection, seen: Glance, after: int) -> list[MoveInWords]:
    """Say what has happened since move `after` that is news to the viewer, move by move."""
    mine = seen.seat
    log = happened(connection, seen, max(after, mine.last_move - 1 if mine else -1))
    return _news(mine, log_in_words(seen, log), taken_back(log))


def messages(connection: Connection, seen: Glance) -> Sequence[Any] | None:
    """Return the newest lines of the chat, oldest first; None for those who may not read it."""
    if seen.viewer is None and not seen.match.open_chat:
        return None
    key = (seen.match.invitation, seen.match.table_version, *seen.names)
    said = _chats.get(key)
    if said is None:
        said = connection.execute(_MESSAGES, {"match_id": seen.match.id}).all()[::-1]
        _chats.put(key, said)
    return said


def _move_in_words(seen: Glance, move: Happened) -> MoveInWords:
    """Say what happened in a move; most moves are the same to all who see them."""
    key = (seen.match.invitation, move.number, codec.dump(move.facts), *seen.names)
    found = _moves.get(key)
    if found is None:
        words = current_app.jinja_env
        lines = [
            Line(facts["kind"], in_words(words, seen.match.game, facts, seen.names))
            for facts in move.facts
        ]
        log: Any = words.get_template("table/_entries.html").module
        entries = log.entries(seen.match.id, move.number, lines)
        found = MoveInWords(move.number, seen.names, lines, entries)
        _moves.put(key, found)
    return found
