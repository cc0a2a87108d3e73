"""Why the steady bot ranks plays as it does, in facts that `coach.html` tells."""

from typing import Any

from stockpile_web.engine import Advice, Facts
from stockpile_web.engine.advice import move_facts
from stockpile_web.games.illimat.bots.steady import (
    added,
    crops,
    has_match,
    is_bait,
    is_cleared,
    next_step,
    used,
    weigh,
)
from stockpile_web.games.illimat.data import CARDS, SUMMER, WINTER
from stockpile_web.games.illimat.fields import Item
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
    TurnIllimat,
)
from stockpile_web.games.illimat.view import View


def explain(view: View, moves: list[Move]) -> list[Advice]:
    """Rank the moves by what they promise, each with the whole turn to which it would lead.

    In the midst of a turn the plan with which it began is gone on with, whatever else there is.
    """
    assert view.own is not None
    if view.own.choice is not None:
        first = next_step(view, view.own.choice, moves)
        others = (move for move in moves if move != first)
        return [_going_on(view, move, is_planned=move == first) for move in (first, *others)]
    weighed = sorted(((weigh(view, move), move) for move in moves), key=lambda each: -each[0])
    return [Advice(move, worth, _what(view, move), _why(view, move)) for worth, move in weighed]


def _going_on(view: View, move: Move, *, is_planned: bool) -> Advice:
    """Say what is thought of a further step; of the last one, all that the turn has come to."""
    if not isinstance(move, Finish):
        return Advice(move, None, _what(view, move), [{"kind": "planned"}] if is_planned else [])
    assert view.own is not None
    assert view.own.choice is not None
    choice, items = view.own.choice, added(view)
    cards = [*choice.cards]
    what = {
        **move_facts(move),
        "cards": cards,
        "field": view.fields[choice.field].season,
        "items": [item.cards for item in items],
        "value": choice.value,
    }
    is_stack = choice.counts > 0
    why = [_stacked(cards, items)] if is_stack else _harvested(view, choice.field, cards, items)
    return Advice(move, weigh(view, move), {**what, "stacks": is_stack}, why)


def _what(view: View, move: Any) -> Facts:
    """Return a move as facts, with the seasons of its field and all that it takes."""
    facts = move_facts(move)
    if not isinstance(move, TurnIllimat) and "field" in facts:
        facts["field"] = view.fields[move.field].season
    if isinstance(move, Harvest | HarvestAll | Stockpile):
        facts["items"] = [item.cards for item in used(view, move)]
    if isinstance(move, Add):
        assert view.own is not None
        assert view.own.choice is not None
        items = view.fields[view.own.choice.field].items
        facts["items"] = [item.cards for item in items if item.name == move.item]
    return facts


def _why(view: View, move: Move) -> list[Facts]:
    match move:
        case Harvest(cards, field, _) | HarvestAll(cards, field, _):
            return _harvested(view, field, [*cards], used(view, move))
        case Stockpile(card):
            return [_stacked([card], used(view, move))]
        case Sow(card, field) | SowMore(card, field):
            facts: list[Facts] = [_given(card)]
            if has_match(view, card):
                facts.append({"kind": "can_take_it"})
            return [*facts, {"kind": "bait"}] if is_bait(view, field) else facts
        case Swap():
            return [{"kind": "swap_gains_nothing"}]
    return []


def _harvested(view: View, field: int, cards: list[str], items: list[Item]) -> list[Facts]:
    cleared = [_cleared(view, field)] if is_cleared(view, field, items) else []
    return [_taken(cards, items), *cleared, *_crop(view)]


def _taken(cards: list[str], items: list[Item]) -> Facts:
    faces = [CARDS[card] for card in (*cards, *(card for item in items for card in item.cards))]
    return {
        "kind": "takes",
        "cards": len(faces),
        "summer": sum(face.suit == SUMMER for face in faces),
        "winter": sum(face.suit == WINTER for face in faces),
        "fools": sum(face.is_fool for face in faces),
    }


def _stacked(cards: list[str], items: list[Item]) -> Facts:
    return {**_taken(cards, items), "kind": "stacks"}


def _crop(view: View) -> list[Facts]:
    """Say how the race for the Bumper Crop stands, once it has begun."""
    mine, theirs = crops(view)
    return [{"kind": "crop", "mine": mine, "theirs": theirs}] if mine or theirs else []


def _given(card: str) -> Facts:
    return {**_taken([card], []), "kind": "gives_away"}


def _cleared(view: View, field: int) -> Facts:
    seen = view.fields[field]
    return {
        "kind": "clears",
        "okus": view.okuses > 0,
        "luminary": seen.luminary,
        "reveals": seen.is_face_down,
    }
