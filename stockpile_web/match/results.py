"""How a match ended, in columns of it and of its seats: lists and profiles do not run the rules."""

from datetime import datetime, timedelta

from sqlalchemy import Connection, insert

from stockpile_web.engine import Result
from stockpile_web.match.rows import MatchRow, SeatRow
from stockpile_web.storage.models import Reckoning

# Longer than a transaction may take: whatever ended before is committed by then.
SETTLES = timedelta(seconds=10)


def note(match: MatchRow, seats: list[SeatRow], result: Result) -> None:
    """Keep the places and the scores of a match that is over."""
    for seat, place, score in zip(seats, result.places, result.scores, strict=True):
        seat.place, seat.score = place, score.total
    totals = [score.total for score in result.scores]
    (_, first), (_, second), *_ = sorted(zip(result.places, totals, strict=True))
    match.top_score, match.margin = max(totals), abs(first - second)


def leave_to_worker(connection: Connection, match: MatchRow, ended_at: datetime) -> None:
    """Let the worker rate the players of a match that is over, if it counts."""
    if not match.practice:
        row = {"match_id": match.id, "due_at": ended_at + SETTLES}
        connection.execute(insert(Reckoning), row)
