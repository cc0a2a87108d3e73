"""The story of a match: what was recorded, as its reader may know it, told by the game."""

from collections.abc import Iterable, Sequence
from functools import cache, partial
from typing import Any

from sqlalchemy import Connection, select

from stockpile_web.engine import Event, Facts, Viewer, codec
from stockpile_web.engine.story import Story, Told
from stockpile_web.games import GAMES
from stockpile_web.match.glance import Glance
from stockpile_web.match.rows import read_past
from stockpile_web.match.rules_versions import load_state
from stockpile_web.match.table_view import Happened, taken_back
from stockpile_web.storage.cache import BoundedCache
from stockpile_web.storage.models.matches import OVER, Move

STORIES = 1024 * 1024  # Bytes.
BYTES_FOR_EACH = 6  # Letter, if it is written down: so much larger is a story in memory.

_stories: BoundedCache[Story] = BoundedCache(
    "stories", STORIES, lambda story: BYTES_FOR_EACH * len(repr(story))
)


def clear_cache() -> None:
    """Forget all stories that were told."""
    _stories.clear()


def story_of(connection: Connection, seen: Glance) -> Story:
    """Return the story of a match that has been dealt.

    While it runs it is each viewer's own; once it is over it is the same for all, and open.
    """
    match = seen.match
    eyes: list[Viewer] = [seen.viewer]
    if match.status == OVER:
        eyes = [*range(len(seen.seats))]
    key = (match.invitation, match.version, *eyes)
    story = _stories.get(key)
    if story is None:
        story = GAMES[match.game].story(_turns(connection, seen, eyes))
        _stories.put(key, story)
    return story


def _turns(connection: Connection, seen: Glance, eyes: list[Viewer]) -> list[Told]:
    """Return the moves that count, as they are seen through all these eyes together."""
    rows = connection.execute(
        select(Move.number, Move.events)
        .where(Move.match_id == seen.match.id, Move.number < seen.match.version)
        .order_by(Move.number)
    )
    moves = [
        Happened(number, seen_through(codec.load(list[Event], events), eyes))
        for number, events in rows
    ]
    gone = taken_back(moves)
    return [
        Told(move.number, move.facts, cache(partial(_look, connection, seen, eyes, move.number)))
        for move in moves
        if move.number not in gone
    ]


def seen_through(events: Iterable[Event], eyes: Sequence[Viewer]) -> list[Facts]:
    """Return events as these eyes see them together: what one does not know, another tells."""
    known = ([event.seen_by(viewer) for viewer in eyes] for event in events)
    return [facts for told in known if (facts := _together(told))]


def _together(told: Iterable[Facts | None]) -> Facts:
    return {name: fact for facts in told if facts for name, fact in facts.items()}


def _look(connection: Connection, seen: Glance, eyes: list[Viewer], number: int) -> list[Any]:
    game = GAMES[seen.match.game]
    state = load_state(game, *read_past(connection, seen.match.id, number, number)[number])
    return [game.view(state, viewer) for viewer in eyes]
