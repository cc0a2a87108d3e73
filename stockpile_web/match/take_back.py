"""Taking back: whoever has moved returns to what was before, unless it is too late for that.

The rules are not asked: the state comes from the frames. The moves stay in the record, and so does
that they were taken back, as a move with a number of its own.

At a practice table it is never too late: one goes back to before any move of one's own, whatever
was done or shown since. What lay hidden then is the same again: it belongs to that state. What was
drawn since is drawn anew, because chance goes by the number of a move, and no number comes twice:
so going back tells nobody what is to come.
"""

from typing import NamedTuple

from sqlalchemy import Connection, select
from werkzeug.datastructures import MultiDict

from stockpile_web.engine import Action, Event, IllegalMove, Seat, codec
from stockpile_web.match import chapters, deadlines, driving, practice, undo
from stockpile_web.match.glance import Glance, seen_by
from stockpile_web.match.moves import is_new
from stockpile_web.match.pause import come_back
from stockpile_web.match.rows import SeatRow, read_past
from stockpile_web.match.rules_versions import load_state
from stockpile_web.match.site_events import TAKEN_BACK
from stockpile_web.match.turn import Turn
from stockpile_web.match.undo import Sent, Undo
from stockpile_web.storage import outbox
from stockpile_web.storage.models.matches import ORDER, PLAYING, Move

# In the place of what was posted: all that counts is which turn it was.
DIGEST = "take back"
TOO_LATE = "It is too late to take that back: somebody else has acted, or something was shown."
TIME_IS_OVER = "It is too late to take that back: your time for that turn is over."
NOT_YOURS = "Only a move of your own that still stands can be taken back."
NOT_HERE = "So far back one can go only at a practice table, alone among bots, while it is played."
# Of a practice table: each time one goes back, what is played instead is recorded besides.
MOST_MOVES = 3000
TOO_LONG = (
    f"More than {MOST_MOVES} moves were made at this table: play it to its end from here, "
    "or begin another practice table."
)


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
    _refuse_too_long(turn)
    *others, sent = known.sent
    _return_to(turn, mine, sent)
    _wind_back(turn, mine, sent)
    turn.match.undo = codec.dump(Undo(known.seat, user_id, others)) if others else ""


def go_back(number: int, turn: Turn, user_id: int, form: MultiDict[str, str]) -> None:
    """Go back to before a move of one's own at a practice table; from there it goes on anew."""
    mine = turn.seat_of(user_id)
    if not is_new(turn, mine, form, DIGEST):
        return
    if not practice.is_open(seen_by(turn.match, turn.seats, user_id)):
        raise IllegalMove(NOT_HERE)
    standing = standing_moves(turn.connection, turn.match.id, mine.number)
    if number not in standing:
        raise IllegalMove(NOT_YOURS)
    _refuse_too_long(turn)
    come_back(turn, mine)
    chapters.forget(turn.connection, turn.match.id, number)
    _restore(turn, mine, number, turn.match.version - 1)
    turn.go_on_anew()
    mine.last_move = max((each for each in standing if each < number), default=0)
    _put_orders_aside(turn, mine)
    driving.play_on(turn)


def _put_orders_aside(turn: Turn, mine: SeatRow) -> None:
    """Clear standing orders that would act at once, and so make again what was taken back."""
    orders, books, seat = turn.game.ORDERS, turn.books, mine.number
    if orders is None or seat not in books.seats:
        return
    if books.follow(seat, turn.state, turn.legal(seat), mine.moves_made):
        books.put(seat, orders.Book())


def standing_moves(connection: Connection, match_id: int, seat: Seat) -> list[int]:
    """Return the moves of a seat, without those of its orders and those that were taken back."""
    theirs = select(Move.number).where(
        Move.match_id == match_id,
        Move.seat == seat,
        Move.made_by != ORDER,
    )
    gone = taken_back_moves(connection, match_id)  # Those that took them back are among them.
    return [each for each in connection.scalars(theirs.order_by(Move.number)) if each not in gone]


class WayBack(NamedTuple):
    """How a turn that is past stands to the match as it is played now."""

    is_gone: bool  # It was taken back.
    before: int | None  # The move of the viewer's own before which it was so, if one may go there.


def way_back(connection: Connection, seen: Glance, number: int) -> WayBack:
    """Tell whether the viewer may go back to the table as it was after a move."""
    if not seen.match.practice:
        return WayBack(False, None)
    # Where a move was taken back to, the match stands until it is taken back as well.
    ranges = _ranges(connection, seen.match.id)
    is_gone, gone = any(first <= number < by for first, by in ranges), _covered(ranges)
    following = range(number + 1, seen.match.version)
    before = next((each for each in following if each not in gone), None)
    if is_gone or before is None or not practice.is_open(seen):
        return WayBack(is_gone, None)
    mine = (Move.seat == seen.viewer, Move.made_by != ORDER)
    found = select(Move.number).where(Move.match_id == seen.match.id, Move.number == before, *mine)
    return WayBack(False, connection.scalar(found))


def taken_back_moves(connection: Connection, match_id: int) -> set[int]:
    """Return the moves of a match that have come to nothing, and those by which they have."""
    return _covered(_ranges(connection, match_id))


def _covered(ranges: list[tuple[int, int]]) -> set[int]:
    return {number for first, by in ranges for number in range(first, by + 1)}


def _ranges(connection: Connection, match_id: int) -> list[tuple[int, int]]:
    """Return from which move on something was taken back each time, and by which move."""
    rows = connection.execute(
        select(Move.number, Move.move).where(Move.match_id == match_id, Move.digest == DIGEST)
    )
    return [(codec.load(TakeBack, move).first, by) for by, move in rows]


def _refuse_too_long(turn: Turn) -> None:
    if turn.match.practice and turn.match.version >= MOST_MOVES:
        raise IllegalMove(TOO_LONG)


def _return_to(turn: Turn, mine: SeatRow, sent: Sent) -> None:
    _restore(turn, mine, sent.first, sent.last)
    mine.last_move, mine.bot = sent.last_move, None
    if mine.user_id is not None:
        turn.movers.add(mine.user_id)


def _restore(turn: Turn, mine: SeatRow, first: int, last: int) -> None:
    before = first - 1
    past = read_past(turn.connection, turn.match.id, before, before)[before]
    state = load_state(turn.game, *past)
    told = Event(TAKEN_BACK, {"seat": mine.number, "first": first, "last": last})
    turn.restore(mine.number, state, TakeBack(first, last), told, DIGEST)


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
