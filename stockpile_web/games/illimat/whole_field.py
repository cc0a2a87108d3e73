"""Whether a whole field falls into groups of one value, and into which."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from stockpile_web.games.illimat.data import CARDS
from stockpile_web.games.illimat.fields import Item, Part, Value

Values = tuple[Value, ...]

# Items tried before the search gives up. Up to fourteen items never need as many; of a larger field
# that would need more, all can still be taken step by step.
WORK = 1_000
LOW, HIGH = CARDS["SuF"].values  # What a Fool can count as.


def split(items: Sequence[Item], value: Value) -> list[Part] | None:
    """Return how all of these fall into groups of `value`, in their order; None: not at all."""
    whole = [(item, item.value) for item in items if item.is_multiple]
    if any(item.value != value for item, _ in whole):
        return None
    rest = [item for item in items if not item.is_multiple]
    fools = [item for item in rest if len(item.values) > 1]
    others = [(item, item.values[0]) for item in rest if len(item.values) == 1]
    for high in range(len(fools) + 1):
        parts = [(item, HIGH) for item in fools[:high]] + others
        parts += [(item, LOW) for item in fools[high:]]
        if found := _split(parts, value):
            return whole + found
    return None if rest else whole


def _split(parts: list[Part], value: Value) -> list[Part] | None:
    """Do the same where every Fool counts as something."""
    values = sorted((counts for _, counts in parts), reverse=True)
    if not values or sum(values) % value or values[0] > value:
        return None
    order = _Search(value).groups(tuple(values))
    if order is None:
        return None
    by_value = defaultdict(list)
    for item, counts in parts:
        by_value[counts].append(item)
    return [(by_value[counts].pop(), counts) for counts in order]


class _Search:
    """Puts the largest value that is left into a group, in every way, until nothing is left."""

    def __init__(self, value: Value) -> None:
        self.value, self.work = value, WORK
        self.failed: set[Values] = set()

    def groups(self, values: Values) -> list[Value] | None:
        """Return the values, largest first, in the order of groups."""
        if not values:
            return []
        if values not in self.failed:
            for group, left in self._fill(values[1:], 0, self.value - values[0]):
                further = self.groups(left)
                if further is not None:
                    return [values[0], *group, *further]
            self.failed.add(values)
        return None

    def _fill(
        self, values: Values, start: int, room: Value
    ) -> Iterator[tuple[list[Value], Values]]:
        """Yield each way to fill `room` from `values[start:]`, and what it leaves of all."""
        if not room:
            yield [], values
            return
        if not self.work or not _makes(values[start:], room):
            return
        tried = 0
        for place in range(start, len(values)):
            each = values[place]
            if each != tried and each <= room:
                tried = each
                self.work = max(0, self.work - 1)
                left = values[:place] + values[place + 1 :]
                for group, rest in self._fill(left, place, room - each):
                    yield [each, *group], rest


def _makes(values: Values, room: Value) -> bool:
    found = 1
    for value in values:
        found |= found << value
    return bool(found >> room & 1)
