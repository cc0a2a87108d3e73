"""Guests who were not seen for long are removed, with the tables at which nobody else sits."""

from sqlalchemy import delete

from stockpile_web.match import departure
from stockpile_web.match.seating import close, still_here, tables_of
from stockpile_web.match.turn import Turn, changing
from stockpile_web.people import guests
from stockpile_web.storage.database import Base
from stockpile_web.storage.models.people import Person
from stockpile_web.storage.transactions import writing

# Seats are written with the match. Notices go with the person whom they were for, and ratings with
# theirs; no index finds those of a match.
_KEPT = ("seat", "notice", "rating_change")


def remove(guest: Person) -> None:
    """Remove a guest who is due; where others sit, their seat becomes a former player's."""
    with writing() as tx:
        if not guests.begin_to_remove(tx, guest.id):
            return
    for match_id in tables_of(guest.id):
        with changing(match_id) as turn:
            if not _others(turn, guest):
                _empty(turn)
    departure.forget(guest)


def _others(turn: Turn, guest: Person) -> set[int]:
    people = [seat.user_id for seat in turn.seats if seat.user_id and seat.user_id != guest.id]
    return still_here(turn.connection, people)


def _empty(turn: Turn) -> None:
    """Take all from a table but its row, which nobody can see.

    Were that deleted, SQLite would give its number to the next table, of which caches would then
    show what was played at this one.
    """
    close(turn)
    turn.seats = []
    turn.match.name = turn.match.undo = turn.seed = turn.text = ""
    for table in reversed(Base.metadata.sorted_tables):
        if "match_id" in table.c and table.name not in _KEPT:
            turn.connection.execute(delete(table).where(table.c.match_id == turn.match.id))
