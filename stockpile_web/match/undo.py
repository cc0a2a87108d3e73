"""What may be taken back: the moves of one person since anybody else has acted.

It is kept with the match as one text, written with it: a move costs no statement more for it. It is
empty as soon as somebody else has moved, or something was told or drawn that the mover did not
know (`Dealer.has_news_for`). The states themselves are in the frames of the moves.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any

from msgspec import field

from stockpile_web.engine import Piece, Seat, codec
from stockpile_web.match.rows import MatchRow, SeatRow, Values


class Clock(Piece, frozen=True):
    """What a move changes of a seat besides its counters."""

    on_turn: bool
    waiting_since: datetime | None
    deadline_at: datetime | None
    remind_at: datetime | None
    acts_at: datetime | None
    bank: int
    thinking_seconds: int = 0
    turns_timed: int = 0


class Sent(Piece, frozen=True):
    """The moves of one form, by their numbers, and what was before them."""

    first: int
    last: int
    last_move: int  # The mover's own.
    clocks: dict[Seat, Clock]  # Of the seats for which they have changed.


class Undo(Piece, frozen=True):
    """What one person may take back, the newest first of all."""

    seat: Seat
    user_id: int
    sent: list[Sent] = field(name="steps")  # So it is written with running matches.


_clock = attrgetter(*Clock.__struct_fields__)


def read(match: MatchRow) -> Undo | None:
    """Return what may be taken back, if anything may."""
    found: Undo | None = codec.load(Undo, match.undo) if match.undo else None
    return found


def after_moves(
    match: MatchRow, moves: Sequence[dict[str, Any]], before: Iterable[Values], seats: list[SeatRow]
) -> str:
    """Return what may be taken back after `moves` of which the rules told nothing new.

    Nothing, unless all of them are one person's own: not a bot's, nor an order's, nor the clock's.
    """
    number = moves[0]["seat"]
    makers = {(move["seat"], move["made_by"]) for move in moves}
    if number is None or makers != {(number, "")} or seats[number].user_id is None:
        return ""
    user_id = seats[number].user_id or 0
    earlier = read(match)
    is_mine = earlier is not None and (earlier.seat, earlier.user_id) == (number, user_id)
    others = earlier.sent if earlier and is_mine else []
    were = [SeatRow(*values) for values in before]
    sent = Sent(
        first=moves[0]["number"],
        last=moves[-1]["number"],
        last_move=were[number].last_move,
        clocks={
            seat.number: Clock(*_clock(was))
            for was, seat in zip(were, seats, strict=True)
            if _clock(was) != _clock(seat)
        },
    )
    return codec.dump(Undo(number, user_id, [*others, sent]))


def offered_to(match: MatchRow, mine: SeatRow, moment: datetime) -> Sent | None:
    """Return what the player of a seat may take back next, while they would have time for it."""
    found = read(match)
    if found is None or found.user_id != mine.user_id:
        return None
    sent = found.sent[-1]
    clock = sent.clocks.get(mine.number)
    is_late = clock is not None and clock.deadline_at is not None and clock.deadline_at <= moment
    return None if is_late else sent
