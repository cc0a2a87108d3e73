"""Votes at a table: who may vote, and what each of them wants done about a seat or the table."""

from stockpile_web.engine import Seat
from stockpile_web.match.rows import SeatRow
from stockpile_web.match.turn import Turn

TABLE: Seat = -1  # What is voted on stands in the place of a seat: whether to close the table.


def voters_on(seats: list[SeatRow], about: Seat) -> list[SeatRow]:
    """Return those who may vote: all who are here themselves, but for whom it is about."""
    return [seat for seat in seats if seat.number != about and seat.is_here]


def votes_of(text: str) -> dict[Seat, str]:
    """Read what somebody wants done about whom."""
    pairs = (pair.split(":") for pair in text.split())
    return {int(about): wanted for about, wanted in pairs}


def put_vote(seat: SeatRow, about: Seat, wanted: str) -> None:
    """Note what somebody wants, or, if that is nothing, forget what they wanted."""
    votes = {**votes_of(seat.votes), about: wanted}
    seat.votes = " ".join(f"{about}:{wanted}" for about, wanted in votes.items() if wanted)


def forget_votes(turn: Turn, about: Seat) -> None:
    """Forget what was voted about a seat, or about the table."""
    for seat in turn.seats:
        if seat.votes:
            put_vote(seat, about, "")
