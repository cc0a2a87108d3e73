"""The closing account: places, and what every total is made of, by round and company."""

from stockpile_web.engine import Facts, Piece, Result, Seat
from stockpile_web.games.stonks.data import COMPANIES, Company


class Column(Piece, frozen=True):
    """How a player ended."""

    seat: Seat
    place: int
    won: bool
    total: int


class Row(Piece, frozen=True):
    """What one company brought each player; lines of the score, or None for nothing."""

    company: Company  # Empty: the unused Speculation Cards.
    lines: list[Facts | None]


class Round(Piece, frozen=True):
    """What was scored at one time, by player."""

    number: int | None  # None: two players score both rounds at once.
    points: list[int]
    rows: list[Row]


class Account(Piece, frozen=True):
    """All of it."""

    winners: list[Seat]
    points: int  # Of a winner.
    columns: list[Column]
    rounds: list[Round]


def account(result: Result | None) -> Account | None:
    """Draw up the account of a game that is over."""
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
        {_company(line): line for line in score.lines if line["round"] == number}
        for score in result.scores
    ]
    rows = [
        Row(company, [lines.get(company) for lines in by_seat])
        for company in (*COMPANIES, "")
        if any(company in lines for lines in by_seat)
    ]
    return Round(
        number=number if len(by_seat) > 2 else None,
        points=[sum(line["money"] for line in lines.values()) for lines in by_seat],
        rows=rows,
    )


def _company(line: Facts) -> Company:
    return line["company"] if line["kind"] == "stocks" else ""
