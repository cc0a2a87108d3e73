"""Any earlier turn of a match, from any side from which it may be seen.

It shows what was recorded and plays nothing: the rules of today never meet yesterday's moves.
"""

from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from stockpile_web.engine import Event, codec
from stockpile_web.games import GAMES
from stockpile_web.match.glance import Glance
from stockpile_web.match.perspective import Perspective, own_side
from stockpile_web.match.rows import read_past
from stockpile_web.match.rules_versions import load_state
from stockpile_web.match.table_view import Happened, Table, read_events

LOG_MOVES = 30  # So many are told beside a turn: enough to know how it came to it.


def open_past(connection: Connection, seen: Glance, first: int, last: int) -> list[Table]:
    """Load the states after some moves in a row, as their viewer may see them."""
    side = own_side(seen)
    log = told_to(connection, seen, side, first, last)
    return _tables(connection, seen, side, log, range(first, last + 1))


def open_turn(connection: Connection, seen: Glance, number: int, side: Perspective) -> Table:
    """Load the state after a move that was made, from a side, with the log up to it."""
    log = told_to(connection, seen, side, number + 1 - LOG_MOVES, number)
    return _tables(connection, seen, side, log, range(number, number + 1))[0]


def told_to(
    connection: Connection, seen: Glance, side: Perspective, first: int, last: int
) -> list[Happened]:
    """Return what is known from a side of the moves from `first` to `last`."""
    moves = []
    for number, text in read_events(connection, seen.match, first - 1, last + 1):
        told = (side.told(event) for event in codec.load(list[Event], text))
        moves.append(Happened(number, [facts for facts in told if facts is not None]))
    return [move for move in moves if move.facts]


def _tables(
    connection: Connection, seen: Glance, side: Perspective, log: list[Happened], moves: range
) -> list[Table]:
    found = read_past(connection, seen.match.id, moves[0], moves[-1])
    game = GAMES[seen.match.game]
    return [
        _table(side.look(seen), side, load_state(game, *past), number, log)
        for number, past in found.items()
    ]


def _table(seen: Glance, side: Perspective, state: Any, number: int, log: list[Happened]) -> Table:
    """Return a table as it stood; new is what the move itself has changed."""
    game = GAMES[seen.match.game]
    table = Table(
        match_id=seen.match.id,
        game=seen.match.game,
        title=game.TITLE,
        status=seen.match.status,
        version=number + 1,
        viewer=seen.viewer,
        view=side.view(game, state),
        moves=[],
        names=seen.names,
        bots=[seat.bot is not None for seat in seen.seats],
        log=log,
        since=[facts for move in log if move.number == number for facts in move.facts],
        last_move=number,
        taken_back=set(),
        result=game.result(state),
        moves_made=0,
        waiting_since=None,
    )
    if not side.is_open:
        return table
    seats = [seat.number for seat in seen.seats]
    views = [replace(table, viewer=seat, view=game.view(state, seat)) for seat in seats]
    return replace(table, sides=views)
