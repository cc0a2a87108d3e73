"""The table of somebody who builds a turn in steps: never recorded, never kept, for them alone."""

from typing import NamedTuple

from sqlalchemy import Connection
from werkzeug.datastructures import MultiDict

from stockpile_web.engine import IllegalMove
from stockpile_web.games import GAMES
from stockpile_web.match.glance import Glance
from stockpile_web.match.moves import read_steps
from stockpile_web.match.table_view import Table, open_table

NOT_OPEN_ANY_MORE = "What you had chosen is not open to you any more: please begin your turn again."


class Opened(NamedTuple):
    """How to answer: with which status, with a word to the viewer, and with which table.

    None is the table as it stands.
    """

    status: int
    notice: str
    table: Table | None


def open_with_steps(connection: Connection, seen: Glance, asked: MultiDict[str, str]) -> Opened:
    """Open a table with the steps that an address names; those of another turn are not taken."""
    try:
        steps = read_steps(GAMES[seen.match.game], asked.getlist("step"))
    except IllegalMove as refusal:
        return Opened(422, str(refusal), None)
    made = asked.get("moves_made")
    if made is None or (seen.seat is not None and made == str(seen.seat.moves_made)):
        try:
            return Opened(200, "", open_table(connection, seen, steps))
        except IllegalMove:
            pass
    return Opened(200, NOT_OPEN_ANY_MORE, None)


def open_still(connection: Connection, seen: Glance, form: MultiDict[str, str]) -> Table | None:
    """Open a table with the steps that a form has, if it has any and they are still open."""
    return open_with_steps(connection, seen, form).table if "step" in form else None
