"""Boards of Illimat as they are worked out for a viewer."""

from collections.abc import Sequence

from stockpile_web.engine import Event
from stockpile_web.games import illimat
from stockpile_web.games.illimat.board import Board
from stockpile_web.games.illimat.state import State


def board_of(state: State, viewer: int | None, events: Sequence[Event] = ()) -> Board:
    """Return what the board of a viewer shows after events that are new to them."""
    moves = [] if viewer is None else illimat.legal(state, viewer)
    since = [facts for event in events if (facts := event.seen_by(viewer)) is not None]
    return illimat.board(illimat.view(state, viewer), moves, since, illimat.result(state))
