"""Somebody deletes their account: what becomes of the tables at which they sit."""

from stockpile_web.match import naming
from stockpile_web.match.rows import SeatRow
from stockpile_web.match.seating import close, plainest, still_here, tables_of
from stockpile_web.match.turn import Turn, changing
from stockpile_web.storage.models.matches import OPEN, PLAYING
from stockpile_web.storage.models.people import Person


def leave_all(user: Person) -> None:
    """Take a person who deletes their account from every table; bots play on for them.

    Each table is changed by itself, so that no transaction holds two of them.
    """
    for match_id in tables_of(user.id):
        with changing(match_id) as turn:
            _leave_for_good(turn, user)


def _leave_for_good(turn: Turn, user: Person) -> None:
    mine = next((seat for seat in turn.seats if seat.user_id == user.id), None)
    if mine is None:
        return
    mine.notes = mine.orders = mine.order_note = ""
    if naming.is_usual(turn.match.name, user):
        turn.match.name = ""  # It would go on telling who they were.
    if turn.match.status == OPEN and turn.match.host_id == user.id:
        close(turn)
    elif turn.match.status == OPEN:
        turn.seats.remove(mine)
    elif turn.match.status == PLAYING:
        _leave_to_bot(turn, mine)


def _leave_to_bot(turn: Turn, mine: SeatRow) -> None:
    """Let a bot play on for somebody who will not be back; where nobody could, nothing is."""
    others = [seat for seat in turn.seats if seat.user_id and seat is not mine]
    here = still_here(turn.connection, [seat.user_id for seat in others if seat.user_id])
    others = sorted((seat for seat in others if seat.user_id in here), key=_is_driven)
    if not others:
        close(turn)
        return
    if turn.match.host_id == mine.user_id:
        turn.match.host_id = others[0].user_id or turn.match.host_id
    mine.bot = plainest(turn)
    mine.stop_clock()
    turn.play_on()


def _is_driven(seat: SeatRow) -> bool:
    return seat.bot is not None
