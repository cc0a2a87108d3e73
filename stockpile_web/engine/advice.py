"""What a bot says of the choices of a seat: how it ranks them, and why, as plain data."""

from collections.abc import Callable
from typing import Any

import msgspec

from stockpile_web.engine.dealer import Facts


class Advice(msgspec.Struct, frozen=True):
    """What a bot thinks of one move; `what` and `why` are told by the game's `coach.html`."""

    move: Any  # One of the legal ones; of a turn in steps, the first step.
    # What it promises, in the unit of a score; None where the bot goes by something else.
    worth: float | None
    what: Facts  # The move itself; of a turn in steps, all of the turn.
    why: list[Facts]
    # Others may undo it in the same phase, and then the seat chooses anew.
    is_provisional: bool = False


# Given a seat's view and its legal moves, all of them ranked, the best first. It sees no more than
# that, and says the same whenever it is asked the same.
Explain = Callable[[Any, list[Any]], list[Advice]]


def move_facts(move: Any) -> Facts:
    """Return a move as facts: its kind is the name of its class."""
    return {"kind": type(move).__name__, **msgspec.structs.asdict(move)}
