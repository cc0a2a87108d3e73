"""Two bots that take the first move there is; one of them says that it has to think."""

from typing import Any

from stockpile_web.engine import Advice, Bot, Rng
from stockpile_web.engine.advice import move_facts


def choose(view: Any, moves: list[Any], rng: Rng) -> Any:
    """Pick what can be picked, and lay it."""
    return moves[0]


def explain(view: Any, moves: list[Any]) -> list[Advice]:
    """Rank them as they come."""
    return [
        Advice(move, None, move_facts(move), [{"kind": "first_of_all"}] if move == moves[0] else [])
        for move in moves
    ]


BOTS = {
    "quick": Bot("Quick", "I lay what I can.", choose, explain=explain),
    "slow": Bot("Slow", "I lay what I can, later.", choose, thinks=True),
}
