"""What lies in a field, loose or stacked, and the sums that can be made of it."""

from collections.abc import Iterable, Sequence
from itertools import product

from stockpile_web.engine import Piece
from stockpile_web.games.illimat.data import CARDS, Card

Value = int
Part = tuple["Item", Value]  # Something in a group, and what it counts as there.


class Item(Piece, frozen=True, omit_defaults=True):
    """A loose card or a stockpile; it goes by the name of its first card."""

    cards: tuple[Card, ...]
    value: Value = 0  # Of a stockpile.
    times: int = 1  # How often a stockpile has its value; more than once: a multiple one.

    @property
    def name(self) -> Card:
        """What moves call it."""
        return self.cards[0]

    @property
    def is_loose(self) -> bool:
        """Whether it is a card by itself."""
        return not self.value

    @property
    def is_multiple(self) -> bool:
        """Whether it is a stockpile that is only taken whole and by its own value."""
        return self.times > 1

    @property
    def values(self) -> tuple[Value, ...]:
        """What it can count as; in a stockpile even a Fool has been settled."""
        return (self.value,) if self.value else CARDS[self.cards[0]].values


def worths(cards: Iterable[Card]) -> list[Value]:
    """Return what cards of a hand can be worth together."""
    return sorted({sum(values) for values in product(*(CARDS[card].values for card in cards))})


def sums(items: Iterable[Item]) -> int:
    """Return which sums groups of these can have: bit n stands for n. Multiples make none."""
    found = 1
    for item in items:
        if not item.is_multiple:
            before = found
            for value in item.values:
                found |= before << value
    return found


def makes(items: Iterable[Item], value: Value) -> bool:
    """Tell whether some of these, or none for 0, add up to `value`."""
    return value >= 0 and bool(sums(items) >> value & 1)


def multiples(items: Iterable[Item]) -> set[Value]:
    """Return the values of the multiple stockpiles among these."""
    return {item.value for item in items if item.is_multiple}


def can_take(items: Sequence[Item], value: Value) -> bool:
    """Tell whether a card of this value can take anything."""
    return makes(items, value) or value in multiples(items)
