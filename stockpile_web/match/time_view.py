"""What a table tells of time: whose clock runs, for whom a bot plays, and what is voted on."""

from dataclasses import dataclass
from datetime import datetime

from stockpile_web.match.absence import VOTES, votes_of
from stockpile_web.match.table_view import Chair, Glance
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
class Waiting:
    """All of it, as one viewer is told."""

    deadline_at: datetime | None  # Of the viewer's own turn.
    bank: int
    others: list[Chair]  # On turn, with a clock that runs.
    driven: list[str]  # People for whom a bot plays.
    is_driven: bool  # The viewer is one of them.
    missed: int
    absent: list[Absent]
    invitation: str  # For a substitute; only players are shown it.
    choices: dict[str, str]


def look(seen: Glance) -> Waiting | None:
    """Tell what there is to tell of time at a table; None if nothing is played there."""
    match, chair = seen.match, seen.chair
    if match.status != PLAYING:
        return None
    people = [each for each in seen.chairs if each.user_id is not None]
    return Waiting(
        deadline_at=chair.deadline_at if chair else None,
        bank=chair.bank if chair else 0,
        others=[each for each in people if each.deadline_at and each.seat != seen.viewer],
        driven=[each.name for each in people if each.bot and each.seat != seen.viewer],
        is_driven=chair is not None and chair.bot is not None,
        missed=chair.missed if chair else 0,
        absent=[_absent(seen, each) for each in people if each.missed >= MISSED],
        invitation=match.invitation if chair and not match.listed else "",
        choices=VOTES,
    )


def _absent(seen: Glance, chair: Chair) -> Absent:
    voters = [
        each
        for each in seen.chairs
        if each.user_id and not each.bot and each.missed < MISSED and each.seat != chair.seat
    ]
    wanted = {voter.seat: votes_of(voter.votes).get(chair.seat, "") for voter in voters}
    return Absent(
        seat=chair.seat,
        name=chair.name,
        missed=chair.missed,
        is_open=chair.is_open,
        votes=[(voter.name, VOTES[wanted[voter.seat]]) for voter in voters if wanted[voter.seat]],
        my_vote=wanted.get(seen.viewer, "") if seen.viewer is not None else "",
        can_vote=seen.viewer in wanted,
    )
