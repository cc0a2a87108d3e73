"""Why a move is not open, in the player's words and from what the player sees alone."""

from collections.abc import Iterable
from typing import Any

from stockpile_web.games.illimat import choosing, stockpiling
from stockpile_web.games.illimat.data import (
    CARDS,
    FIELDS,
    HARVEST,
    MOST,
    SOW,
    STOCKPILE,
    SUITS,
    Card,
)
from stockpile_web.games.illimat.fields import Item, can_take, worths
from stockpile_web.games.illimat.moves import (
    Add,
    Finish,
    Harvest,
    HarvestAll,
    Move,
    Sow,
    SowMore,
    Stockpile,
    Swap,
)
from stockpile_web.games.illimat.view import ChoiceView, OwnView, View

DONE = {SOW: "sown", HARVEST: "harvested", STOCKPILE: "stockpiled"}


def why_not(view: View, moves: list[Move], move: Any) -> str:
    """Say why `move` is not among the moves that are open to the viewer."""
    if view.own is None or not moves:
        return ""
    if reason := _season(moves, move):
        return reason
    if view.own.choice is not None:
        return _choice(view, view.own.choice, move)
    cards = _played(move)
    if not cards or not {*cards} <= {*CARDS} or move.field not in range(FIELDS):
        return ""  # Either it is of another moment, or no page has such a move.
    if missing := [card for card in cards if card not in view.own.hand]:
        return f"You do not hold the {CARDS[missing[0]].name}."
    return _card(view, view.own, moves, move)


def _played(move: Any) -> tuple[Card, ...]:
    """Return the cards that a move plays from the hand."""
    match move:
        case Sow(card) | SowMore(card) | Stockpile(card) | Swap(card):
            return (card,)
        case Harvest(cards) | HarvestAll(cards):
            return cards
    return ()


def _season(moves: list[Move], move: Any) -> str:
    """Say what is wrong with a move that would be open with another season, or without one."""
    if not isinstance(move, Sow | SowMore | HarvestAll | Finish):
        return ""
    alike = [each for each in moves if isinstance(each, type(move))]
    named = [each.season for each in alike if _but_season(each) == _but_season(move)]
    if not named or move.season in named:
        return ""
    return "Name a season for this field." if any(named) else "No season is named with this card."


def _but_season(move: Any) -> list[Any]:
    """Return all that a move says, except for a season."""
    return [getattr(move, name) for name in type(move).__match_args__ if name != "season"]


def _card(view: View, own: OwnView, moves: list[Move], move: Any) -> str:
    """Say why a card in hand cannot be used so."""
    match move:
        case Sow():
            return _play(view, move.field, SOW)
        case SowMore():
            is_due = any(isinstance(each, SowMore) for each in moves)
            return "" if is_due else "No further card is to be sown now."
        case Harvest() | HarvestAll():
            return _play(view, move.field, HARVEST) or _harvest(view, move)
        case Stockpile():
            return _play(view, move.field, STOCKPILE) or _stockpile(view, own, move)
        case Swap():
            return _swap(view, moves, move)
    return ""


def _play(view: View, field: int, action: str) -> str:
    """Say what forbids an action in a field, whatever the card."""
    if view.played:
        return "You have made the play of this turn."
    if view.fields[field].forbidden == action:
        return f"{SUITS[view.fields[field].season]}: nothing is {DONE[action]} in this field."
    return ""


def _harvest(view: View, move: Harvest | HarvestAll) -> str:
    field, value = view.fields[move.field], move.value
    if len(move.cards) > field.harvest_cards:
        return "In this field one card harvests by itself."
    if value not in worths(move.cards):
        return f"What you play is not worth {value}."
    if not can_take(field.items, value):
        return f"Nothing in this field makes {value}."
    if isinstance(move, HarvestAll):
        return f"Not everything in this field falls into groups of {value}."
    return ""


def _stockpile(view: View, own: OwnView, move: Stockpile) -> str:
    if move.value > MOST:
        return f"A stockpile is worth {MOST} at most."
    if move.value not in stockpiling.passive_values(own.hand, move.card):
        return f"You hold no other card worth {move.value}."
    if not stockpiling.can_stack(view.fields[move.field].items, move.counts, move.value):
        return f"{move.counts} and what lies in this field do not make {move.value}."
    return ""


def _swap(view: View, moves: list[Move], move: Swap) -> str:
    items = view.fields[move.field].items
    if any(move.item in item.cards and not item.is_loose for item in items):
        return "Cards in a stockpile are not exchanged."
    if not view.swapped:
        return ""
    if not any(isinstance(each, Swap) for each in moves):
        return "You have exchanged what you may."
    if {move.card, move.item} & {*view.swapped}:
        return "A card that you have given or taken stays where it is."
    return ""


def _choice(view: View, choice: ChoiceView, move: Any) -> str:
    """Say why a harvest or a stockpile that was begun does not go on so."""
    match move:
        case Finish():
            return _finish(choice)
        case Add():
            items = view.fields[choice.field].items
            left = {item.name: item for item in choosing.items_left(items, choice.added)}
            if move.item not in left:
                return "That is not in this field any more."
            return _add(choice, left.pop(move.item), move.counts, [*left.values()])
    return "Finish what you have begun."


def _finish(choice: ChoiceView) -> str:
    if choice.group:
        return f"{_plus(choice.group)} is not {choice.value} yet."
    return "" if choice.added else f"Choose at least one group that makes {choice.value}."


def _add(choice: ChoiceView, item: Item, counts: int, rest: list[Item]) -> str:
    value, total = choice.value, sum(choice.group) + counts
    if item.is_multiple:
        if item.value != value:
            return f"This stockpile is only for cards worth {item.value}."
        return f"First fill the group: {_plus(choice.group)} is not {value} yet."
    if counts not in item.values or choosing.fits(item, counts, choice.group, value, rest):
        return ""
    group = _plus([*choice.group, counts])
    if total > value:
        return f"{group} is {'already ' if choice.group else ''}more than {value}."
    return f"{group} leaves {value - total}, which nothing else in this field makes."


def _plus(parts: Iterable[int]) -> str:
    return " + ".join(str(part) for part in parts)
