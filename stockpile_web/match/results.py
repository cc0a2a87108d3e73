"""How a match ended, in columns of it and of its seats: lists and profiles do not run the rules."""

from stockpile_web.engine import Result
from stockpile_web.match.rows import MatchRow, SeatRow


def note(match: MatchRow, seats: list[SeatRow], result: Result) -> None:
    """Keep the places and the scores of a match that is over."""
    for seat, place, score in zip(seats, result.places, result.scores, strict=True):
        seat.place, seat.score = place, score.total
    totals = [score.total for score in result.scores]
    (_, first), (_, second), *_ = sorted(zip(result.places, totals, strict=True))
    match.top_score, match.margin = max(totals), abs(first - second)
