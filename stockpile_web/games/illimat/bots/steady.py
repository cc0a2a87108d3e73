"""A bot that weighs every play: what it brings, what it leaves to others, and what may come."""

from functools import cached_property

from stockpile_web.engine import Rng
from stockpile_web.games.illimat.bots import planning
from stockpile_web.games.illimat.bots.plays import Laid, after, laid, play_of, seasons_to_name
from stockpile_web.games.illimat.bots.prospects import Prospects
from stockpile_web.games.illimat.data import CARDS, Season
from stockpile_web.games.illimat.moves import Add, Finish, Move, Sow, SowMore
from stockpile_web.games.illimat.view import ChoiceView, View

# The weights are from a copy of the rules in C that plays some thousand games a second, against
# three casual ones, and from a regression of what rounds came to on what lay there after a play.
# Near them nothing is told apart. Over 3000 games it won 4 % less without a thought of the next
# player, 3 % without STOCKPILED, and 1 to 2 % without each of the others.
GIVEN = 0.5  # How much of a sown card others get.
LATER = 0.3  # How much of what a card in hand could take it will, if nobody else can.
STOCKPILED = 0.5  # Likewise of stockpiles: most of what makes it keep the card that takes one.
A_FACE_KEPT = 0.23  # In hand, for the turn of the Illimat;
A_FOOL_KEPT = 0.3  # and for the point that it scores once it harvests.


def choose(view: View, moves: list[Move], rng: Rng) -> Move:
    """Choose what promises most, of equals any; go on with what was begun as it was planned."""
    assert view.own is not None
    weighing = Weighing(view)
    if view.own.choice is not None:
        return next_step(weighing, view.own.choice, moves)
    return max(moves, key=lambda move: (weighing.promise(move), rng.random()))


class Weighing:
    """Weighs the moves of a view, in points, against leaving the table as it lies."""

    def __init__(self, view: View) -> None:
        self.view, self.prospects = view, Prospects(view)
        self.worth = self.prospects.worth

    def promise(self, move: Move) -> float:
        """Return what a move promises; of a turn just begun, with the best season named."""
        return max(self._promise(move, season) for season in seasons_to_name(self.view, move))

    def best_season(self, move: Move) -> Season:
        """Return what should be named at the end of a turn that a step begins; empty: nothing."""
        seasons = seasons_to_name(self.view, move)
        return max(seasons, key=lambda season: self._promise(move, season))

    @cached_property
    def now(self) -> Laid:
        """The table as it lies."""
        return laid(self.view)

    @cached_property
    def _now(self) -> float:
        return self._standing(self.now)

    def _promise(self, move: Move, season: Season) -> float:
        if isinstance(move, Add):
            return 0.0
        return self._gain(move) + self._standing(after(self.view, move, season)) - self._now

    def _gain(self, move: Move) -> float:
        """Return what a move brings at once; what is sown is half lost."""
        if isinstance(move, Sow | SowMore):
            return -GIVEN * self.worth.of([move.card])
        play = play_of(self.view, move)
        if play is None or play.times:
            return 0.0
        taken = self.worth.of([*play.cards, *(c for item in play.items for c in item.cards)])
        if len(play.items) < len(self.view.fields[play.field].items):
            return taken
        return taken + self.worth.of_clearing(play.field, self.view.okuses)

    def _standing(self, table: Laid) -> float:
        """Return what a table promises the seat, less what it promises the next player."""
        threat, held, chance = self.prospects.of(table)
        later = LATER * chance.points * chance.alone if chance else 0.0
        kept = sum(
            A_FACE_KEPT * face.turns + A_FOOL_KEPT * face.is_fool
            for face in map(CARDS.__getitem__, table.hand)
        )
        return later + kept + STOCKPILED * held - threat


def next_step(weighing: Weighing, choice: ChoiceView, moves: list[Move]) -> Move:
    """Return the next part of the plan; of somebody else's beginning, the end as soon as may be."""
    done = len(choice.added)
    plan = [Add(item.name, counts) for item, counts in _plan(weighing.view, choice)]
    if [add.item for add in plan[:done]] == choice.added and plan[done:]:
        return plan[done]
    ends: list[Move] = [move for move in moves if isinstance(move, Finish)]
    return max(ends, key=weighing.promise) if ends else moves[0]


def _plan(view: View, choice: ChoiceView) -> planning.Plan:
    """Think a choice out again from its beginning, with the same end each time."""
    items = view.fields[choice.field].items
    if choice.counts:
        return planning.stockpile(items, choice.value, choice.counts)
    return planning.harvest(items, choice.value)
