"""A match put in order for its story: each event with its round, and how all stood after each."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from stockpile_web.engine import Facts, Seat
from stockpile_web.engine.story import Told
from stockpile_web.games.stockpile.board.portfolio import portfolio
from stockpile_web.games.stockpile.data import Company
from stockpile_web.games.stockpile.view import View


@dataclass(frozen=True)
class Noted:
    """An event, the round and the move in which it happened, and the table before that move."""

    round: int
    turn: int
    facts: Facts
    before: Callable[[], list[View]]

    @property
    def kind(self) -> str:
        """What it is."""
        return str(self.facts["kind"])


@dataclass(frozen=True)
class Stand:
    """How all stood when a round was over; before the first round, when all was dealt."""

    turn: int
    prices: dict[Company, int]
    cash: list[int]
    worth: dict[Seat, int]  # Of those whose portfolio the reader may know.


@dataclass(frozen=True)
class History:
    """All of it; `stands[n]` is how all stood after round n."""

    events: list[Noted]
    stands: list[Stand]

    def of_kind(self, *kinds: str) -> Iterator[Noted]:
        """Return the events of some kinds."""
        return (event for event in self.events if event.kind in kinds)

    def stand_after(self, number: int) -> Stand | None:
        """Return how all stood after a round; None while it goes on."""
        return self.stands[number] if number < len(self.stands) else None


def read(turns: Sequence[Told]) -> History:
    """Read a match, which may be going on."""
    events: list[Noted] = []
    stands: list[Stand] = []
    number, before = 0, None
    for turn in turns:
        look = (before or turn).look
        for facts in turn.facts:
            if facts["kind"] == "round_began":
                number = facts["round"]
                # What begins with a round changes neither prices nor money at once.
                stands.append(_stand(turn.number, turn.look()))
            elif facts["kind"] == "game_ended":
                stands.append(_stand(turn.number, turn.look()))
            events.append(Noted(number, turn.number, facts, look))
        before = turn
    return History(events, stands)


def _stand(turn: int, views: list[View]) -> Stand:
    table = views[0]
    return Stand(
        turn, table.prices(), [player.cash for player in table.players], dict(_worth(views))
    )


def _worth(views: Iterable[View]) -> Iterator[tuple[Seat, int]]:
    for view in views:
        if view.viewer is None:
            continue
        if view.over:  # All is sold; what still lies there was counted.
            yield view.viewer, view.players[view.viewer].cash
        elif own := portfolio(view, {}):
            yield view.viewer, own.total
