"""A harvest or a stockpile that is being put together: its sums as they grow, and how it ends."""

from collections.abc import Sequence

from stockpile_web.engine import Facts, Piece
from stockpile_web.games.illimat.data import Card, Season
from stockpile_web.games.illimat.fields import Item, Value
from stockpile_web.games.illimat.moves import Finish, Move
from stockpile_web.games.illimat.view import ChoiceView, View

HARVEST, STACK = "harvest", "stockpile"


class Chosen(Piece, frozen=True):
    """What was chosen so far."""

    kind: str
    cards: tuple[Card, ...]  # Played.
    field: int
    value: Value
    times: int  # Full groups.
    groups: list[str]  # These, each as a sum.
    open: str  # The sum that is not full yet,
    missing: Value  # and what it wants.
    finish: Facts | None  # As soon as every group is full.
    seasons: list[Season]  # Between which its player chooses then.


def chosen(view: View, moves: list[Move]) -> Chosen | None:
    """Tell the sums of what is being put together, if anything is."""
    choice = view.own.choice if view.own else None
    if choice is None:
        return None
    by_name = {item.name: item for item in view.fields[choice.field].items}
    begun = [choice.counts] if choice.counts else []
    groups = _groups(choice, [by_name[name] for name in choice.added], begun) or []
    finishes = [move for move in moves if isinstance(move, Finish)]
    return Chosen(
        kind=STACK if choice.counts else HARVEST,
        cards=choice.cards,
        field=choice.field,
        value=choice.value,
        times=choice.times,
        groups=groups,
        open=_plus(choice.group),
        missing=choice.value - sum(choice.group),
        finish={"move": "Finish"} if finishes else None,
        seasons=[move.season for move in finishes if move.season],
    )


def _groups(choice: ChoiceView, items: Sequence[Item], group: list[Value]) -> list[str] | None:
    """Return the full groups as sums; None if Fools must count as something else for it."""
    if group and sum(group) == choice.value:
        rest = _groups(choice, items, [])
        return None if rest is None else [_plus(group), *rest]
    if not items:
        return [] if group == choice.group else None
    item = items[0]
    if item.is_multiple:
        rest = _groups(choice, items[1:], group)
        return None if rest is None else [f"{item.value} ×{item.times}", *rest]
    for value in item.values:
        if sum(group) + value <= choice.value:
            found = _groups(choice, items[1:], [*group, value])
            if found is not None:
                return found
    return None


def _plus(parts: Sequence[Value]) -> str:
    return " + ".join(str(part) for part in parts)
