"""Three ways to count whole harvests and stockpiles: by steps, by partitions and by subsets."""

from collections.abc import Iterator
from itertools import chain, combinations, product
from random import Random

from stockpile_web.engine import Dealer
from stockpile_web.games import illimat
from stockpile_web.games.illimat import choosing
from stockpile_web.games.illimat.data import CARDS
from stockpile_web.games.illimat.fields import Item
from stockpile_web.games.illimat.moves import Add, Finish, Harvest, Stockpile
from stockpile_web.games.illimat.state import Choice, State
from tests.games.illimat.table import table

Chosen = frozenset[str]


def by_steps(state: State, opening: Harvest | Stockpile) -> set[Chosen]:
    """Return every set of items with which a choice can be finished, by taking all steps."""
    illimat.play(state, 0, opening, Dealer("open"))
    begun = state.turn.choice
    assert begun is not None
    found: set[Chosen] = set()
    seen: set[tuple[Chosen, int]] = set()
    waiting = [begun]
    while waiting:
        choice = waiting.pop()
        for move in choosing.legal(state, choice):
            if isinstance(move, Finish):
                found.add(frozenset(choice.added))
            elif isinstance(move, Add):
                further = Choice(
                    choice.cards, choice.field, choice.value, choice.counts,
                    choice.group[:], choice.times, choice.added[:],
                )  # fmt: skip
                choosing.add(state, further, move)
                key = frozenset(further.added), sum(further.group)
                if key not in seen:
                    seen.add(key)
                    waiting.append(further)
    state.turn.choice = None
    return found


def by_partitions(items: list[Item], value: int, active: int) -> set[Chosen]:
    """List all sets of items, all values of their Fools, and all ways to divide them: slow."""
    found: set[Chosen] = set()
    for chosen in chain.from_iterable(combinations(items, n) for n in range(1, len(items) + 1)):
        whole = [item for item in chosen if item.times > 1]
        single = [item for item in chosen if item.times == 1]
        if any(item.value != value for item in whole):
            continue
        for values in product(*(item.values for item in single)):
            parts = [*values, active] if active else [*values]
            if any(all(sum(group) == value for group in groups) for groups in partitions(parts)):
                found.add(frozenset(item.name for item in chosen))
                break
    return found


def partitions(parts: list[int]) -> Iterator[list[list[int]]]:
    """Yield every way to divide parts into groups."""
    if not parts:
        yield []
        return
    for groups in partitions(parts[1:]):
        yield [[parts[0]], *groups]
        for place, group in enumerate(groups):
            yield [*groups[:place], [parts[0], *group], *groups[place + 1 :]]


def by_masks(items: list[Item], value: int, active: int) -> set[Chosen]:
    """Fill groups one after the other over all subsets as numbers: a table of sums reached."""
    single = [item for item in items if item.times == 1]
    reached = [0] * (1 << len(single))  # Of each subset: a bit for each sum of the open group.
    reached[0] = 1 << active % value
    for mask in range(len(reached)):
        for place, item in enumerate(single):
            if reached[mask] and not mask >> place & 1:
                for counts in item.values:
                    below = reached[mask] & ((1 << max(0, value - counts + 1)) - 1)
                    moved = below << counts
                    full = moved >> value & 1
                    reached[mask | 1 << place] |= (moved & ~(1 << value)) | full
    whole = [item.name for item in items if item.times > 1 and item.value == value]
    extras = [*chain.from_iterable(combinations(whole, n) for n in range(len(whole) + 1))]
    found = {
        frozenset([*(single[p].name for p in range(len(single)) if mask >> p & 1), *extra])
        for mask, sums in enumerate(reached)
        if sums & 1
        for extra in extras
    }
    return found - {frozenset()}


def random_field(random: Random, count: int, most: int = 14) -> list[Item]:
    """Return loose cards and some stockpiles; only their values matter, not what is in them."""
    pool = [card for card, face in CARDS.items() if face.values[0] <= most]
    cards = random.sample(pool, count)
    items = []
    for card in cards:
        kind = random.random()
        value = random.randint(2, min(14, most + 4))
        if kind < 0.7:
            items.append(Item((card,)))
        else:
            items.append(Item((card,), value, 1 if kind < 0.9 else 2))
    return items


def openings(state: State) -> list[Harvest | Stockpile]:
    return [
        move
        for move in illimat.legal(state, 0)
        if isinstance(move, Harvest | Stockpile) and move.field == 0
    ]


def laid(items: list[Item], hand: str, up: str = "") -> State:
    state = table({0: hand}, up={0: up} if up else None)
    state.fields[0].items = items
    return state


def active_of(opening: Harvest | Stockpile) -> int:
    return opening.counts if isinstance(opening, Stockpile) else 0
