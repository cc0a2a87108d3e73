"""Taking back: whoever has moved returns to what was before, unless it is too late for that.

The rules are not asked: the state comes from the frames. The moves stay in the record, and so does
that they were taken back, as a move with a number of its own.
"""

from werkzeug.datastructures import MultiDict

from stockpile_web.engine import Action, Event, IllegalMove, codec
from stockpile_web.match import deadlines, undo
from stockpile_web.match.moves import is_new
from stockpile_web.match.rows import SeatRow, read_past
from stockpile_web.match.rules_versions import load_state
from stockpile_web.match.table_view import TAKEN_BACK
from stockpile_web.match.turn import Turn
from stockpile_web.match.undo import Sent, Undo
from stockpile_web.storage import outbox
from stockpile_web.storage.models.matches import PLAYING

# In the place of what was posted: all that counts is which turn it was.
DIGEST = "take back"
TOO_LATE = "It is too late to take that back: somebody else has acted, or something was shown."
TIME_IS_OVER = "It is too late to take that back: your time for that turn is over."


class TakeBack(Action, frozen=True):
    """The move that is recorded; no game has one of this name."""

    first: int
    last: int


def take_back(turn: Turn, user_id: int, form: MultiDict[str, str]) -> None:
    """Take back the moves that `user_id` has sent last, as if they had not been made."""
    mine = turn.seat_of(user_id)
    if not is_new(turn, mine, form, DIGEST):
        return
    known = undo.read(turn.match)
    if turn.match.status != PLAYING or known is None or known.user_id != user_id:
        raise IllegalMove(TOO_LATE)
    *others, sent = known.sent
    _return_to(turn, mine, sent)
    _wind_back(turn, mine, sent)
    turn.match.undo = codec.dump(Undo(known.seat, user_id, others)) if others else ""


def _return_to(turn: Turn, mine: SeatRow, sent: Sent) -> None:
    before = sent.first - 1
    past = read_past(turn.connection, turn.match.id, before, before)[before]
    state = load_state(turn.game, *past)
    told = Event(TAKEN_BACK, {"seat": mine.number, "first": sent.first, "last": sent.last})
    turn.restore(mine.number, state, TakeBack(sent.first, sent.last), told, DIGEST)
    mine.last_move, mine.bot = sent.last_move, None
    if mine.user_id is not None:
        turn.movers.add(mine.user_id)


def _wind_back(turn: Turn, mine: SeatRow, sent: Sent) -> None:
    """Let clocks go on as if nothing had happened, and those not be told who are asked no more."""
    not_asked = [mine]
    for number, clock in sent.clocks.items():
        seat = turn.seats[number]
        for name in clock.__struct_fields__:
            setattr(seat, name, getattr(clock, name))
        if seat.on_turn:
            deadlines.resume_clock(turn.connection, turn.match, seat, turn.moment)
        elif seat is not mine:
            seat.moves_made += 1  # A page on which they were asked is stale.
            not_asked.append(seat)
    if mine.deadline_at is not None and mine.deadline_at <= turn.moment:
        raise IllegalMove(TIME_IS_OVER)
    people = [seat.user_id for seat in not_asked if seat.user_id is not None]
    outbox.withdraw(turn.connection, turn.match.id, sent.first, turn.moment, people)
