"""Putting a harvest or a stockpile together: items are added to one group after the other.

An item can be added only if its group can still be filled from what is left, so that whatever was
begun can be finished. A full group closes by itself, and the next item begins a new one.
"""

from stockpile_web.games.illimat import seasons
from stockpile_web.games.illimat.data import Card
from stockpile_web.games.illimat.fields import Item, Value, makes
from stockpile_web.games.illimat.moves import Add, Finish, Move
from stockpile_web.games.illimat.state import Choice, State


def legal(state: State, choice: Choice) -> list[Move]:
    """Return what can be added, and the end of it as soon as every group is full."""
    moves: list[Move] = []
    left = items_left(state.fields[choice.field].items, choice.added)
    for item in left:
        rest = [other for other in left if other is not item]
        moves += [
            Add(item.name, counts)
            for counts in item.values
            if fits(item, counts, choice.group, choice.value, rest)
        ]
    if choice.added and not choice.group:
        moves += [Finish(season) for season in seasons.to_name(state, choice.cards)]
    return moves


def items_left(items: list[Item], added: list[Card]) -> list[Item]:
    """Return the items of a field that were not added yet."""
    return [item for item in items if item.name not in added]


def fits(item: Item, counts: Value, group: list[Value], value: Value, rest: list[Item]) -> bool:
    """Tell whether a group can be filled up to `value` with this item and some of the `rest`.

    A multiple stockpile is nothing but full groups of its own value.
    """
    if item.is_multiple:
        return not group and item.value == value
    return makes(rest, value - sum(group) - counts)


def add(state: State, choice: Choice, move: Add) -> None:
    """Put an item into its group, and close the group if it is full."""
    item = state.fields[choice.field].item(move.item)
    choice.added.append(item.name)
    if item.is_multiple:
        choice.times += item.times
        return
    choice.group.append(move.counts)
    if sum(choice.group) == choice.value:
        choice.group = []
        choice.times += 1


def chosen(state: State, choice: Choice) -> list[Item]:
    """Return the items that were added, as they lie in the field."""
    return [item for item in state.fields[choice.field].items if item.name in choice.added]
