"""The table as it will lie after a play, before anybody draws."""

from collections.abc import Iterable
from typing import NamedTuple

from stockpile_web.games.illimat.bots import planning
from stockpile_web.games.illimat.data import CARDS, FIELDS, RING, STARS, SUMMER, Card, Season
from stockpile_web.games.illimat.fields import Item, Value
from stockpile_web.games.illimat.moves import (
    Finish,
    Harvest,
    HarvestAll,
    Move,
    Sow,
    SowMore,
    Stockpile,
    Swap,
    TurnIllimat,
)
from stockpile_web.games.illimat.view import View


class Laid(NamedTuple):
    """What lies in the fields, and what the seat still holds."""

    fields: list[tuple[Item, ...]]
    hand: list[Card]
    summer: int  # The field toward which Summer points.
    okuses: int


class Play(NamedTuple):
    """A play that is carried out whole: the cards played, and what they take or stack."""

    cards: tuple[Card, ...]
    field: int
    items: list[Item]
    value: Value = 0
    times: int = 0  # Of a stockpile, how often it will have its value; a harvest has none.


def laid(view: View) -> Laid:
    """Return the table as it lies now."""
    assert view.own is not None
    summer = next(home for home, field in enumerate(view.fields) if field.season == SUMMER)
    return Laid([tuple(field.items) for field in view.fields], view.own.hand, summer, view.okuses)


def after(view: View, move: Move, season: Season = "") -> Laid:
    """Return the table after a move; `season` is what will be named for a turn just begun."""
    now = laid(view)
    match move:
        case Sow(card, field, season) | SowMore(card, field, season):
            items = (*now.fields[field], Item((card,)))
            return _turned(view, _with(now, field, items, (card,)), field, (card,), season)
        case Swap(card, item, field):
            items = tuple(
                Item((card,)) if each.name == item else each for each in now.fields[field]
            )
            swapped = _with(now, field, items, (card,))
            return swapped._replace(hand=[*swapped.hand, item])
        case TurnIllimat(season):
            assert view.cleared is not None
            return now._replace(summer=_summer(view.cleared, season))
        case HarvestAll() | Finish():
            season = move.season
    play = play_of(view, move)
    return _played(view, now, play, season) if play else now


def play_of(view: View, move: Move) -> Play | None:
    """Return the harvest or stockpile that a move comes to, if any."""
    match move:
        case HarvestAll(cards, field, value):
            return Play(cards, field, view.fields[field].items, value)
        case Harvest(cards, field, value):
            plan = planning.harvest(view.fields[field].items, value)
            return Play(cards, field, _planned(view, field, plan), value)
        case Stockpile(card, field, value, counts):
            plan = planning.stockpile(view.fields[field].items, value, counts)
            times = _times(plan, value, counts)
            return Play((card,), field, _planned(view, field, plan), value, times)
        case Finish():
            assert view.own is not None
            choice = view.own.choice
            assert choice is not None
            items = [each for each in view.fields[choice.field].items if each.name in choice.added]
            times = choice.times if choice.counts else 0
            return Play(choice.cards, choice.field, items, choice.value, times)
    return None


def _planned(view: View, field: int, plan: planning.Plan) -> list[Item]:
    """Return the items of a plan as they lie in the field."""
    names = {item.name for item, _ in plan}
    return [item for item in view.fields[field].items if item.name in names]


def seasons_to_name(view: View, move: Move) -> tuple[Season, ...]:
    """Return what may be named at the end of a turn that a step begins; empty: nothing."""
    play = play_of(view, move) if isinstance(move, Harvest | Stockpile) else None
    turning = play and _turning(play.cards)
    return RING if turning and CARDS[turning].suit == STARS and view.can_turn else ("",)


def _played(view: View, now: Laid, play: Play, season: Season) -> Laid:
    items = tuple(item for item in now.fields[play.field] if item not in play.items)
    if play.times:
        stacked = (card for item in play.items for card in item.cards)
        items = (*items, Item((*play.cards, *stacked), play.value, play.times))
    then = _with(now, play.field, items, play.cards)
    if not items:
        then = then._replace(okuses=max(0, now.okuses - 1))
    return _turned(view, then, play.field, play.cards, season)


def _with(now: Laid, field: int, items: tuple[Item, ...], played: Iterable[Card]) -> Laid:
    fields = [*now.fields]
    fields[field] = items
    return now._replace(fields=fields, hand=[card for card in now.hand if card not in played])


def _turned(view: View, then: Laid, field: int, cards: tuple[Card, ...], season: Season) -> Laid:
    card = _turning(cards)
    named = season or (CARDS[card].suit if card else STARS)
    if named == STARS or not view.can_turn:
        return then
    return then._replace(summer=_summer(field, named))


def _turning(cards: tuple[Card, ...]) -> Card:
    """Return the face card that was played last: its season stands."""
    return next((card for card in reversed(cards) if CARDS[card].turns), "")


def _summer(field: int, season: Season) -> int:
    return (field - RING.index(season)) % FIELDS


def _times(plan: planning.Plan, value: Value, counts: Value) -> int:
    """Return how often a stockpile will have its value."""
    single = sum(part for item, part in plan if not item.is_multiple)
    return (counts + single) // value + sum(item.times for item, _ in plan if item.is_multiple)
