"""How did I play? The decisions of a seat in a match that is over, beside what the coach says.

Each is judged by what the seat could know when it was made: by its view of the state before, which
is read from the frames. Nothing is played again.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, select

from stockpile_web.engine import Advice, Game, Seat, codec
from stockpile_web.engine.advice import Explain
from stockpile_web.games import GAMES
from stockpile_web.match.bots import steadiest
from stockpile_web.match.perspective import StillSecret, is_open
from stockpile_web.match.rows import MatchRow, Past, read_past
from stockpile_web.match.rules_versions import load_state
from stockpile_web.match.take_back import taken_back_moves
from stockpile_web.storage.models.matches import BOT, Move


class Decision(NamedTuple):
    """What was chosen at one moment, and what the coach would have chosen."""

    number: int  # Of the move.
    moment: tuple[int, str]  # Its round and phase.
    chosen: Advice
    best: Advice

    @property
    def cost(self) -> float:
        """What the choice gave away; 0 where the coach does not put it in figures."""
        if self.chosen.worth is None or self.best.worth is None:
            return 0.0
        return max(0.0, self.best.worth - self.chosen.worth)


def dearest(made: list[Decision]) -> list[Decision]:
    """Return those decisions of a seat that gave something away, the dearest first."""
    costly = (each for place, each in enumerate(made) if not _is_made_up_for(each, made[place:]))
    return sorted((each for each in costly if each.cost), key=lambda each: -each.cost)


def decisions(connection: Connection, match: MatchRow, seat: Seat) -> Iterator[Decision]:
    """Judge the decisions of a seat one by one, in their order; of a match that is over only.

    Where a person plays they are the person's own: not those of a stand-in, an order or the clock.
    """
    if not is_open(match):
        raise StillSecret
    game = GAMES[match.game]
    explain = game.BOTS[steadiest(game)].explain
    rows = _moves_of(connection, match, seat)
    if explain is None or not rows:
        return
    past = read_past(connection, match.id, 0, rows[-1].number)
    for row in rows:
        decision = _judged(game, explain, past[row.number - 1], seat, row)
        if decision is not None:
            yield decision


def _judged(
    game: Game, explain: Explain, before: Past, seat: Seat, row: Row[int, str, str]
) -> Decision | None:
    """Judge a move, or the first step of a turn; None if there was nothing to decide."""
    state = load_state(game, *before)
    moves, view = game.legal(state, seat), game.view(state, seat)
    made = codec.load(Any, row.move)
    text = codec.dump(made[0] if isinstance(made, list) else made)
    # By its text: under rules that have changed since, there may be no such move any more.
    first = next((move for move in moves if codec.dump(move) == text), None)
    if first is None or len(moves) == 1:
        return None
    ranked = explain(view, moves)
    chosen = next(advice for advice in ranked if advice.move == first)
    return Decision(row.number, (view.round, view.phase), chosen, ranked[0])


def _is_made_up_for(decision: Decision, later: list[Decision]) -> bool:
    """Tell whether the better move was made after all, before the phase was over."""
    in_time = (each for each in later if each.moment == decision.moment)
    return any(each.chosen.move == decision.best.move for each in in_time)


def _moves_of(connection: Connection, match: MatchRow, seat: Seat) -> list[Row[int, str, str]]:
    """Return the moves of whoever plays a seat, without those that were taken back."""
    found = connection.execute(
        select(Move.number, Move.move, Move.made_by)
        .where(Move.match_id == match.id, Move.seat == seat)
        .order_by(Move.number)
    ).all()
    gone = taken_back_moves(connection, match.id)
    by = "" if any(not row.made_by for row in found) else BOT
    return [row for row in found if row.made_by == by and row.number not in gone]
