"""Why the steady bot ranks moves as it does, in facts that `coach.html` tells."""

from stockpile_web.engine import Advice, Facts
from stockpile_web.engine.advice import move_facts
from stockpile_web.games.stonks.bots.steady import SPECULATION, Mind
from stockpile_web.games.stonks.moves import Acquire, Announce, Invest, Move, PlayCard
from stockpile_web.games.stonks.view import View


def explain(view: View, moves: list[Move]) -> list[Advice]:
    """Rank the moves by what they promise, and say why."""
    mind = Mind(view)
    weighed = sorted(((mind.weigh(move), move) for move in moves), key=lambda each: -each[0])
    return [Advice(move, worth, move_facts(move), _why(mind, move)) for worth, move in weighed]


def _why(mind: Mind, move: Move) -> list[Facts]:
    if isinstance(move, Invest | Acquire):
        cards = [move.show, move.hide] if isinstance(move, Invest) else [move.card]
        return [{"kind": "adds", "card": card, "points": mind.adds(card)} for card in cards]
    facts: list[Facts] = []
    if not isinstance(move, Announce) and move.company:
        facts.append({"kind": "moves_market", "points": round(mind.market(move), 1)})
    trick = mind.trick(move)
    percent = round(100 * trick.chance)
    facts.append(
        {"kind": "trick_has", "card": trick.best, "points": trick.prize, "chance": percent}
    )
    if not isinstance(move, PlayCard):
        facts.append({"kind": "speculates", "points": round(SPECULATION)})
    return facts
