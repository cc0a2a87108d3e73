"""How did I play? The decisions of a seat in a match that is over, beside what the coach says.

Each is judged by what the seat could know when it was made: by its view of the state before, which
is read from the frames. Nothing is played again but the steps of a turn, which draw and tell
nothing.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, select

from stockpile_web.engine import Advice, Bot, Dealer, Game, Piece, Record, Seat, codec, take_turn
from stockpile_web.engine.advice import Explain
from stockpile_web.games import GAMES
from stockpile_web.match.bots import steadiest
from stockpile_web.match.perspective import StillSecret, is_open
from stockpile_web.match.rows import MatchRow, Past, SeatRow, read_past
from stockpile_web.match.rules_versions import load_state
from stockpile_web.match.take_back import taken_back_moves
from stockpile_web.storage.models.matches import BOT, Move

# Raise it when a coach judges or speaks otherwise: what was found before is then stale.
VERSION = 1
READ_AHEAD = 16  # Moves whose frames are read at once.


class Decision(Piece, frozen=True):
    """What was chosen at one moment, and what the coach would have chosen."""

    number: int  # Of the move.
    round: int
    phase: str
    chosen: Advice
    best: Advice
    cost: float | None  # What the choice gave away; None: the coach puts no figures on it.


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


class Made(NamedTuple):
    """A move that a seat has made."""

    number: int
    move: str


class Unread(Exception):
    """The rules of today cannot read this move, or where it was made."""


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
    judge, past = Judge(game, coach.explain, seat), dict[int, Past]()
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
            yield judge.decision(made, before, after, *following)
        except Unread as reason:
            yield reason
        except Exception as error:
            # Whatever an old state makes of the rules of today, the rest can be judged.
            if before.rules_version == game.VERSION:
                raise
            yield Unread(str(error))


class Judge:
    """Looks at decisions from one seat."""

    def __init__(self, game: Game, explain: Explain, seat: Seat) -> None:
        self._game, self._explain, self._seat = game, explain, seat

    def decision(
        self, made: Made, before: Past, after: Past, following: Past | None = None
    ) -> Decision | None:
        """Judge a move, or a turn in steps; None if there was nothing to decide.

        It is given the states before and after it, and before the next move of the seat, if any.
        """
        state = load_state(self._game, *before)
        moves, view = self._game.legal(state, self._seat), self._game.view(state, self._seat)
        first, *rest = _turn(made.move)
        move = _find(moves, first)
        if len(moves) == 1:
            return None
        ranked = self._explain(view, moves)
        best, chosen = ranked[0], _advice(ranked, move)
        if rest:
            chosen = self._completed(state, move, rest) or chosen
        cost = self._cost(view, best, chosen, after, following)
        return Decision(made.number, view.round, view.phase, _kept(chosen), _kept(best), cost)

    def _completed(self, state: Any, first: Any, rest: list[str]) -> Advice | None:
        """Return what the coach says of a turn as it was completed, if it puts it in figures."""
        step = first
        for text in rest:
            take_turn(self._game, state, self._seat, step, Dealer(""))
            moves = self._game.legal(state, self._seat)
            step = _find(moves, text)
        advice = _advice(self._explain(self._game.view(state, self._seat), moves), step)
        return advice if advice.worth is not None else None

    def _cost(
        self, view: Any, best: Advice, chosen: Advice, after: Past, following: Past | None
    ) -> float | None:
        if best.worth is None or chosen.worth is None:
            return None
        if chosen.worth >= best.worth:
            return 0.0
        kept = chosen.worth + self._still_open(after, view)
        if chosen.is_provisional and following:
            kept = max(kept, self._still_open(following, view))
        return max(0.0, best.worth - kept)

    def _still_open(self, later: Past, then: Any) -> float:
        """Return what the seat could still have if it was asked again in the same phase.

        Whoever sells one thing first and then another, or little by little, has lost nothing; nor
        has whoever does it at the next time of asking, but for what it is worth less by then.
        """
        state = load_state(self._game, *later)
        moves, view = self._game.legal(state, self._seat), self._game.view(state, self._seat)
        if not moves or (view.round, view.phase) != (then.round, then.phase):
            return 0.0
        return max(0.0, self._explain(view, moves)[0].worth or 0.0)


def _turn(text: str) -> list[str]:
    """Return a turn as texts: its steps, and the move that completes it."""
    made = codec.load(Any, text)
    return [codec.dump(each) for each in (made if isinstance(made, list) else [made])]


def _find(moves: list[Any], text: str) -> Any:
    """Find a move by its text: under rules that have changed since, there may be none."""
    found = next((move for move in moves if codec.dump(move) == text), None)
    if found is None:
        raise Unread("There is no such move any more.")
    return found


def _advice(ranked: list[Advice], move: Any) -> Advice:
    return next(advice for advice in ranked if advice.move == move)


def _kept(advice: Advice) -> Advice:
    """Return advice as it is kept: in words it is told without the move itself."""
    return msgspec.structs.replace(advice, move=None)
