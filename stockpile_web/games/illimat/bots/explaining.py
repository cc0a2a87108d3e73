"""Why the steady bot ranks plays as it does, in facts that `coach.html` tells."""

from typing import Any

from stockpile_web.engine import Advice, Facts
from stockpile_web.engine.advice import move_facts
from stockpile_web.games.illimat.bots.plays import Play, after, play_of
from stockpile_web.games.illimat.bots.steady import LATER, Weighing, next_step
from stockpile_web.games.illimat.bots.worth import crops
from stockpile_web.games.illimat.data import CARDS, SUMMER, WINTER, Card
from stockpile_web.games.illimat.moves import (
    Add,
    Finish,
    Harvest,
    HarvestAll,
    Move,
    Sow,
    SowMore,
    Stockpile,
    TurnIllimat,
)
from stockpile_web.games.illimat.view import View

TOLD = 0.05  # Points: what counts for less is not worth a sentence.


def explain(view: View, moves: list[Move]) -> list[Advice]:
    """Rank the moves by what they promise, each with the whole turn to which it would lead.

    In the midst of a turn the plan with which it began is gone on with, whatever else there is.
    """
    assert view.own is not None
    weighing = Weighing(view)
    if view.own.choice is not None:
        first = next_step(weighing, view.own.choice, moves)
        others = (move for move in moves if move != first)
        return [_going_on(weighing, move, is_planned=move == first) for move in (first, *others)]
    weighed = sorted(((weighing.promise(move), move) for move in moves), key=lambda each: -each[0])
    return [Advice(move, worth, _what(view, move), _why(weighing, move)) for worth, move in weighed]


def _going_on(weighing: Weighing, move: Move, *, is_planned: bool) -> Advice:
    """Say what is thought of a further step; of the last one, all that the turn has come to."""
    view = weighing.view
    if not isinstance(move, Finish):
        return Advice(move, None, _what(view, move), [{"kind": "planned"}] if is_planned else [])
    play = play_of(view, move)
    assert play is not None
    what = {
        **move_facts(move),
        "cards": [*play.cards],
        "field": view.fields[play.field].season,
        "items": [item.cards for item in play.items],
        "value": play.value,
        "stacks": play.times > 0,
    }
    return Advice(move, weighing.promise(move), what, _why(weighing, move))


def _what(view: View, move: Any) -> Facts:
    """Return a move as facts, with the seasons of its field and all that it takes."""
    facts = move_facts(move)
    if not isinstance(move, TurnIllimat) and "field" in facts:
        facts["field"] = view.fields[move.field].season
    if isinstance(move, Harvest | HarvestAll | Stockpile):
        play = play_of(view, move)
        assert play is not None
        facts["items"] = [item.cards for item in play.items]
    if isinstance(move, Add):
        assert view.own is not None
        assert view.own.choice is not None
        items = view.fields[view.own.choice.field].items
        facts["items"] = [item.cards for item in items if item.name == move.item]
    return facts


def _why(weighing: Weighing, move: Move) -> list[Facts]:
    """Return what a move brings at once, and then how it leaves the table."""
    play, facts = play_of(weighing.view, move), list[Facts]()
    if isinstance(move, Sow | SowMore):
        facts = [{**_counted([move.card]), "kind": "gives_away"}]
    elif play is not None and play.times:
        alone = weighing.prospects.alone(play.value)
        facts = [{**_counted(_cards(play)), "kind": "stacks", "alone": round(alone, 2)}]
    elif play is not None:
        facts = _harvested(weighing.view, play)
    return [*facts, *_left(weighing, move)]


def _harvested(view: View, play: Play) -> list[Facts]:
    facts: list[Facts] = [{**_counted(_cards(play)), "kind": "takes"}]
    seen = view.fields[play.field]
    if len(play.items) == len(seen.items):
        facts.append(
            {
                "kind": "clears",
                "okus": view.okuses > 0,
                "luminary": seen.luminary,
                "reveals": seen.is_face_down,
            }
        )
    mine, theirs = crops(view)
    if mine or theirs:  # The race for the Bumper Crop has begun.
        facts.append({"kind": "crop", "mine": mine, "theirs": theirs})
    return facts


def _left(weighing: Weighing, move: Move) -> list[Facts]:
    """Say what is left to the next player and to the seat itself, where it is not as before."""
    now, facts = weighing.now, list[Facts]()
    then = after(weighing.view, move, weighing.best_season(move))
    if then == now:
        return facts
    before, left = weighing.prospects.of(now), weighing.prospects.of(then)
    if abs(left.threat - before.threat) >= TOLD:
        points, earlier = round(left.threat, 2), round(before.threat, 2)
        facts.append({"kind": "leaves", "points": points, "before": earlier})
    if left.held < before.held - TOLD and not _takes_stockpile(weighing, move):
        facts.append({"kind": "lets_go"})
    chance = left.chance
    if chance and LATER * chance.points * chance.alone >= TOLD:
        points = round(chance.points, 2)
        facts.append({"kind": "could_take", "card": chance.card, "points": points})
    if any(CARDS[card].turns for card in now.hand if card not in then.hand):
        facts.append({"kind": "spends_face"})
    return facts


def _takes_stockpile(weighing: Weighing, move: Move) -> bool:
    play = play_of(weighing.view, move)
    return play is not None and any(not item.is_loose for item in play.items)


def _cards(play: Play) -> list[Card]:
    return [*play.cards, *(card for item in play.items for card in item.cards)]


def _counted(cards: list[Card]) -> Facts:
    faces = [CARDS[card] for card in cards]
    return {
        "cards": len(faces),
        "summer": sum(face.suit == SUMMER for face in faces),
        "winter": sum(face.suit == WINTER for face in faces),
        "fools": sum(face.is_fool for face in faces),
    }
