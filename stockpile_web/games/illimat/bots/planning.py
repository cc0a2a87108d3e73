"""Whole harvests and stockpiles, thought out before they are put together step by step."""

from stockpile_web.games.illimat.fields import Item, Part, sums
from stockpile_web.games.illimat.whole_field import split

Plan = list[Part]  # In the order in which items are added.


def harvest(items: list[Item], value: int) -> Plan:
    """Return a plan that takes much: everything if that can be, else group after group.

    Large items go first, so that small ones are left to fill the groups.
    """
    whole = split(items, value)
    if whole is not None:
        return whole
    plan: Plan = [(item, value) for item in items if item.is_multiple and item.value == value]
    left = [item for item in items if not item.is_multiple]
    left.sort(key=lambda item: item.values, reverse=True)
    place = 0
    while place < len(left):
        group = _group(left[place:], value)
        if group is None:
            place += 1
            continue
        plan += group
        names = {item.name for item, _ in group}
        left = [item for item in left if item.name not in names]
    return plan


def stockpile(items: list[Item], value: int, counts: int) -> Plan:
    """Return a plan that fills the group of the active card, and then takes as a harvest does."""
    if counts == value:
        return harvest(items, value)
    single = [item for item in items if not item.is_multiple]
    single.sort(key=lambda item: item.values, reverse=True)
    first = _fill(single, value - counts) or []
    names = {item.name for item, _ in first}
    return first + harvest([item for item in items if item.name not in names], value)


def _group(items: list[Item], value: int) -> Plan | None:
    """Return a group of `value` that has the first item in it, if there is one."""
    for counts in items[0].values:
        rest = _fill(items[1:], value - counts)
        if rest is not None:
            return [(items[0], counts), *rest]
    return None


def _fill(items: list[Item], room: int) -> Plan | None:
    """Return some of these that add up to `room`, if any do; the first ones that can."""
    if room < 0 or not sums(items) >> room & 1:
        return None
    plan: Plan = []
    while room:
        item, *items = items
        for counts in item.values:
            if counts <= room and sums(items) >> (room - counts) & 1:
                plan.append((item, counts))
                room -= counts
                break
    return plan
