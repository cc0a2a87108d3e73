"""Turns that are built step by step: how one is chosen, and how it is written down."""

from collections.abc import Callable, Sequence
from typing import Any

from stockpile_web.engine import Dealer, Game, Seat, Step, codec, take_turn

# So many at the most before the move that completes a turn: whoever takes more goes in circles.
MOST_STEPS = 60

# Chooses one of the legal moves, given the state in which they are open.
Choose = Callable[[Any, list[Any]], Any]


class EndlessTurn(RuntimeError):
    """Step followed upon step, and no move completed the turn."""


def choose_turn(
    game: Game,
    state: Any,
    seat: Seat,
    moves: list[Any],
    choose: Choose,
    taken: Sequence[Step] = (),
) -> list[Any]:
    """Choose steps, taking each of them in `state`, and the move that completes the turn.

    That last move is not played yet. `moves` are the legal ones, after the steps that were `taken`
    before, and `choose` gives one of them. Return the whole turn.
    """
    turn: list[Any] = [*taken]
    while len(turn) <= MOST_STEPS:
        move = choose(state, moves)
        turn.append(move)
        if not isinstance(move, Step):
            return turn
        take_turn(game, state, seat, move, Dealer(""), moves)
        moves = game.legal(state, seat)
    raise EndlessTurn(f"A turn has at most {MOST_STEPS} steps, and this one would have more.")


def go_on(
    game: Game, state: Any, seat: Seat, moves: list[Any], step: Step, choose: Choose
) -> list[Any]:
    """Return the whole turn that is chosen from `step` on; it is built in a copy of `state`."""
    apart = codec.load(game.State, codec.dump(state))
    take_turn(game, apart, seat, step, Dealer(""), moves)
    return choose_turn(game, apart, seat, game.legal(apart, seat), choose, [step])


def as_recorded(turn: list[Any]) -> Any:
    """Return a turn as it is written down: its only move, or a list if there were steps."""
    return turn if len(turn) > 1 else turn[0]
