"""How did I play? The decisions of a seat in a match that is over, beside what the coach says.

Each is judged from the state before it, which is read from the frames (`match/judging.py`).
"""

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, select

from stockpile_web.engine import Bot, Game, Record, Seat
from stockpile_web.games import GAMES
from stockpile_web.match.bots import steadiest
from stockpile_web.match.judging import Decision, Judge, Made, Unread
from stockpile_web.match.perspective import StillSecret, is_open
from stockpile_web.match.rows import MatchRow, Past, SeatRow, read_past
from stockpile_web.match.take_back import taken_back_moves
from stockpile_web.storage.models.matches import BOT, Move

# Raise it when a coach judges or speaks otherwise: what was found before is then stale.
VERSION = 2
READ_AHEAD = 16  # Moves whose frames are read at once.


class Findings(Record):
    """What was found about a seat so far."""

    decided: int = 0
    unweighed: int = 0  # Decisions on which the coach puts no figures.
    unread: int = 0  # Moves that the rules of today cannot read.
    costly: list[Decision] = []  # Where the coach would have chosen clearly better.

    @property
    def cost(self) -> float:
        """What was given away in all."""
        return sum(each.cost or 0.0 for each in self.costly)

    @property
    def dearest_first(self) -> list[Decision]:
        """The costly decisions, the dearest first."""
        return sorted(self.costly, key=lambda each: -(each.cost or 0.0))

    def note(self, judged: "Judged", clearly: float) -> None:
        """Count a decision, and keep it if another choice was clearly better."""
        if isinstance(judged, Unread):
            self.unread += 1
        elif judged is not None and judged.cost is None:
            self.unweighed += 1
        elif judged is not None and judged.cost is not None:
            self.decided += 1
            if judged.cost > clearly:
                self.costly.append(judged)


Judged = Decision | Unread | None  # None: there was nothing to decide.


def coach_of(game: Game) -> Bot | None:
    """Return the bot that judges; None if it cannot say why."""
    bot = game.BOTS[steadiest(game)]
    return bot if bot.explain is not None else None


def edition(match: MatchRow) -> str:
    """Name all that a review depends on: the coach, the rules, and the moves of the match."""
    return f"{VERSION} {GAMES[match.game].VERSION} {match.version}"


def moves_of(connection: Connection, match: MatchRow, seat: SeatRow) -> list[Made]:
    """Return the moves of whoever plays a seat, without those that were taken back.

    A person's own: not those of a stand-in, an order or the clock.
    """
    if not is_open(match):
        raise StillSecret
    by = BOT if seat.user_id is None and seat.bot else ""
    theirs = (Move.match_id == match.id, Move.seat == seat.number, Move.made_by == by)
    rows = connection.execute(select(Move.number, Move.move).where(*theirs).order_by(Move.number))
    gone = taken_back_moves(connection, match.id)
    return [Made(*row) for row in rows if row.number not in gone]


def judge(
    connection: Connection, match: MatchRow, seat: Seat, moves: Sequence[Made]
) -> Iterator[Judged]:
    """Judge some moves of a seat in a row."""
    if not is_open(match):
        raise StillSecret
    game = GAMES[match.game]
    coach = coach_of(game)
    if coach is None or coach.explain is None or not moves:
        return
    judging, past = Judge(game, coach.explain, seat), dict[int, Past]()
    for place, made in enumerate(moves):
        numbers = [
            made.number - 1,
            made.number,
            *(each.number - 1 for each in moves[place + 1 :][:1]),
        ]
        if numbers[-1] not in past:
            last = moves[place : place + READ_AHEAD][-1].number
            past = read_past(connection, match.id, numbers[0], last)
            connection.rollback()  # Nothing is held while the coach thinks.
        before, after, *following = (past[number] for number in numbers)
        try:
            yield judging.decision(made, before, after, *following)
        except Unread as reason:
            yield reason
        except Exception as error:
            # Whatever an old state makes of the rules of today, the rest can be judged.
            if before.rules_version == game.VERSION:
                raise
            yield Unread(str(error))
