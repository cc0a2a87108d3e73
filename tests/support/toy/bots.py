"""Two bots that take the first move there is; one of them says that it has to think."""

from typing import Any

from stockpile_web.engine import Bot, Rng


def choose(view: Any, moves: list[Any], rng: Rng) -> Any:
    """Pick what can be picked, and lay it."""
    return moves[0]


BOTS = {
    "quick": Bot("Quick", "Lays what it can.", choose),
    "slow": Bot("Slow", "Lays what it can, later.", choose, thinks=True),
}
