"""What a table tells of time: whose clock runs, for whom a bot plays, and what is voted on."""

from dataclasses import dataclass
from datetime import datetime

from stockpile_web.match import closing
from stockpile_web.match.absence import VOTES
from stockpile_web.match.glance import Glance
from stockpile_web.match.rows import SeatRow, is_paused
from stockpile_web.match.time_controls import TIME_CONTROLS
from stockpile_web.match.votes import TABLE, voters_on, votes_of
from stockpile_web.storage.models.matches import MISSED, PLAYING


@dataclass(frozen=True)
class Absent:
    """Somebody for whom many turns were played, and what the others want done about it."""

    seat: int
    name: str
    missed: int
    is_open: bool
    votes: list[tuple[str, str]]  # Who wants what, in words.
    my_vote: str
    can_vote: bool


@dataclass(frozen=True)
class Closing:
    """What is said about closing the table: the host asks, the others agree or would play on."""

    host: str
    is_asked: bool
    agree: list[str]
    missing: list[str]  # Who has not said anything yet.
    against: list[str]
    is_mine: bool  # The viewer asks,
    can_answer: bool  # or is asked.
    my_answer: str


@dataclass(frozen=True)
class TimeView:
    """All of it, as one viewer is told."""

    counts_down: bool  # Clocks show seconds.
    deadline_at: datetime | None  # Of the viewer's own turn.
    bank: int
    is_waiting: bool  # The viewer sits here, and nobody asks them anything.
    others: list[SeatRow]  # On turn, with a clock that runs.
    halted_for: str  # Why an administrator has paused it; empty if none has.
    is_paused: bool  # Nobody plays here themselves, or it is halted.
    driven: list[str]  # People for whom a bot plays.
    is_driven: bool  # The viewer is one of them.
    missed: int
    absent: list[Absent]
    closing: Closing | None
    invitation: str  # For a substitute; only players are shown it.
    choices: dict[str, str]


def time_view(seen: Glance) -> TimeView | None:
    """Tell what there is to tell of time at a table; None if nothing is played there."""
    match, mine = seen.match, seen.seat
    if match.status != PLAYING:
        return None
    people = [each for each in seen.seats if each.user_id is not None]
    return TimeView(
        counts_down=TIME_CONTROLS[match.pace].counts_down,
        deadline_at=mine.deadline_at if mine else None,
        bank=mine.bank if mine else 0,
        is_waiting=mine is not None and mine.bot is None and not mine.on_turn,
        others=[each for each in people if each.deadline_at and each.number != seen.viewer],
        halted_for=match.halted_for,
        is_paused=is_paused(match, seen.seats),
        driven=[each.shown_name for each in people if each.bot and each.number != seen.viewer],
        is_driven=mine is not None and mine.bot is not None,
        missed=mine.missed if mine else 0,
        absent=[_absent(seen, each) for each in people if each.missed >= MISSED],
        closing=_closing(seen) if any(each.votes for each in people) else None,
        invitation=match.invitation if mine and not match.listed else "",
        choices=VOTES,
    )


def _absent(seen: Glance, seat: SeatRow) -> Absent:
    voters = voters_on(seen.seats, seat.number)
    wanted = {voter.number: votes_of(voter.votes).get(seat.number, "") for voter in voters}
    said = [(voter.shown_name, wanted[voter.number]) for voter in voters if wanted[voter.number]]
    return Absent(
        seat=seat.number,
        name=seat.shown_name,
        missed=seat.missed,
        is_open=seat.is_open,
        votes=[(name, VOTES[vote]) for name, vote in said],
        my_vote=wanted.get(seen.viewer, "") if seen.viewer is not None else "",
        can_vote=seen.viewer in wanted,
    )


def _closing(seen: Glance) -> Closing | None:
    """Return what players are told about closing the table, if it was asked for."""
    host = next((each for each in seen.seats if each.user_id == seen.match.host_id), None)
    if host is None or seen.seat is None:
        return None
    others = [each for each in voters_on(seen.seats, TABLE) if each is not host]
    wishes = {each.shown_name: closing.wish_of(each) for each in others}
    against = [name for name, wish in wishes.items() if wish == closing.PLAY_ON]
    is_asked = closing.is_asked(seen.match, seen.seats)
    if not is_asked and not against:
        return None
    return Closing(
        host=host.shown_name,
        is_asked=is_asked,
        agree=[name for name, wish in wishes.items() if wish == closing.CLOSE],
        missing=[name for name, wish in wishes.items() if not wish],
        against=against,
        is_mine=seen.viewer == host.number,
        can_answer=is_asked and seen.seat in others,
        my_answer=closing.wish_of(seen.seat),
    )
