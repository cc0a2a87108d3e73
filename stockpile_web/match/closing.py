"""Closing a match that is played: the host asks, and all the others who are here must agree."""

from stockpile_web.match import seating
from stockpile_web.match.calls import call
from stockpile_web.match.rows import MatchRow, SeatRow
from stockpile_web.match.seating import Refused
from stockpile_web.match.turn import Turn
from stockpile_web.match.votes import TABLE, forget_votes, put_vote, voters_on, votes_of
from stockpile_web.storage.models.matches import PLAYING
from stockpile_web.storage.models.notices import CLOSING
from stockpile_web.storage.models.people import Person

CLOSE, PLAY_ON = "close", "play"


def ask_to_close(turn: Turn) -> None:
    """Let the host ask the others; if nobody else is here, the table is closed at once."""
    host = _host(turn.match, turn.seats)
    if turn.match.status != PLAYING or host is None:
        seating.close(turn)
        return
    if not is_asked(turn.match, turn.seats):
        forget_votes(turn, TABLE)  # What was said when it was asked before is past.
        put_vote(host, TABLE, CLOSE)
        call(turn, CLOSING, [voter.user_id for voter in _others(turn) if voter.user_id])
    _close_if_all_agree(turn)


def answer(turn: Turn, user: Person, wanted: str) -> None:
    """Let `user` agree, or say that they would rather play on, which ends the question."""
    if turn.match.status != PLAYING or not is_asked(turn.match, turn.seats):
        raise Refused("Nobody asks any more whether to close this table.")
    voters = voters_on(turn.seats, TABLE)
    mine = next((seat for seat in turn.seats if seat.user_id == user.id), None)
    is_host = user.id == turn.match.host_id
    if mine is None or not (is_host or mine in voters) or wanted not in (CLOSE, PLAY_ON):
        raise Refused("Only those who play here themselves decide that.")
    if wanted == CLOSE:
        put_vote(mine, TABLE, CLOSE)
        _close_if_all_agree(turn, user.id)
        return
    forget_votes(turn, TABLE)
    if not is_host:
        put_vote(mine, TABLE, PLAY_ON)  # So that the others can see who would rather play on.


def is_asked(match: MatchRow, seats: list[SeatRow]) -> bool:
    """Tell whether the host asks to close the table."""
    host = _host(match, seats)
    return host is not None and wish_of(host) == CLOSE


def wish_of(seat: SeatRow) -> str:
    """Return what somebody wants done about the table, if they have said it."""
    return votes_of(seat.votes).get(TABLE, "")


def _close_if_all_agree(turn: Turn, by: int | None = None) -> None:
    if all(wish_of(voter) == CLOSE for voter in _others(turn)):
        forget_votes(turn, TABLE)
        seating.close(turn, by)


def _others(turn: Turn) -> list[SeatRow]:
    return [seat for seat in voters_on(turn.seats, TABLE) if seat.user_id != turn.match.host_id]


def _host(match: MatchRow, seats: list[SeatRow]) -> SeatRow | None:
    return next((seat for seat in seats if seat.user_id == match.host_id), None)
