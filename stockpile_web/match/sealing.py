"""The secret of a table and what its players have added to it: kept, drawn from, and shown.

What of it is shown when is decided here: the fingerprint always, everybody's own number at once,
those of the others after the deal, the secret and the seed when the match is over.
"""

from typing import Any, NamedTuple

from sqlalchemy import Connection, insert, select, update

from stockpile_web.engine import Piece, codec
from stockpile_web.match.rows import MatchRow, SeatRow
from stockpile_web.match.seeds import (
    BROWSER,
    SERVER,
    fingerprint_of,
    is_number,
    new_number,
    order_of,
    seed_of,
)
from stockpile_web.match.turn import Turn
from stockpile_web.storage.models.fairness import Seal
from stockpile_web.storage.models.matches import OVER, Match


class Contribution(Piece, frozen=True):
    """A random number that a person has added: who it is before the deal, then their seat."""

    number: str
    source: str
    user_id: int | None = None
    seat: int | None = None


class _Kept(NamedTuple):
    """What is stored."""

    secret: str
    contributions: list[Contribution]


class Shown(NamedTuple):
    """What a viewer may know; `secret` and `seed` are empty until the match is over."""

    fingerprint: str
    contributions: list[Contribution]  # Those of which the number may be known.
    sources: dict[int, str]  # By seat, of all who have added one.
    places: list[int]
    secret: str
    seed: str
    is_sealed: bool  # Otherwise it was dealt before there were secrets: the seed is all there is.


def seal(connection: Connection, match_id: int) -> None:
    """Fix the secret of a new table."""
    connection.execute(insert(Seal).values(match_id=match_id, secret=new_number()))


def contribute(connection: Connection, match_id: int, user_id: int, sent: str) -> None:
    """Keep the number that somebody's browser has sent, or one of ours if it sent none."""
    kept = _read(connection, match_id)
    number, source = (sent, BROWSER) if is_number(sent) else (new_number(), SERVER)
    others = [each for each in kept.contributions if each.user_id != user_id]
    _write(connection, match_id, [*others, Contribution(number, source, user_id)])


def draw(turn: Turn, *, keeps_seats: bool = False) -> str:
    """Return the seed of a match that begins, and seat everybody as it says, unless told."""
    match, kept = turn.match, _read(turn.connection, turn.match.id)
    given = {each.user_id: each for each in kept.contributions}
    people = {seat.user_id: seat for seat in turn.seats if seat.user_id is not None}
    counted = {
        user_id: given.get(user_id) or Contribution(new_number(), SERVER) for user_id in people
    }
    seed = seed_of(kept.secret, match.id, (each.number for each in counted.values()))
    count = len(turn.seats)
    places = list(range(count)) if keeps_seats else order_of(seed, count)
    turn.seats[:] = [turn.seats[place] for place in places]
    final = [
        Contribution(counted[seat.user_id].number, counted[seat.user_id].source, seat=number)
        for number, seat in enumerate(turn.seats)
        if seat.user_id is not None
    ]
    _write(turn.connection, match.id, final, places=" ".join(map(str, places)))
    return seed


def shown(
    connection: Connection, match: MatchRow, seats: list[SeatRow], user_id: int | None
) -> Shown:
    """Return what somebody may know of how chance came about at this table."""
    row = connection.execute(
        select(Match.seed, Seal.secret, Seal.contributions, Seal.places)
        .outerjoin(Seal, Seal.match_id == Match.id)
        .where(Match.id == match.id)
    ).one()
    is_over, is_dealt = match.status == OVER, match.started_at is not None
    every: list[Contribution] = codec.load(list[Contribution], row.contributions or "[]")
    if not is_dealt:
        every = _by_seat(every, seats)
    mine = next((seat.number for seat in seats if seat.user_id == user_id), None)
    return Shown(
        fingerprint=fingerprint_of(row.secret or row.seed),
        contributions=[
            each for each in every if is_dealt or (user_id is not None and each.seat == mine)
        ],
        sources={each.seat: each.source for each in every if each.seat is not None},
        places=[int(place) for place in (row.places or "").split()],
        secret=(row.secret or "") if is_over else "",
        seed=row.seed if is_over else "",
        is_sealed=row.secret is not None,
    )


def _by_seat(every: list[Contribution], seats: list[SeatRow]) -> list[Contribution]:
    """Return the contributions of those who sit in the waiting room, by their seats."""
    given = {each.user_id: each for each in every}
    return [
        Contribution(given[seat.user_id].number, given[seat.user_id].source, seat=seat.number)
        for seat in seats
        if seat.user_id is not None and seat.user_id in given
    ]


def _read(connection: Connection, match_id: int) -> _Kept:
    """Read what is kept of a table; one from before there were secrets gets one now."""
    columns = select(Seal.secret, Seal.contributions).where(Seal.match_id == match_id)
    row = connection.execute(columns).one_or_none()
    if row is None:
        seal(connection, match_id)
        row = connection.execute(columns).one()
    return _Kept(row.secret, codec.load(list[Contribution], row.contributions))


def _write(
    connection: Connection, match_id: int, contributions: list[Contribution], **more: Any
) -> None:
    new = {"contributions": codec.dump(contributions), **more}
    connection.execute(update(Seal).where(Seal.match_id == match_id).values(new))
