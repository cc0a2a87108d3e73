"""What a table promises: what the next player may take, and what the seat itself, later."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from stockpile_web.games.illimat.bots import planning
from stockpile_web.games.illimat.bots.plays import Laid
from stockpile_web.games.illimat.bots.worth import Worth, deck
from stockpile_web.games.illimat.data import CARDS, FIELDS, FORBIDS, HARVEST, MOST, RING, Card
from stockpile_web.games.illimat.fields import Item, Value, can_take
from stockpile_web.games.illimat.luminaries import LUMINARIES
from stockpile_web.games.illimat.view import View


class Take(NamedTuple):
    """What a card of some value takes of a field."""

    cards: tuple[Card, ...]
    clears: bool


class Chance(NamedTuple):
    """What a card in hand could take in the next turn, and how likely nobody else can before."""

    card: Card
    points: float
    alone: float


class Prospect(NamedTuple):
    """What a table promises, in points."""

    threat: float  # What the next player may expect to take.
    held: float  # What stockpiles bring that a card in hand can take, and perhaps no other.
    chance: Chance | None  # The best that a card kept in hand could take.


class Prospects:
    """Looks at tables by what the seat of a view knows of the others' hands."""

    def __init__(self, view: View) -> None:
        assert view.viewer is not None
        self.view, self.worth = view, Worth(view)
        seats, me = len(view.players), view.viewer
        hands = [view.players[(me + place) % seats].hand for place in range(1, seats)]
        self._held = sum(hands)
        self._next_hand = next((held for held in hands if held), 0)
        unseen = _unseen(view)
        self._unseen = len(unseen)
        self._counts = [0] * (MOST + 1)  # By value, what nobody has seen yet.
        for card in unseen:
            for value in CARDS[card].values:
                self._counts[value] += 1

    def of(self, table: Laid) -> Prospect:
        """Return what a table promises."""
        best = self._best(table)
        return Prospect(self._threat(best), self._held_back(table), self._chance(table, best))

    def alone(self, value: Value) -> float:
        """Return how likely nobody else has a card of a value."""
        return self._nobody(self._counts[value], self._held)

    def _threat(self, best: dict[Value, float]) -> float:
        """Return what the best card of a hand that nobody has seen takes on average."""
        if not self._next_hand:
            return 0.0
        total, better, none = 0.0, 0, 1.0
        for value in sorted(best, key=best.__getitem__, reverse=True):
            better += self._counts[value]
            still_none = self._nobody(better, self._next_hand)
            total += best[value] * (none - still_none)
            none = still_none
        return total

    def _chance(self, table: Laid, best: dict[Value, float]) -> Chance | None:
        chances = (
            Chance(card, best[value], self.alone(value))
            for card in table.hand
            for value in CARDS[card].values
            if value in best
        )
        return max(chances, key=lambda each: each.points * each.alone, default=None)

    def _held_back(self, table: Laid) -> float:
        values = {value for card in table.hand for value in CARDS[card].values}
        stacks = (item for items in table.fields for item in items if item.value in values)
        return sum(self.worth.of(item.cards) * self.alone(item.value) for item in stacks)

    def _nobody(self, cards: int, held: int) -> float:
        """Return how likely none of some unseen cards is among so many that are held."""
        return max(0.0, 1 - cards / max(1, self._unseen)) ** held

    def _best(self, table: Laid) -> dict[Value, float]:
        """Return what a card of each value can take in points, in the field that has most."""
        best = dict[Value, float]()
        for field, items in enumerate(table.fields):
            if not self._can_harvest(table, field):
                continue
            for value, take in takes(items).items():
                points = self.worth.any_card + self.worth.of(take.cards)
                points += take.clears and self.worth.of_clearing(field, table.okuses)
                best[value] = max(points, best.get(value, 0.0))
        return best

    def _can_harvest(self, table: Laid, field: int) -> bool:
        action = FORBIDS[RING[(field - table.summer) % FIELDS]]
        for home, seen in enumerate(self.view.fields):
            if seen.luminary:
                action = LUMINARIES[seen.luminary](home).forbidden(action)
        return action != HARVEST


@lru_cache(maxsize=1024)
def takes(items: tuple[Item, ...]) -> dict[Value, Take]:
    """Return what a card of each value takes of a field, where it takes anything."""
    return dict(_takes(items))


def _takes(items: tuple[Item, ...]) -> Iterator[tuple[Value, Take]]:
    for value in range(1, MOST + 1):
        if can_take(items, value):
            plan = planning.harvest([*items], value)
            cards = tuple(card for item, _ in plan for card in item.cards)
            yield value, Take(cards, clears=len(plan) == len(items))


def _unseen(view: View) -> list[Card]:
    """Return the cards that the seat has neither taken nor in sight."""
    assert view.own is not None
    seen = {*view.own.hand, *view.own.pile}
    seen.update(card for field in view.fields for item in field.items for card in item.cards)
    return [card for card in deck(view) if card not in seen]
