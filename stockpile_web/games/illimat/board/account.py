"""The score sheet: places, and what every total is made of, round by round."""

from stockpile_web.engine import Piece, Result, Seat

# The order in which a harvest is counted: all that is gained first, then the frost.
KINDS = ("bumper_crop", "sunkissed", "fools", "okuses", "luminaries", "frostbit")


class Column(Piece, frozen=True):
    """How a player ended."""

    seat: Seat
    place: int
    won: bool
    total: int


class Row(Piece, frozen=True):
    """What one thing brought each player; None: nothing."""

    kind: str
    points: list[int | None]


class Round(Piece, frozen=True):
    """What was scored after one round, by player."""

    number: int
    points: list[int]
    rows: list[Row]


class Account(Piece, frozen=True):
    """All of it."""

    winners: list[Seat]
    points: int  # Of a winner.
    columns: list[Column]
    rounds: list[Round]


def account(result: Result | None) -> Account | None:
    """Draw up the score sheet of a game that is over."""
    if result is None:
        return None
    columns = [
        Column(seat, place, place == 1, result.scores[seat].total)
        for seat, place in enumerate(result.places)
    ]
    won = [column for column in columns if column.won]
    numbers = sorted({line["round"] for score in result.scores for line in score.lines})
    return Account(
        winners=[column.seat for column in won],
        points=won[0].total,
        columns=columns,
        rounds=[_round(result, number) for number in numbers],
    )


def _round(result: Result, number: int) -> Round:
    by_seat = [
        {line["kind"]: line["money"] for line in score.lines if line["round"] == number}
        for score in result.scores
    ]
    rows = [
        Row(kind, [lines.get(kind) for lines in by_seat])
        for kind in KINDS
        if any(kind in lines for lines in by_seat)
    ]
    return Round(number, [sum(lines.values()) for lines in by_seat], rows)
