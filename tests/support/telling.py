"""A random game as its story is told from it, without a database."""

from collections.abc import Sequence
from copy import copy, deepcopy
from functools import partial
from random import Random
from typing import Any, NamedTuple

from stockpile_web.engine import Event, Game, Viewer
from stockpile_web.engine.story import DataTable, Story, Told
from stockpile_web.match.story import seen_through
from tests.support.random_play import FAR_TOO_LONG, Sitting
from tests.support.worlds import worlds_of


class Recorded(NamedTuple):
    """A move: the state after it, and what happened."""

    state: Any
    events: list[Event]


class Record:
    """A game that was played at random, up to a number of moves or to the end."""

    def __init__(
        self, slug: str, seats: int, options: Sequence[str] = (), limit: int = FAR_TOO_LONG
    ) -> None:
        sitting = Sitting(slug, seats, options, "a story")
        self.slug = slug
        self.game: Game = sitting.game
        self.seats = range(seats)
        self.moves = [Recorded(deepcopy(sitting.state), sitting.events)]
        for turn in sitting.turns(limit):
            self.moves.append(Recorded(deepcopy(sitting.state), turn.events))

    @property
    def result(self) -> Any:
        """How the game ended."""
        return self.game.result(self.moves[-1].state)

    def events(self, *kinds: str) -> list[dict[str, Any]]:
        """Return all that is known of the events of some kinds."""
        told = [facts for move in self.moves for facts in seen_through(move.events, self.seats)]
        return [facts for facts in told if facts["kind"] in kinds]

    def in_another_world(self, viewer: Viewer) -> "Record":
        """Return a record in which all is different that `viewer` cannot know."""
        other, random, worlds = copy(self), Random(1), worlds_of(self.slug)
        other.moves = [
            Recorded(
                worlds.another_world(deepcopy(state), viewer, random),
                [unknown_to(viewer, event) for event in events],
            )
            for state, events in self.moves
        ]
        return other

    def story(self, *eyes: Viewer) -> Story:
        """Tell it as these seats know it together; without any, as it is told when it is over."""
        views = eyes or tuple(self.seats)

        def look(state: Any) -> list[Any]:
            return [self.game.view(state, viewer) for viewer in views]

        return self.game.story(
            [
                Told(number, seen_through(events, views), partial(look, state))
                for number, (state, events) in enumerate(self.moves)
            ]
        )


def unknown_to(viewer: Viewer, event: Event) -> Event:
    """Return an event of which others than `viewer` know something else."""
    others = {
        seat: {**facts, "other": 1} for seat, facts in event.private.items() if seat != viewer
    }
    return Event(event.kind, event.public, {**event.private, **others})


def table(story: Story, title: str) -> DataTable:
    """Return a table of a story."""
    return next(table for table in story.tables if table.title == title)


def column(table: DataTable, title: str) -> list[Any]:
    """Return the cells of a column."""
    place = [column.title for column in table.columns].index(title)
    return [row.cells[place] for row in table.rows]
